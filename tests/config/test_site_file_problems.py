"""Every problem of a site file is reported with its line, field and reason."""

import os
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.config.document import MAX_FILE_BYTES, read_document
from crawler.config.limits import Limits
from crawler.config.load import find_site, load_site, load_sites, read_site
from crawler.config.politeness import Politeness
from crawler.config.site import SiteConfig
from crawler.errors import ConfigError

START = "start_url: https://stats.example.org/\n"


def problems_of(folder: Path, text: str) -> list[str]:
    path = folder / "example.yaml"
    path.write_text(text, encoding="utf-8")
    return [f"{p.line}: {p.field}: {p.reason}" for p in read_site(path)[1]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "budget:\n  requsts: 5\n",
            '3: budget.requsts: unknown key; did you mean "requests"?',
        ),
        ("budgets: {}\n", '2: budgets: unknown key; did you mean "budget"?'),
        ("delay: 2\n", '2: delay: unknown key; "delay" belongs under "politeness"'),
        (
            "budget: {seed: 2}\n",
            '2: budget.seed: unknown key; "seed" belongs to the top level of the file',
        ),
        ("revisit: {page: 5}\n", "2: revisit.page: unknown key"),
        ("enabled: 1\n", "2: enabled: must be true or false, not 1"),
        ("budget: {requests: '5'}\n", "2: budget.requests: must be a whole number, not '5'"),
        ("budget: {requests: 0}\n", "2: budget.requests: must be at least 1, not 0"),
        ("budget:\n", "2: budget: must be a mapping (key: value), not nothing"),
        ("owner: 7\n", "2: owner: must be text, not 7; put it in quotes"),
        (
            "budget: {minutes: 1e300}\n",
            "2: budget.minutes: must be at most 527040, not 1e+300",
        ),
        (
            "limits: {request_minutes: 1e300}\n",
            "2: limits.request_minutes: must be at most 1440, not 1e+300",
        ),
        (
            "http: {ca_bundle: /no/such/ca.pem}\n",
            "2: http.ca_bundle: there is no file /no/such/ca.pem",
        ),
        (
            f"http: {{ca_bundle: {__file__}}}\n",
            f"2: http.ca_bundle: {__file__} cannot be used: no PEM certificates",
        ),
        (
            "schedule: '99 99 * * *'\n",
            "2: schedule: '99' is no minute: from 0 to 59; '99' is no hour: from 0 to 23",
        ),
        (
            "http: {headers: {host: x, a b: y}}\n",
            "'host' cannot be given: the URL sets it; 'a b' is not a header's name",
        ),
        ("tags: one\n", "2: tags: must be a list, not 'one'"),
        ("targets: []\n", "2: targets: must not be empty"),
        (
            "targets:\n  - csv\n  - exel\n",
            "4: targets.1: 'exel' is neither a group nor a MIME type; did you mean \"excel\"?",
        ),
        ("strategy: dsf\n", "not 'dsf'; did you mean \"dfs\"?"),
        (
            "strategy:\n  name: bfs\n  b: 5\n",
            "4: strategy.b: is a parameter of sb; bfs takes none",
        ),
        (
            "strategy: {name: focused, b: 5}\n",
            "2: strategy.b: is a parameter of sb; focused takes period",
        ),
        (
            "strategy: {period: 5}\n",
            "2: strategy.period: is a parameter of focused; tallyho takes alpha, max_actions, "
            "exploration, hub_credit and certainty",
        ),
        (
            "strategy: {name: sb, alhpa: 5}\n",
            "2: strategy.alhpa: sb has no such parameter; it takes n, theta, m, w, max_actions, "
            'alpha, index and b; did you mean "alpha"?',
        ),
        (
            "strategy: {name: acebot, patterns: My Site}\n",
            "2: strategy.patterns: must be a path that ends with .json, or the name of a site",
        ),
        ("strategy: {name: acebot, items: links}\n", "2: strategy.items: must be"),
        ("strategy: 5\n", "2: strategy: must be the name of a strategy or a mapping (key: value)"),
        ("alpha: 5\n", '2: alpha: unknown key; "alpha" belongs under "strategy"'),
        ("strategy: {name: focused, period: 0}\n", "2: strategy.period: must be at least 1"),
        (
            "strategy: sb-oracle\n",
            "2: strategy.name: must be one of tallyho, sb, anthelion, acebot, focused, bfs, dfs, "
            "random, roach, not 'sb-oracle'; others run in the lab only: tallyho lab compare",
        ),
        (
            "strategy: {name: dom-off, sample: 10}\n",
            "not 'dom-off'; others run in the lab only",
        ),
        ("strategy: {name: sb, theta: 0}\n", "2: strategy.theta: must be more than 0, not 0"),
        (
            "strategy: {name: sb, m: 15}\n",
            "2: strategy: w must be more than m, but w is 15 and m is 15",
        ),
        (
            "early_stopping:\n  flor: 0.1\n",
            '3: early_stopping.flor: unknown key; did you mean "floor"?',
        ),
        ("early_stopping:\n", "2: early_stopping: must be a mapping (key: value), not nothing"),
        ("limits: {timeout: .inf}\n", "2: limits.timeout: must be a finite number, not inf"),
        ("limits: {traps: {calendar_run: 0}}\n", "2: limits.traps.calendar_run: must be at least"),
        ("scope:\n  exclude: ['(']\n", "3: scope.exclude.0: '(' is not a regular expression"),
        (
            "scope: {hosts: ['https://a.org/']}\n",
            "2: scope.hosts.0: 'https://a.org/' is not a host",
        ),
        ("scope: {file_hosts: all}\n", "2: scope.file_hosts: must be a list of host names, or"),
        (
            "politeness: {delay: 0}\n",
            "2: politeness.delay: must be at least 0.2 s on a public site",
        ),
        ("http:\n  headers: {user-agent: me}\n", "3: http.headers: 'user-agent' cannot be given"),
        ('http: {headers: {X-A: "a\\r\\nB: c"}}\n', "2: http.headers: 'X-A' must be one line"),
        ("name: Big Site\n", "2: name: 'Big Site' cannot name a site"),
        ('name: "a\\n"\n', "2: name: 'a\n' cannot name a site"),
        ("seed: 1\nseed: 2\n", "3: seed: is given twice; it is already on line 2"),
        ("owner: !!python/name:os.system x\n", "2: owner: the tag tag:yaml.org,2002:python/name"),
        ("[1]: 2\n", "2: : a key must be a word"),
        ("base: &a {x: 1}\n<<: *a\n", "3: : the merge key << is not supported"),
        ("tags: [a\n", "3: : is not valid YAML"),
        (f"seed: 0x{'f' * 9000}\n", "2: seed: '0xfff"),
        ("seed: !!int x\n", "2: seed: 'x' cannot be read as int"),
        ("targets: ['*/csv']\n", "2: targets.0: '*/csv' is not a MIME type"),
        ("targets: [text/html]\n", "2: targets.0: pages are what the crawler reads"),
        ("http: {proxy: 'proxy:3128'}\n", "2: http.proxy: 'proxy:3128://' must start with http"),
        ("politeness: {contact: me}\n", "2: politeness.contact: must be an e-mail address"),
        ("politeness: {user_agent: é}\n", "2: politeness.user_agent: must be plain ASCII text"),
        ("budget:\n\trequests: 5\n", "indent with spaces, not with tabs"),
    ],
)
def test_a_mistake_is_reported_where_it_is(tmp_path: Path, text: str, expected: str) -> None:
    found = problems_of(tmp_path, START + text)

    assert any(expected in line for line in found), found


