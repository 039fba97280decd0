"""The description of the API as its page shows it: operations by group, shapes, codes, limits. In English."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from games.api.openapi import description
from games.api.operation import LIMIT, SCOPE
from games.api.problems import problem_kinds

type Text = Sequence[tuple[str, bool]]
"""Parts of a text, each with whether it is code."""

JSON: Final = "application/json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """Something that is sent or answered: a parameter, a field."""

    name: str
    where: str
    kind: str
    required: bool
    words: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One thing that a program can ask."""

    name: str
    method: str
    path: str
    title: str
    paragraphs: Sequence[Text]
    scope: str
    limit: str
    terms: Sequence[Term]
    answers: Sequence[tuple[str, str, str]]
    """Each status with its words and the name of the shape, if it has one."""
    curl: str


@dataclass(frozen=True, slots=True)
class Group:
    """Operations about one thing."""

    name: str
    words: str
    operations: Sequence[Operation]


@dataclass(frozen=True, slots=True)
class Shape:
    """What an answer or a body holds."""

    name: str
    words: Text
    fields: Sequence[Term]


@dataclass(frozen=True, slots=True)
class ApiPage:
    """All that the page shows."""

    groups: Sequence[Group]
    shapes: Sequence[Shape]
    problems: Sequence[tuple[str, int, Text]]
    """Code, status, and what it says."""
    limits: Sequence[tuple[str, Sequence[str]]]
    """Each limit, with the operations that are counted by it."""


@cache
def api_page() -> ApiPage:
    """Return the page of the API, made once: the description stays as it is."""
    made = description()
    operations = [
        (operation["tags"][0], _operation(made, method, path, operation))
        for path, methods in made["paths"].items()
        for method, operation in methods.items()
    ]
    groups = [
        Group(tag["name"], tag["description"], [each for group, each in operations if group == tag["name"]])
        for tag in made["tags"]
    ]
    shapes = made["components"]["schemas"]
    limits: dict[str, list[str]] = {}
    for _group, each in operations:
        limits.setdefault(each.limit, []).append(each.name)
    return ApiPage(
        groups,
        [Shape(name, parts_of(shape.get("description", "")), _fields(shape)) for name, shape in shapes.items()],
        [(kind.code, kind.status, parts_of(kind.words)) for kind in problem_kinds()],
        list(limits.items()),
    )


def parts_of(text: str) -> Text:
    """Return the parts of a text in which code stands between grave accents."""
    return [(part, number % 2 == 1) for number, part in enumerate(" ".join(text.split()).split("`")) if part]


def _operation(made: Mapping[str, Any], method: str, path: str, operation: Mapping[str, Any]) -> Operation:
    body = operation.get("requestBody", {}).get("content", {}).get(JSON, {})
    terms = [_parameter(each) for each in operation.get("parameters", ())]
    if "schema" in body:
        terms += _fields(_resolved(made, body["schema"]), "body")
    example = next((each["value"] for each in body.get("examples", {}).values()), None)
    return Operation(
        name=operation["operationId"],
        method=method.upper(),
        path=path,
        title=operation["summary"],
        paragraphs=[parts_of(part) for part in operation["description"].split("\n\n")],
        scope=operation[SCOPE],
        limit=operation[LIMIT],
        terms=terms,
        answers=[_answer(status, answer) for status, answer in operation["responses"].items()],
        curl=_curl(made["servers"][0]["url"], method, path, example),
    )


def _parameter(parameter: Mapping[str, Any]) -> Term:
    return Term(
        name=parameter["name"],
        where=parameter["in"],
        kind=_kind(parameter["schema"]),
        required=parameter.get("required", False),
        words=parts_of(parameter.get("description", "")),
    )


def _answer(status: str, answer: Mapping[str, Any]) -> tuple[str, str, str]:
    shapes = [_kind(content["schema"]) for content in answer.get("content", {}).values()]
    return status, answer["description"], shapes[0] if shapes and shapes[0] != "string" else ""


def _fields(shape: Mapping[str, Any], where: str = "") -> list[Term]:
    required = shape.get("required", ())
    return [
        Term(
            name=name,
            where=where,
            kind=_kind(field),
            required=name in required,
            words=parts_of(field.get("description", "")),
        )
        for name, field in shape.get("properties", {}).items()
    ]


def _resolved(made: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = made["components"]["schemas"].get(_kind(schema), schema)
    return found


def _kind(schema: Mapping[str, Any]) -> str:
    """Return in a few words what a value is."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    for several in ("allOf", "oneOf", "anyOf"):
        if several in schema:
            return " | ".join(dict.fromkeys(_kind(each) for each in schema[several]))
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    kind = schema.get("type", "any")
    if kind == "array":
        return f"[{_kind(schema['items'])}]"
    return " | ".join(kind) if isinstance(kind, list) else str(kind)


def _curl(site: str, method: str, path: str, example: object) -> str:
    return "\n".join(_lines_of_curl(site, method, path, example))


def _lines_of_curl(site: str, method: str, path: str, example: object) -> Iterator[str]:
    filled = re.sub(r"{(\w+)}", lambda name: f"${name[1].upper()}", path)
    yield f"curl {'' if method == 'get' else f'-X {method.upper()} '}{site}{filled} \\"
    yield f"  -H 'Authorization: Bearer $TOKEN'{'' if example is None else ' \\'}".replace("'", '"')
    if example is not None:
        yield "  -H 'Content-Type: application/json' \\"
        yield f"  -d '{json.dumps(example, ensure_ascii=False)}'"
