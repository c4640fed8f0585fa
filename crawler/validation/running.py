"""Great Expectations, imported late and once, with one context per process that keeps nothing.

The import takes seconds, so that nothing but a judge at work, or a site with expectations on cells,
should cause it.
"""

import logging
import os
import threading
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue

from crawler.config.expectation_types import Severity
from crawler.validation.plain import plain

if TYPE_CHECKING:
    import pandas as pd

_GX_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "warning", Severity.NOTE: "info"}
_NAME = "check"
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Asked:
    """One expectation to be run."""

    name: str
    expectation: str
    arguments: Mapping[str, JsonValue]
    severity: Severity = Severity.ERROR


@dataclass(frozen=True, slots=True)
class Answer:
    """How the table met one expectation."""

    met: bool
    failed: tuple[tuple[int, ...], ...] = ()
    """The keys of the rows that did not meet it, where keys were asked for."""
    observed: str = ""
    """A few words: how many values failed and some of them, or the figure that was found."""
    error: str = ""
    """Why the expectation could not be run at all."""


class Runner:
    """Runs expectations over tables in memory, with one context for all of them."""

    def __init__(self) -> None:
        self._batches: Any = None
        self._lock = threading.Lock()

    def run(
        self, frame: "pd.DataFrame", asked: Sequence[Asked], keys: Sequence[str] = ()
    ) -> dict[str, Answer]:
        """The answer to each expectation, by its name; with `keys`, which rows failed."""
        if not asked:
            return {}
        gx = library()
        with self._lock, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expectations = [
                configuration(
                    one.expectation, one.arguments, one.severity, meta={_NAME: one.name}
                ).to_domain_obj()
                for one in asked
            ]
            suite = gx.ExpectationSuite(name="asked", expectations=expectations)
            batch = self._definition().get_batch(batch_parameters={"dataframe": frame})
            shape: dict[str, object]
            if keys:
                shape = {"result_format": "COMPLETE", "unexpected_index_column_names": list(keys)}
            else:
                shape = {"result_format": "SUMMARY", "partial_unexpected_count": _SHOWN}
            result = batch.validate(suite, result_format=shape)
        return {one.expectation_config.meta[_NAME]: _answer(one, keys) for one in result.results}

    def warm_up(self) -> None:
        """Imports the library and makes the context, so that the first run does not have to."""
        with self._lock:
            self._definition()

    def _definition(self) -> Any:
        if self._batches is None:
            gx = library()
            context = gx.get_context(mode="ephemeral")
            context.variables.progress_bars = {"globally": False}
            source = context.data_sources.add_pandas("memory")
            asset = source.add_dataframe_asset("tables")
            self._batches = asset.add_batch_definition_whole_dataframe("table")
        return self._batches


RUNNER = Runner()
"""One per process: making a context costs half a second."""


def library() -> Any:
    """Great Expectations itself; it reports to nobody and logs only what is wrong."""
    os.environ["GX_ANALYTICS_ENABLED"] = "false"
    # Before: its import alone would write two hundred lines into the log of a task.
    logging.getLogger("great_expectations").setLevel(logging.ERROR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import great_expectations
    # This one sets a level of its own when it is imported.
    logging.getLogger("great_expectations.data_context.types.base").setLevel(logging.ERROR)
    return great_expectations


def configuration(
    expectation: str, arguments: Mapping[str, Any], severity: Severity, **more: Any
) -> Any:
    """An expectation as the library, which is imported before, writes it."""
    from great_expectations.expectations.expectation_configuration import ExpectationConfiguration
    from great_expectations.expectations.metadata_types import FailureSeverity

    return ExpectationConfiguration(
        type=expectation,
        kwargs=dict(arguments),
        severity=FailureSeverity(_GX_SEVERITIES[severity]),
        **more,
    )


def _answer(result: Any, keys: Sequence[str]) -> Answer:
    if error := _exception(result.exception_info or {}):
        return Answer(met=False, error=error)
    details = result.result or {}
    if keys:
        failed = tuple(
            tuple(int(row[key]) for key in keys)
            for row in details.get("unexpected_index_list") or ()
        )
        return Answer(met=not failed, failed=failed)
    return Answer(met=bool(result.success), observed=_observed(details))


def _exception(info: Mapping[str, Any]) -> str:
    """The message of the first exception; the library nests them by metric, or does not."""
    nested = [one for one in info.values() if isinstance(one, Mapping)]
    for one in (info, *nested):
        if one.get("raised_exception") or (one is not info and one.get("exception_message")):
            return plain(str(one.get("exception_message") or "it could not be run"), 200)
    return ""


def _observed(details: Mapping[str, Any]) -> str:
    if "unexpected_count" in details:
        count, total = details["unexpected_count"], details.get("element_count", 0)
        if not count:
            return f"all {total:,} values"
        examples = dict.fromkeys(
            plain(str(value), 40) for value in details.get("partial_unexpected_list") or ()
        )
        shown = ", ".join(list(examples)[:5])
        return f"{count:,} of {total:,} values do not" + (f", such as {shown}" if shown else "")
    observed = details.get("observed_value")
    if isinstance(observed, float):
        return f"{observed:.6g}"
    return "" if observed is None else plain(str(observed), 200)