def test_all_mistakes_of_a_file_are_reported_at_once(tmp_path: Path) -> None:
    text = "budgets: {}\nenabled: maybe\nseed: -1\nseed: 2\npoliteness: {delay: -1, robts: no}\n"

    fields = [line.split(": ")[1] for line in problems_of(tmp_path, text)]

    assert sorted(fields) == [
        "budgets",
        "enabled",
        "politeness.delay",
        "politeness.robts",
        "seed",
        "seed",
        "start_url",
    ]


def test_a_missing_start_url_is_told(tmp_path: Path) -> None:
    assert problems_of(tmp_path, "seed: 1\n") == ["1: start_url: is required"]


@pytest.mark.parametrize("text", ["", "- a\n", "word\n", "# only a comment\n"])
def test_a_file_that_is_no_mapping_is_refused(tmp_path: Path, text: str) -> None:
    assert problems_of(tmp_path, text) == ["1: : must be a mapping with at least start_url: …"]


def test_a_loopback_start_says_what_to_add(tmp_path: Path) -> None:
    (found,) = problems_of(tmp_path, "start_url: http://127.0.0.1:8350/\n")

    assert found.startswith("1: allow_private_hosts: http://127.0.0.1:8350/ is on this machine")
    assert "'allow_private_hosts: true'" in found


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    assert problems_of(tmp_path, START + "#" * MAX_FILE_BYTES) == ["1: : is larger than 256 KiB"]


