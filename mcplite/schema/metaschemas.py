"""The metaschemas of 2020-12 and draft-07, as a ``$ref`` may ask for them.

Here: what each keyword must look like, written once per vocabulary, as JSON Schema. Not here: the check that every
schema goes through when it is loaded; that is the shapes in ``keywords`` and ``vocabulary`` (a test compares them).

Pages: json-schema.org/draft/2020-12/schema and meta/*; json-schema.org/draft-07/schema.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict

META_BASE = "https://json-schema.org/draft/2020-12/"


def metaschemas_2020_12() -> Dict[str, Any]:
    """The nine documents of 2020-12, by their URI."""
    meta = {"$dynamicRef": "#meta"}
    metas = {"type": "object", "additionalProperties": meta, "default": {}}
    array = {"$ref": "#/$defs/schemaArray"}
    array_def = {"schemaArray": {"type": "array", "minItems": 1, "items": meta}}
    count, count_0 = {"$ref": "#/$defs/nonNegativeInteger"}, {"$ref": "#/$defs/nonNegativeIntegerDefault0"}
    names = {"$ref": "#/$defs/stringArray"}
    text, number, flag = {"type": "string"}, {"type": "number"}, {"type": "boolean"}
    uri_reference, anchor = {"$ref": "#/$defs/uriReferenceString"}, {"$ref": "#/$defs/anchorString"}
    documents: Dict[str, Any] = {}

    def vocabulary(name: str, properties: Any, defs: Any) -> None:
        document = {"$schema": META_BASE + "schema", "$id": META_BASE + "meta/" + name, "$dynamicAnchor": "meta",
                    "type": ["object", "boolean"], "properties": properties}
        if defs:
            document["$defs"] = defs
        documents[META_BASE + "meta/" + name] = document

    vocabulary("core", {
        "$id": dict(uri_reference, pattern="^[^#]*#?$"), "$schema": {"$ref": "#/$defs/uriString"},
        "$ref": uri_reference, "$anchor": anchor, "$dynamicRef": uri_reference, "$dynamicAnchor": anchor,
        "$vocabulary": {"type": "object", "propertyNames": {"$ref": "#/$defs/uriString"}, "additionalProperties": flag},
        "$comment": text, "$defs": {"type": "object", "additionalProperties": meta},
    }, {"anchorString": {"type": "string", "pattern": "^[A-Za-z_][-A-Za-z0-9._]*$"},
        "uriString": {"type": "string", "format": "uri"},
        "uriReferenceString": {"type": "string", "format": "uri-reference"}})
    vocabulary("applicator", {
        "prefixItems": array, "items": meta, "contains": meta, "additionalProperties": meta, "properties": metas,
        "patternProperties": dict(metas, propertyNames={"format": "regex"}), "dependentSchemas": metas,
        "propertyNames": meta, "if": meta, "then": meta, "else": meta, "allOf": array, "anyOf": array, "oneOf": array,
        "not": meta,
    }, array_def)
    vocabulary("unevaluated", {"unevaluatedItems": meta, "unevaluatedProperties": meta}, None)
    vocabulary("validation", {
        "type": {"anyOf": [{"$ref": "#/$defs/simpleTypes"},
                           {"type": "array", "items": {"$ref": "#/$defs/simpleTypes"}, "minItems": 1,
                            "uniqueItems": True}]},
        "const": True, "enum": {"type": "array", "items": True},
        "multipleOf": {"type": "number", "exclusiveMinimum": 0}, "maximum": number, "exclusiveMaximum": number,
        "minimum": number, "exclusiveMinimum": number, "maxLength": count, "minLength": count_0,
        "pattern": {"type": "string", "format": "regex"}, "maxItems": count, "minItems": count_0,
        "uniqueItems": {"type": "boolean", "default": False}, "maxContains": count,
        "minContains": dict(count, default=1), "maxProperties": count, "minProperties": count_0, "required": names,
        "dependentRequired": {"type": "object", "additionalProperties": names},
    }, {"nonNegativeInteger": {"type": "integer", "minimum": 0}, "nonNegativeIntegerDefault0": dict(count, default=0),
        "simpleTypes": {"enum": ["array", "boolean", "integer", "null", "number", "object", "string"]},
        "stringArray": {"type": "array", "items": text, "uniqueItems": True, "default": []}})
    vocabulary("meta-data", {"title": text, "description": text, "default": True, "deprecated": flag, "readOnly": flag,
                             "writeOnly": flag, "examples": {"type": "array", "items": True}}, None)
    vocabulary("format-annotation", {"format": text}, None)
    vocabulary("format-assertion", {"format": text}, None)
    vocabulary("content", {"contentEncoding": text, "contentMediaType": text, "contentSchema": meta}, None)
    parts = ("core", "applicator", "unevaluated", "validation", "meta-data", "format-annotation", "content")
    documents[META_BASE + "schema"] = {
        "$schema": META_BASE + "schema", "$id": META_BASE + "schema", "$dynamicAnchor": "meta",
        "$vocabulary": {META_BASE + "vocab/" + part: True for part in parts},
        "allOf": [{"$ref": "meta/" + part} for part in parts], "type": ["object", "boolean"],
        "properties": {     # of earlier drafts, still described
            "definitions": metas,
            "dependencies": {"type": "object", "default": {}, "additionalProperties": {
                "anyOf": [meta, {"$ref": "meta/validation#/$defs/stringArray"}]}},
            "$recursiveAnchor": {"$ref": "meta/core#/$defs/anchorString"},
            "$recursiveRef": {"$ref": "meta/core#/$defs/uriReferenceString"},
        },
    }
    return documents


def metaschema_07() -> Dict[str, Any]:
    """The one document of draft-07."""
    meta: Dict[str, Any] = {"$ref": "#"}
    array, names = {"$ref": "#/definitions/schemaArray"}, {"$ref": "#/definitions/stringArray"}
    metas = {"type": "object", "additionalProperties": meta, "default": {}}
    count = {"$ref": "#/definitions/nonNegativeInteger"}
    count_0 = {"$ref": "#/definitions/nonNegativeIntegerDefault0"}
    text, number, flag = {"type": "string"}, {"type": "number"}, {"type": "boolean", "default": False}
    uri = "http://json-schema.org/draft-07/schema#"
    return {
        "$schema": uri, "$id": uri, "type": ["object", "boolean"], "default": True,
        "definitions": {
            "schemaArray": {"type": "array", "minItems": 1, "items": meta},
            "nonNegativeInteger": {"type": "integer", "minimum": 0},
            "nonNegativeIntegerDefault0": {"allOf": [count, {"default": 0}]},
            "simpleTypes": {"enum": ["array", "boolean", "integer", "null", "number", "object", "string"]},
            "stringArray": {"type": "array", "items": text, "uniqueItems": True, "default": []}},
        "properties": {
            "$id": dict(text, format="uri-reference"), "$schema": dict(text, format="uri"),
            "$ref": dict(text, format="uri-reference"), "$comment": text, "title": text, "description": text,
            "default": True, "readOnly": flag, "writeOnly": flag, "examples": {"type": "array", "items": True},
            "multipleOf": {"type": "number", "exclusiveMinimum": 0}, "maximum": number, "exclusiveMaximum": number,
            "minimum": number, "exclusiveMinimum": number, "maxLength": count, "minLength": count_0,
            "pattern": dict(text, format="regex"), "additionalItems": meta,
            "items": {"anyOf": [meta, array], "default": True}, "maxItems": count, "minItems": count_0,
            "uniqueItems": flag, "contains": meta, "maxProperties": count, "minProperties": count_0, "required": names,
            "additionalProperties": meta, "definitions": metas, "properties": metas,
            "patternProperties": dict(metas, propertyNames={"format": "regex"}),
            "dependencies": {"type": "object", "additionalProperties": {"anyOf": [meta, names]}},
            "propertyNames": meta, "const": True, "enum": {"type": "array", "items": True},
            "type": {"anyOf": [{"$ref": "#/definitions/simpleTypes"},
                               {"type": "array", "items": {"$ref": "#/definitions/simpleTypes"}, "minItems": 1,
                                "uniqueItems": True}]},
            "format": text, "contentMediaType": text, "contentEncoding": text, "if": meta, "then": meta, "else": meta,
            "allOf": array, "anyOf": array, "oneOf": array, "not": meta},
    }


METASCHEMAS = dict(metaschemas_2020_12(), **{"http://json-schema.org/draft-07/schema": metaschema_07()})
