"""A probe whose result is kept for a while."""

from papercore.health import CachedProbe, Part


def test_a_probe_runs_again_only_when_its_result_is_too_old() -> None:
    runs: list[Part] = []

    def probe() -> Part:
        runs.append(Part("disk", "ok", f"run {len(runs)}"))
        return runs[-1]

    kept = CachedProbe(probe, 3600)
    assert [kept.part().hint, kept.part().hint] == ["run 0", "run 0"]
    expired = CachedProbe(probe, 0)
    assert [expired.part().hint, expired.part().hint] == ["run 1", "run 2"]