def test_aliases_that_expand_without_end_are_refused(tmp_path: Path) -> None:
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 10)
    )

    assert "has more than 20000 values" in problems_of(tmp_path, START + bomb)[0]
    assert "nested too deeply" in problems_of(tmp_path, START + "tags: &a [*a]\n")[0]
    assert "nested too deeply" in problems_of(tmp_path, "[" * 50_000)[0]


def test_a_harmless_alias_is_followed(tmp_path: Path) -> None:
    path = tmp_path / "aliased.yaml"
    path.write_text(START + "scope:\n  include: &both [data]\n  exclude: *both\n")

    assert load_site(path).scope.exclude == ("data",)


def test_hostile_yaml_runs_nothing(tmp_path: Path) -> None:
    proof = tmp_path / "proof"
    text = START + f"owner: !!python/object/apply:os.system ['touch {proof}']\n"

    assert "is not allowed" in problems_of(tmp_path, text)[0]
    assert not proof.exists()


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.binary(max_size=200), st.text("ab:-[]{}&*!<>|'\"#\n\t 0.e_?,%", max_size=60)))
def test_no_text_breaks_the_reader(data: bytes | str) -> None:
    document = read_document(data if isinstance(data, bytes) else data.encode())

    assert all(mistake.line >= 1 for mistake in document.mistakes)


_KEYS = st.sampled_from(
    [*SiteConfig.model_fields, *Limits.model_fields, *Politeness.model_fields, "hosts", "x"]
)
_VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=8),
        st.sampled_from(["https://a.org/", "any", "bfs", "csv", "2 MB", "@daily", "* * * * *"]),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(values=st.dictionaries(_KEYS, _VALUES, max_size=8))
def test_every_mapping_is_a_site_or_a_list_of_problems(
    tmp_path_factory: pytest.TempPathFactory, values: dict[str, object]
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.yaml"
    path.write_text(yaml.safe_dump(values), encoding="utf-8")

    site, problems = read_site(path)

    assert (site is None) == bool(problems)
    assert all(problem.reason and problem.line >= 1 for problem in problems)


def test_unreadable_files_are_problems_and_not_crashes(tmp_path: Path) -> None:
    (tmp_path / "folder.yaml").mkdir()
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "latin.yaml").write_bytes(START.encode() + b"owner: \xe9t\xe9\n")

    reasons = {
        name: read_site(tmp_path / f"{name}.yaml")[1][0] for name in ("folder", "pipe", "none")
    }

    assert all("cannot be read" in problem.reason for problem in reasons.values())
    (latin,) = read_site(tmp_path / "latin.yaml")[1]
    assert (latin.line, latin.reason) == (2, "is not UTF-8 text")


