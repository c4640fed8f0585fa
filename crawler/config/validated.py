"""Values of a YAML file against the model that they have to fit; every mistake with its line."""

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from crawler.config.document import Document
from crawler.config.document import Path as KeyPath
from crawler.config.problem import Problem
from crawler.config.wording import in_words, models_in

Model = TypeVar("Model", bound=BaseModel)


def validated(
    model: type[Model], values: dict[str, object], document: Document, path: Path
) -> tuple[Model | None, list[Problem]]:
    """The model made of these values, or every problem that they have."""
    try:
        return model.model_validate(values), []
    except ValidationError as error:
        problems = []
        for detail in error.errors(include_url=False):
            key_path, section = _locate(detail, document, model)
            if key_path not in document.refused:
                reason = in_words(detail, section, model)
                line = document.line_of(key_path)
                problems.append(Problem(path, line, dotted(key_path), reason))
        return None, problems


def dotted(path: KeyPath) -> str:
    """A path of keys as people write it: budget.requests."""
    return ".".join(str(step)[:80] for step in path)


def _locate(
    error: ErrorDetails, document: Document, root: type[BaseModel]
) -> tuple[KeyPath, type[BaseModel] | None]:
    """The path of keys that an error is about, and the section that its last key stands in.

    Pydantic's own path also names branches of unions, which nobody wrote.
    """
    path: KeyPath = ()
    section: type[BaseModel] | None = root
    loc = error["loc"]
    for position, step in enumerate(loc):
        known = section is not None and step in section.model_fields
        last = position == len(loc) - 1
        if not known and (*path, step) not in document.lines:
            continue
        path = (*path, step)
        if last or not isinstance(step, str):
            continue
        field = section.model_fields.get(step) if section is not None else None
        if field is not None:  # else it is a key of a mapping of sections, such as a check's name
            section = next(iter(models_in(field.annotation)), None)
    return path, section
