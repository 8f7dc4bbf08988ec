"""What must hold for the looks of every page: accessible, and as wide as the screen."""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.browser import library
from tests.browser.conftest import DESK, PHONE

# The smallest screen that WCAG asks for, and one between phone and desk.
OTHER_WIDTHS = (320, 800)
# Axe describes each element that passes a rule too, which takes most of its time: only violations are asked for.
ALL_RULES: dict[str, object] = {"resultTypes": ["violations"]}
# All a theme can change.
CONTRAST: dict[str, object] = {**ALL_RULES, "runOnly": {"type": "rule", "values": ["color-contrast"]}}


def looks_right(page: Page) -> None:
    """Axe finds nothing by all its rules, best practices included, and nothing scrolls sideways."""
    for scheme, rules in (("light", ALL_RULES), ("dark", CONTRAST)):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]  # one of its words
        page.reload()  # so that no colour is still on its way to the other theme
        for viewport in (PHONE, DESK):
            page.set_viewport_size(viewport)  # type: ignore[arg-type]  # a plain dict of the right keys
            assert violations(page, rules) == ""
            assert too_wide(page) <= 0, viewport
    for width in OTHER_WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert too_wide(page) <= 0, width
    page.set_viewport_size(DESK)  # type: ignore[arg-type]  # a plain dict of the right keys


def violations(page: Page, options: dict[str, object] = ALL_RULES) -> str:
    # Half a megabyte of script, which stays until the page is loaded anew.
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate("options => axe.run(options).then(found => found.violations)", options)
    return library.described(found) if found else ""


def too_wide(page: Page) -> int:
    """By how much; a page that has just got another width may need a moment."""
    for _ in range(50):
        wide = int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))
        if wide <= 0:
            break
        page.wait_for_timeout(100)
    return wide
