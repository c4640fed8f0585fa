"""Alert files: every mistake with file, line, field and reason, and no secret in any of them."""

from pathlib import Path

import pytest

from crawler.config.alert import AlertConfig
from crawler.config.alert_files import find_alert_file, load_alerts, read_alert
from crawler.errors import ConfigError
from crawler.pages.mime_groups import TARGET_GROUPS
from crawler.validation.outcome import Judgement

ROOT = Path(__file__).parents[2]
HOOK = "https://hooks.example.org/T0/secret-token"


def write(folder: Path, text: str, name: str = "births.yaml") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_search_and_a_receiver_are_enough(tmp_path: Path) -> None:
    alert, problems = read_alert(write(tmp_path, f"search: births\nwebhook: {HOOK}\n"))
    assert problems == []
    assert alert is not None
    assert (alert.name, alert.search) == ("births", "births")
    assert alert.what == ("new", "changed", "gone")
    assert "secret-token" not in repr(alert)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("serch: births", '2: serch: unknown key; did you mean "search"?'),
        ("format: cvs", "2: format: 'cvs' is no format; did you mean \"csv\"?"),
        ("what: [new, chnged]", "2: what.1: must be one of new, changed, gone, not 'chnged'"),
        ("what: new", "2: what: must be a list, not 'new'"),
        ("what: []", "2: what: must not be empty"),
        ("verdict: vaild", "2: verdict: must be one of valid, suspect, document, broken"),
        ("period: banana", "2: period: 'banana' is no period"),
        ("email: me@example.org", "2: email: must be a list"),
        ("email: [me]", "2: email.0: is not an e-mail address"),
        ("max_items: 5000", "2: max_items: must be at most 500, not 5000"),
        ("name: other", "2: name: is always that of the file; remove it"),
        ("site: Demo", "2: site: 'Demo' cannot name a site"),
        ("site: dmeo", "2: site: there is no site 'dmeo'; did you mean \"demo\"?"),
        ("webhook: https://a.example", "2: webhook: is given twice"),
    ],
)
def test_mistake_is_reported_with_its_line_and_field(tmp_path: Path, line: str, told: str) -> None:
    path = write(tmp_path, f"webhook: {HOOK}\n{line}\n")
    alert, problems = read_alert(path, ["demo", "insee"])
    assert alert is None
    assert str(problems[0]).startswith(f"{path}:{told}")
    assert "secret-token" not in str(problems)


@pytest.mark.parametrize(
    "webhook", ["ftp://secret-token", "secret-token", "env:secret token", "file:secret-token", "[]"]
)
def test_wrong_webhook_is_reported_and_not_repeated(tmp_path: Path, webhook: str) -> None:
    alert, [problem] = read_alert(write(tmp_path, f"webhook: {webhook}\n"))
    assert alert is None
    assert problem.field == "webhook"
    assert "secret" not in problem.reason


@pytest.mark.parametrize("webhook", ["env:MY_HOOK", "file:/run/secrets/hook", HOOK])
def test_address_may_be_kept_elsewhere(tmp_path: Path, webhook: str) -> None:
    assert read_alert(write(tmp_path, f"webhook: {webhook}\n"))[1] == []


def test_somebody_must_be_told(tmp_path: Path) -> None:
    [problem] = read_alert(write(tmp_path, "search: births\n"))[1]
    assert problem.reason == "has nobody to tell: give webhook or email"


def test_bad_file_hides_no_other(tmp_path: Path) -> None:
    write(tmp_path, f"webhook: {HOOK}\n", "good.yaml")
    write(tmp_path, f"webhook: {HOOK}\n", "good.yml")
    write(tmp_path, "- a list", "list.yaml")
    write(tmp_path, "a: [", "broken.yaml")
    write(tmp_path, f"webhook: {HOOK}\n", "Bad Name.yaml")
    alerts, problems = load_alerts(tmp_path)
    assert [alert.name for alert in alerts] == ["good"]
    named = {problem.file.name for problem in problems}
    assert named == {"good.yml", "list.yaml", "broken.yaml", "Bad Name.yaml"}


def test_folder_need_not_exist_and_a_misspelt_name_is_guessed(tmp_path: Path) -> None:
    assert load_alerts(tmp_path / "nothing") == ([], [])
    write(tmp_path, f"webhook: {HOOK}\n")
    with pytest.raises(ConfigError, match='did you mean "births"'):
        find_alert_file("brths", tmp_path)


def test_verdicts_and_formats_are_those_of_the_catalog() -> None:
    schema = AlertConfig.model_json_schema()["properties"]
    assert set(schema["verdict"]["anyOf"][0]["enum"]) == {each.value for each in Judgement}
    assert "csv" in TARGET_GROUPS


def test_example_is_right() -> None:
    alert, problems = read_alert(ROOT / "include" / "alerts" / "example.yaml")
    assert problems == []
    assert alert is not None
    assert not alert.enabled


def test_every_key_is_documented() -> None:
    page = (ROOT / "docs" / "alerts.md").read_text()
    for name in set(AlertConfig.model_fields) - {"name"}:
        assert f"`{name}`" in page, name
