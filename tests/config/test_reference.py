"""The reference pages say what the models say."""

from pathlib import Path

from crawler.config.reference import settings_reference, site_reference, write_reference
from crawler.config.settings import Settings
from crawler.described import docstrings

DOCS = Path(__file__).parents[2] / "docs"
STALE = "run `python -m crawler.config.reference`"


def test_the_site_reference_is_up_to_date() -> None:
    assert (DOCS / "site-yaml.md").read_text(encoding="utf-8") == site_reference(), STALE


def test_the_settings_reference_is_up_to_date() -> None:
    assert (DOCS / "settings.md").read_text(encoding="utf-8") == settings_reference(), STALE


def test_every_setting_is_explained() -> None:
    assert docstrings(Settings).keys() == Settings.model_fields.keys()


def test_the_pages_are_written_into_the_folder(tmp_path: Path) -> None:
    written = write_reference(tmp_path)

    assert sorted(path.name for path in written) == ["settings.md", "site-yaml.md"]
    assert all(path.read_text(encoding="utf-8").startswith("# ") for path in written)
