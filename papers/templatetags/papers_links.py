"""The addresses of papers and facet values, for templates."""

from django import template

from papers.pages import links

register = template.Library()
register.simple_tag(links.paper_url)
register.simple_tag(links.listed_paper_url)
register.simple_tag(links.value_url)
