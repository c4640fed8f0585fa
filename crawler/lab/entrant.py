"""What is compared: a strategy with its parameters, written as `sb` or `sb:alpha=0.5:theta=0.9`."""

from dataclasses import dataclass

import yaml
from pydantic import ValidationError

from crawler.config.strategy import StrategyConfig
from crawler.errors import ConfigError
from crawler.lab.oracles.config import LAB_STRATEGIES


@dataclass(frozen=True, slots=True)
class Entrant:
    """A strategy under the name that tables give it."""

    label: str
    config: StrategyConfig


def read_entrant(text: str) -> Entrant:
    """A strategy as it is written on the command line."""
    label = text.strip()
    name, *settings = label.split(":")
    model = LAB_STRATEGIES.get(name)
    if model is None:
        known = ", ".join(LAB_STRATEGIES)
        raise ConfigError(f"there is no strategy '{name}'; there are: {known}")
    values: dict[str, object] = {"name": name}
    for setting in settings:
        key, separator, value = setting.partition("=")
        if not separator:
            raise ConfigError(f"{label}: parameters are written as sb:alpha=0.5:theta=0.9")
        try:
            values[key.strip()] = yaml.safe_load(value)
        except yaml.YAMLError:
            raise ConfigError(f"{label}: {value!r} is no value of a site file") from None
    try:
        return Entrant(label, model.model_validate(values))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        reason = first["msg"].removeprefix("Value error, ")
        raise ConfigError(f"{label}: {where}: {reason}") from None


def read_entrants(text: str) -> list[Entrant]:
    """Strategies with commas between them, each once."""
    entrants = [read_entrant(part) for part in text.split(",") if part.strip()]
    labels = [entrant.label for entrant in entrants]
    twice = sorted({label for label in labels if labels.count(label) > 1})
    if twice:
        raise ConfigError(f"{', '.join(twice)}: named twice")
    if not entrants:
        raise ConfigError(f"no strategy is named; there are: {', '.join(LAB_STRATEGIES)}")
    return entrants
