"""The strategies of a site file: each has its own parameters and says so."""

import json

import pytest
from pydantic import TypeAdapter, ValidationError

from crawler.config.site import SiteConfig
from crawler.config.strategy import (
    STRATEGIES,
    ActionIndex,
    SleepingBanditConfig,
    StrategyChoice,
    StrategyConfig,
    StrategyName,
    TallyhoConfig,
    strategy_named,
)
from crawler.described import docstrings

CHOICE: TypeAdapter[StrategyConfig] = TypeAdapter(StrategyChoice)

WRITTEN_BY_0_2 = {
    "sb": (
        '{"alpha": 2.8284271247461903, "b": 10, "index": "exact", "m": 12, "max_actions": 5000, '
        '"n": 2, "name": "sb", "theta": 0.75, "w": 15}'
    ),
    "acebot": (
        '{"attributes": "id", "completion": 0.95, "items": "targets", "name": "acebot", '
        '"patterns": null, "repetitions": 3, "sample": 3000, "sample_share": 0.1, "steps": 3}'
    ),
    "bfs": '{"name": "bfs"}',
    "dfs": '{"name": "dfs"}',
    "random": '{"name": "random"}',
    "focused": '{"name": "focused", "period": 100}',
    "tallyho": (
        '{"alpha": 2.8284271247461903, "certainty": 0.3, "exploration": 0.05, "hub_credit": 0.5, '
        '"max_actions": 5000, "name": "tallyho"}'
    ),
}
"""What state files of version 0.2 record of a crawl's strategy."""
OTHER_DEFAULTS_OF_0_2 = {"tallyho": {"exploration": 0.05}}


@pytest.mark.parametrize("name", StrategyName)
def test_written_strategy_reads_back(name: StrategyName) -> None:
    config = strategy_named(name)
    assert CHOICE.validate_python(config.model_dump()) == config
    assert CHOICE.validate_json(config.model_dump_json()) == config
    assert CHOICE.validate_python(name.value) == config
    assert type(config) is STRATEGIES[name]


@pytest.mark.parametrize("name", WRITTEN_BY_0_2)
def test_parameters_are_written_as_the_version_before_wrote_them(name: str) -> None:
    config = strategy_named(name).model_copy(update=OTHER_DEFAULTS_OF_0_2.get(name, {}))
    assert json.dumps(config.model_dump(mode="json"), sort_keys=True) == WRITTEN_BY_0_2[name]
    assert CHOICE.validate_json(WRITTEN_BY_0_2[name]) == config


def test_tallyho_decides_alike_in_every_run_unless_it_explores() -> None:
    assert not TallyhoConfig().is_random
    assert TallyhoConfig(exploration=0.05).is_random
    assert SleepingBanditConfig().is_random
    assert not strategy_named("bfs").is_random


@pytest.mark.parametrize("name", StrategyName)
def test_parameters_of_others_are_refused_with_those_that_it_takes(name: StrategyName) -> None:
    parameters = {parameter for model in STRATEGIES.values() for parameter in model.parameters()}
    own = set(STRATEGIES[name].parameters())
    for parameter in parameters - own:
        with pytest.raises(ValidationError, match=f"is a parameter of .*; {name} takes"):
            CHOICE.validate_python({"name": name.value, parameter: 1})


@pytest.mark.parametrize("name", StrategyName)
def test_every_parameter_has_a_description(name: StrategyName) -> None:
    assert docstrings(STRATEGIES[name]).keys() >= set(STRATEGIES[name].parameters())


def test_every_mistake_is_reported_at_once() -> None:
    with pytest.raises(ValidationError) as refused:
        CHOICE.validate_python({"name": "sb", "alhpa": 1, "theta": 2})
    messages = {error["loc"][-1]: error["msg"] for error in refused.value.errors()}
    assert messages.keys() == {"alhpa", "theta"}
    assert messages["alhpa"].startswith("sb has no such parameter; it takes n, theta, m, w, ")
    assert messages["alhpa"].endswith('; did you mean "alpha"?')


def test_default_is_our_own_also_for_parameters_alone() -> None:
    site = SiteConfig(start_url="https://stats.example/")
    assert site.strategy == TallyhoConfig()
    assert CHOICE.validate_python({"certainty": 0.5}) == TallyhoConfig(certainty=0.5)


def test_parameters_are_those_of_the_named_strategy() -> None:
    config = CHOICE.validate_python({"name": "sb", "alpha": 2, "index": "hnsw"})
    assert config == SleepingBanditConfig(alpha=2.0, index=ActionIndex.HNSW)
