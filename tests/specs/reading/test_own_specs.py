"""This project's own specs, which are served by default, are valid and read without a warning."""

from pytest_django import Settings

from specs import core, tools


def test_the_own_specs_are_valid(settings: Settings) -> None:
    settings.SPECS = str(settings.BASE_DIR / "openspec")
    found = tools.list_specs().specs
    assert found
    assert [spec.id for spec in found if not tools.validate_spec(spec.id).valid] == []
    assert core.all_notices() == []
