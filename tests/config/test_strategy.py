"""The parameters of strategies: each belongs to some of them and says so."""

import pytest

from crawler.config.strategy import StrategyConfig, StrategyName

PARAMETERS = [name for name in StrategyConfig.model_fields if name != "name"]


@pytest.mark.parametrize("name", StrategyName)
def test_written_configuration_holds_the_strategys_own_parameters_and_reads_back(name):
    config = StrategyConfig(name=name)
    written = config.model_dump()
    assert StrategyConfig.model_validate(written) == config
    assert StrategyConfig.model_validate_json(config.model_dump_json()) == config
    for parameter in set(PARAMETERS) - set(written):
        with pytest.raises(ValueError, match=f"{name} takes"):
            StrategyConfig.model_validate({"name": name.value, parameter: 1})


@pytest.mark.parametrize("parameter", PARAMETERS)
def test_docstring_of_a_parameter_begins_with_the_strategies_that_take_it(parameter):
    told = StrategyConfig.model_fields[parameter].description or ""
    takers = {
        name.value for name in StrategyName if parameter in StrategyConfig(name=name).model_dump()
    }
    assert set(told.partition(":")[0].split(", ")) == takers
    assert takers


def test_strategies_of_the_lab_are_those_that_know_too_much():
    assert {name.value for name in StrategyName if name.needs_oracle} == {
        "sb-oracle",
        "omniscient",
        "dom-off",
    }
