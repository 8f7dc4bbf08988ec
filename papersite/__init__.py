"""The site: settings, urls, error mapping, health. No behaviour."""