def test_a_bad_file_does_not_hide_the_others(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("start_url: [")
    (tmp_path / "good.yaml").write_text(START)
    (tmp_path / "other.yml").write_text(START + "name: another\n")
    (tmp_path / ".hidden.yaml").write_text("nonsense")

    sites, problems = load_sites(tmp_path)

    assert [site.name for site in sites] == ["another", "good"]
    assert [problem.file.name for problem in problems] == ["bad.yaml"]


def test_two_files_cannot_have_one_name(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(START)
    (tmp_path / "b.yaml").write_text(START + "name: a\n")

    sites, (problem,) = load_sites(tmp_path)

    assert [site.name for site in sites] == ["a"]
    assert (problem.file.name, problem.line, problem.field) == ("b.yaml", 2, "name")


def test_a_site_is_found_by_its_file_by_its_name_and_by_a_path(tmp_path: Path) -> None:
    (tmp_path / "file.yaml").write_text(START + "name: called\n")

    found = [find_site(word, tmp_path).name for word in ("file", "called")]
    found.append(find_site(str(tmp_path / "file.yaml"), Path("nowhere")).name)

    assert found == ["called"] * 3
    (tmp_path / "called.yaml").write_text(START + "name: file\n")
    assert find_site("file", tmp_path).name == "file"
    assert find_site("called", tmp_path).name == "called"
    with pytest.raises(ConfigError, match=r"no site 'caled'.*did you mean .called"):
        find_site("caled", tmp_path)


@pytest.mark.parametrize(
    ("others", "how_many"),
    [
        ("", r"\?$"),
        ("owner: 2\n", r"\(and 1 more problem\)$"),
        ("owner: 2\ntags: 3\n", r"\(and 2 more problems\)$"),
    ],
)
def test_load_site_tells_the_first_problem_and_how_many_follow(
    others: str, how_many: str, tmp_path: Path
) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(f"{START}seeed: 1\n{others}")

    with pytest.raises(ConfigError, match=rf'x.yaml:2: seeed: .*"seed".*{how_many}'):
        load_site(path)


@pytest.mark.parametrize(
    "url",
    [
        "https://bob:hunter2@stat.example/",
        "https://bob:hunter2@stat.example:99999/",
        "ftp://bob:hunter2@stat.example/",
        "bob:hunter2@stat.example",
        "https://bob:hunter2@",
        "https://bob:hunter2 @stat.example/",
        # Mistyped, so that no parser finds a user name in it.
        "https://bob:hunter2/x@stat.example/",
        "https://bob:x?hunter2@stat.example/",
        "https://bob:x#hunter2@stat.example/",
        "https:/bob:hunter2@stat.example/",
        "https://bob:hunter2",
        "https://bob:hunter2%40stat.example/",
    ],
)
def test_a_password_in_a_url_is_refused_and_never_shown(url: str, tmp_path: Path) -> None:
    wrong = f'start_url: "{url}"\nstart_also: ["{url}"]\n'
    (tmp_path / "a.yaml").write_text(f'{wrong}scope: {{hosts: ["{url}"], file_hosts: ["{url}"]}}\n')
    _, problems = load_sites(tmp_path)
    assert {problem.field.split(".")[0] for problem in problems} == {
        "start_url",
        "start_also",
        "scope",
    }
    for problem in problems:
        assert "hunter2" not in str(problem)
        assert "hunter2" not in str(problem.as_dict())


def test_short_delay_is_told_beside_the_other_mistakes_of_its_section(tmp_path: Path) -> None:
    told = problems_of(tmp_path, START + "politeness: {delay: 0.01, retries: 99}\n")
    assert told == [
        "2: politeness.delay: must be at least 0.2 s on a public site",
        "2: politeness.retries: must be at most 10, not 99",
    ]


def test_name_of_another_file_is_told_also_of_a_file_with_mistakes(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("start_url: 7\nname: b\n")
    (tmp_path / "b.yaml").write_text(START)
    sites, problems = load_sites(tmp_path)
    assert [site.name for site in sites] == ["b"]
    assert [(problem.file.name, problem.field) for problem in problems] == [
        ("a.yaml", "start_url"),
        ("a.yaml", "name"),
    ]


def test_a_url_with_a_password_is_refused_with_the_place_where_it_belongs(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("start_url: https://bob:hunter2@stat.example/\n")
    _, [problem] = load_sites(tmp_path)
    assert "http.headers" in problem.reason
