"""Structured output: the JSON schema that constrains a reply to one of several options."""

import re
from typing import Any

from genderscope.core.questions import FIELD, StructuredReply
from genderscope.models.server.transport import RefusedError

#: name of the schema, or of the tool whose input has this schema
NAME = "choice"
#: words with which servers and vendors reject a schema, ignoring case, spaces and punctuation
_WORDS = ("responseformat", "responseschema", "responsemimetype", "jsonschema", "jsonmode", "structuredoutput")
_MORE = ("guideddecoding", "grammar", "toolchoice", "tooluse", "inputschema")


def schema(question: StructuredReply) -> dict[str, Any]:
    """Return the schema of an object with one required field, which is one of the options."""
    return {
        "type": "object",
        "properties": {FIELD: {"type": "string", "enum": list(question.options)}},
        "required": [FIELD],
    }


def response_format(question: StructuredReply) -> dict[str, Any]:
    """Return the field `response_format` of OpenAI's protocol; strict schemas must exclude further fields."""
    strict = schema(question) | {"additionalProperties": False}
    return {"type": "json_schema", "json_schema": {"name": NAME, "strict": True, "schema": strict}}


def names_schema(refusal: RefusedError) -> bool:
    """Return whether a refusal is about the schema rather than about the model, its other options or the text."""
    said = re.sub(r"[^a-z]", "", refusal.message.casefold())
    return refusal.status in (400, 404, 422, 501) and any(word in said for word in (*_WORDS, *_MORE))
