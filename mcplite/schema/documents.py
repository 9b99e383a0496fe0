"""Schemas of several documents: ``$id``, anchors, ``$dynamicRef``, dialects that change inside.

Here: the tree of a schema that is not everyday: which resource each part is in, which keywords are in force there, what a
reference out of it means. Not here: fetching (never), the keywords (``vocabulary``), the metaschemas (``metaschemas``).

Pages: json-schema.org/draft/2020-12 core 7-9; draft-07; RFC 3986 section 5.2.

1. The dynamic scope is resolved while compiling: a subschema is compiled once for each scope it can be reached in
   (``FullTree.node``), so that judging is the plain ``test(value)`` as everywhere, and $dynamicRef costs nothing.
2. Of the dynamic scope only resources with a ``$dynamicAnchor`` matter, and for each name only the outermost.
"""
from __future__ import annotations

from .keywords import shape_string
from .references import step_pointer
from .tree import (
    DIALECT_07,
    DIALECT_2020_12,
    MAX_SCHEMA_DEPTH,
    MAX_SCHEMA_NODES,
    SchemaError,
    SchemaNode,
    SchemaTree,
    is_boolean,
    refuse_schema,
    refuse_without,
    remembered,
    step_trail,
)
from .vocabulary import VOCABULARIES, WHOLE, WHOLE_07, shape_vocabulary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Set, Tuple

    from .tree import Keywords, Trail

MAX_COMPILED_NODES = 2 * MAX_SCHEMA_NODES
VOCABULARY = "https://json-schema.org/draft/2020-12/vocab/"


# -- URIs ----------------------------------------------------------------------------------------------------------

def split_uri(uri: str) -> Tuple[str, Optional[str], str, Optional[str], Optional[str]]:
    """scheme, authority, path, query, fragment; None is absent, as RFC 3986 appendix B tells them apart."""
    rest, mark, fragment = uri.partition("#")
    maybe_fragment = fragment if mark else None
    rest, mark, query = rest.partition("?")
    maybe_query = query if mark else None
    scheme, mark, after = rest.partition(":")
    if mark and scheme and "/" not in scheme:
        rest = after
    else:
        scheme = ""
    if rest.startswith("//"):
        authority, slash, path = rest[2:].partition("/")
        return scheme, authority, slash + path, maybe_query, maybe_fragment
    return scheme, None, rest, maybe_query, maybe_fragment


def join_uri(base: str, uri: str) -> str:
    """A reference resolved against a base, without its fragment (RFC 3986, 5.2.2)."""
    scheme, authority, path, query, _ = split_uri(uri)
    if not scheme:
        scheme, base_authority, base_path, base_query, _ = split_uri(base)
        if authority is None:
            authority = base_authority
            if not path:
                path, query = base_path, base_query if query is None else query
            elif not path.startswith("/"):
                path = base_path[:base_path.rfind("/") + 1] + path
                if authority is not None and not path.startswith("/"):
                    path = "/" + path
    path = remove_dots(path)
    return ((scheme + ":" if scheme else "") + ("" if authority is None else "//" + authority) + path
            + ("" if query is None else "?" + query))


def remove_dots(path: str) -> str:
    if "." not in path:
        return path
    kept: List[str] = []
    parts = path.split("/")
    for part in parts:
        if part == "..":
            if kept:
                kept.pop()
        elif part != ".":
            kept.append(part)
    if parts[-1] in (".", ".."):
        kept.append("")
    if path.startswith("/") and (not kept or kept[0] != ""):
        kept.insert(0, "")
    return "/".join(kept)


def unquote_fragment(fragment: str) -> str:
    if "%" not in fragment:
        return fragment
    from urllib.parse import unquote
    return unquote(fragment)


def copy_schema(value: Any, depth: int, left: List[int]) -> Any:
    """A copy in which every part is an object of its own: parts are told apart by ``id``."""
    left[0] -= 1
    if depth > 2 * MAX_SCHEMA_DEPTH or left[0] < 0:
        raise SchemaError("", "nested too deeply" if left[0] >= 0 else "too large")
    if isinstance(value, dict):
        return {name: copy_schema(item, depth + 1, left) for name, item in value.items()}
    if isinstance(value, list):
        return [copy_schema(item, depth + 1, left) for item in value]
    return value


# -- dialects ------------------------------------------------------------------------------------------------------

class SchemaDialect:
    """Which keywords are in force."""

    def __init__(self, keywords: Keywords, draft_07: bool = False, formats: bool = False) -> None:
        self.keywords, self.draft_07, self.formats = keywords, draft_07, formats


FULL_DIALECTS = {DIALECT_2020_12: SchemaDialect(WHOLE), DIALECT_07: SchemaDialect(WHOLE_07, draft_07=True)}


def dialect_of_vocabulary(vocabulary: Any, trail: Trail) -> SchemaDialect:
    """The dialect that a metaschema's ``$vocabulary`` declares."""
    left_out: Set[str] = set()
    for name, keywords in VOCABULARIES.items():
        if VOCABULARY + name not in vocabulary:
            left_out.update(keywords)
    for uri, needed in vocabulary.items():
        if needed and (not uri.startswith(VOCABULARY) or uri[len(VOCABULARY):] not in VOCABULARIES):
            refuse_schema(trail, 'needs the vocabulary "%s", which is not known here' % uri)
    return SchemaDialect({name: row for name, row in WHOLE.items() if name not in left_out},
                         formats=VOCABULARY + "format-assertion" in vocabulary)


class SchemaResource:
    """A schema with a URI of its own, and the names it gives to places inside."""
    __slots__ = ("uri", "root", "dialect", "anchors", "dynamic")

    def __init__(self, uri: str, root: Any, dialect: SchemaDialect) -> None:
        self.uri, self.root, self.dialect = uri, root, dialect
        self.anchors: Dict[str, Any] = {}
        self.dynamic: Dict[str, Any] = {}


# -- the tree ------------------------------------------------------------------------------------------------------

class FullTree(SchemaTree):
    """A schema of any kind, with the documents it may refer to."""

    def __init__(self, schema: Any, documents: Dict[str, Any], formats: bool) -> None:
        super().__init__(copy_schema(schema, 0, [20 * MAX_SCHEMA_NODES]), {DIALECT_2020_12: WHOLE})
        self.formats = formats
        if not all(isinstance(uri, str) for uri in documents):
            raise SchemaError("", "documents must be an object of schemas by their URIs")
        self.documents = {uri.partition("#")[0]: document for uri, document in documents.items()}
        self.resources: Dict[str, SchemaResource] = {}
        self.home: Dict[int, SchemaResource] = {}       # id of a subschema: the resource it is part of
        self.scope: Tuple[SchemaResource, ...] = ()
        self.kept: List[Any] = []                       # keeps every id in use
        self.default_dialect = FULL_DIALECTS[DIALECT_2020_12]
        self.resource: SchemaResource = SchemaResource("", self.root, self.default_dialect)

    def check_all(self) -> None:
        """Refuse the schema, and what it refers to, unless all of it is right; then compile it."""
        if isinstance(self.root, dict) and "$schema" in self.root:
            self.default_dialect = self.find_dialect(self.root["$schema"], (None, "$schema", 1))
        self.resource = self.add_document("", self.root)
        for uri, trail, resource in self.refs:         # grows while documents are added
            self.resource = resource
            self.resolve(uri, trail)
        self.compile_all()

    def add_document(self, uri: str, schema: Any) -> SchemaResource:
        """Walk a document: find its resources and anchors, check every keyword."""
        self.resource = SchemaResource(uri, schema, self.default_dialect)
        self.resources[uri] = self.resource
        self.kept.append(schema)
        self.check(schema, None)
        return self.home.get(id(schema), self.resource)

    def find_dialect(self, uri: Any, trail: Trail) -> SchemaDialect:
        if not isinstance(uri, str):
            refuse_schema(trail, "must be a string")
        uri = uri[:-1] if uri.endswith("#") else uri
        dialect = FULL_DIALECTS.get(uri)
        if dialect is None:
            metaschema = self.documents.get(uri)
            if not isinstance(metaschema, dict):
                refuse_schema(trail, 'the dialect "%s" is not supported; 2020-12 and draft-07 are' % uri)
            base = metaschema.get("$schema", DIALECT_2020_12)
            vocabulary = metaschema.get("$vocabulary")
            if base in (uri, uri + "#"):
                refuse_schema(trail, 'the dialect "%s" describes itself; it must build on 2020-12 or draft-07' % uri)
            dialect = self.find_dialect(base, trail)
            if vocabulary is not None and not dialect.draft_07:
                shape_vocabulary(self, vocabulary, trail)
                dialect = dialect_of_vocabulary(vocabulary, trail)
        return dialect

    def check(self, schema: Any, trail: Trail) -> None:
        if not isinstance(schema, dict):
            super().check(schema, trail)
            return
        outer = self.resource, self.keywords
        dialect = self.resource.dialect
        if "$schema" in schema:
            dialect = self.find_dialect(schema["$schema"], step_trail(trail, "$schema"))
        self.enter(schema, dialect, trail)
        self.home[id(schema)] = self.resource
        self.keywords = dialect.keywords
        super().check(schema, trail)
        self.resource, self.keywords = outer

    def enter(self, schema: Any, dialect: SchemaDialect, trail: Trail) -> None:
        """Find the resource a subschema belongs to, its own if it has an ``$id``, and note its anchors."""
        if dialect is not self.resource.dialect:
            fresh = SchemaResource(self.resource.uri, self.resource.root, dialect)
            fresh.anchors, fresh.dynamic = self.resource.anchors, self.resource.dynamic
            if self.resource.root is schema:
                self.resources[self.resource.uri] = fresh
            self.resource = fresh
        if "$id" in schema and not (dialect.draft_07 and "$ref" in schema):
            own = schema["$id"]
            shape_string(self, own, step_trail(trail, "$id"))
            plain, _, fragment = own.partition("#")
            if fragment and not dialect.draft_07:
                refuse_schema(step_trail(trail, "$id"), "must not have a fragment; write $anchor")
            if plain or not fragment:
                uri = join_uri(self.resource.uri, own)
                known = self.resources.get(uri)
                if known is not None and known.root is not schema:
                    refuse_schema(step_trail(trail, "$id"), 'two schemas have the URI "%s"' % uri)
                self.resource = self.resources[uri] = SchemaResource(uri, schema, dialect)
            if fragment:
                self.name(fragment, schema, self.resource.anchors, step_trail(trail, "$id"))
        if not dialect.draft_07:
            for keyword in ("$anchor", "$dynamicAnchor"):
                if keyword in schema:
                    here = step_trail(trail, keyword)
                    name = schema[keyword]
                    shape_string(self, name, here)
                    if not name[:1].replace("_", "a").isalpha() or not name.isascii() \
                            or not name.replace("-", "").replace(".", "").replace("_", "a").isalnum():
                        refuse_schema(here, "must be a letter or _, then letters, digits, -, _ or .")
                    self.name(name, schema, self.resource.anchors, here)
                    if keyword == "$dynamicAnchor":
                        self.resource.dynamic[name] = schema

    def name(self, name: str, schema: Any, names: Dict[str, Any], trail: Trail) -> None:
        if names.setdefault(name, schema) is not schema:
            refuse_schema(trail, 'two places have the name "%s"' % name)

    def find_resource(self, uri: str, trail: Trail) -> SchemaResource:
        """The resource of an absolute URI without fragment: from this schema, the documents, or the metaschemas."""
        found = self.resources.get(uri)
        if found is None and uri in self.documents:
            found = self.load(uri, self.documents[uri])
        if found is None and uri.startswith(("https://json-schema.org/draft/2020-12/", "http://json-schema.org/draft-07/")):
            try:
                from .metaschemas import METASCHEMAS
            except ImportError:
                refuse_without("metaschemas", uri, trail)
            if uri in METASCHEMAS:
                found = self.load(uri, METASCHEMAS[uri])
        if found is None:                   # a document may hold it under an $id of its own
            for other, document in self.documents.items():
                if other not in self.resources:
                    try:
                        self.load(other, document)
                    except SchemaError:     # wrong, but nobody has asked for it
                        continue
                    if uri in self.resources:
                        return self.resources[uri]
            refuse_schema(trail, '"%s" is not known here and never fetched; hand it over in documents' % uri)
        return found

    def load(self, uri: str, document: Any) -> SchemaResource:
        outer = self.resource, self.keywords
        try:
            self.resources[uri] = self.add_document(uri, copy_schema(document, 0, [20 * MAX_SCHEMA_NODES]))
        except SchemaError as error:
            raise SchemaError(error.path, 'in the document "%s": %s' % (uri, error.reason)) from None
        finally:
            self.resource, self.keywords = outer
        return self.resources[uri]

    def resolve(self, uri: str, trail: Trail) -> Any:
        """The schema that a reference in the current resource means."""
        _, mark, fragment = uri.partition("#")
        absolute = join_uri(self.resource.uri, uri)
        resource = self.resource if absolute == self.resource.uri else self.find_resource(absolute, trail)
        if not fragment:
            return resource.root
        if not fragment.startswith("/"):
            name = unquote_fragment(fragment)
            if name not in resource.anchors:
                refuse_schema(trail, '"%s" leads nowhere: there is no anchor "%s"' % (uri, name))
            return resource.anchors[name]
        target = resource.root
        for token in fragment[1:].split("/"):
            resource = self.home.get(id(target), resource)
            try:
                target = step_pointer(target, token)
            except LookupError:
                refuse_schema(trail, '"%s" leads nowhere in this schema' % uri)
        if isinstance(target, dict) and id(target) in self.home:
            return target
        outer, self.resource = self.resource, resource      # a place where no schema was expected: check it now
        self.check(target, trail)
        self.resource = outer
        return target

    def resolve_dynamic(self, uri: str) -> Any:
        """The same for a ``$dynamicRef``: the outermost schema in scope with that ``$dynamicAnchor``."""
        target = self.resolve(uri, None)
        name = unquote_fragment(uri.partition("#")[2])
        home = self.home.get(id(target))
        if name and home is not None and home.dynamic.get(name) is target:
            for resource in self.scope:
                if name in resource.dynamic:
                    return resource.dynamic[name]
        return target

    def node(self, schema: Any) -> SchemaNode:
        resource = self.home.get(id(schema), self.resource)
        scope = self.scope
        if resource.dynamic:        # only the outermost of each name counts: what adds none changes nothing
            known = {name for outer_resource in scope for name in outer_resource.dynamic}
            if not known.issuperset(resource.dynamic):
                scope += (resource,)
        key = schema if is_boolean(schema) else (id(schema), scope)
        found = self.nodes.get(key)
        if found is None:
            found = self.nodes[key] = SchemaNode(schema, self)
            if len(self.nodes) > MAX_COMPILED_NODES:
                raise SchemaError("", "too many subschemas, each counted once for every $dynamicAnchor it can see")
            outer = self.scope, self.resource, self.keywords, self.draft_07
            dialect = resource.dialect
            self.scope, self.resource = scope, resource
            self.keywords, self.draft_07 = dialect.keywords, dialect.draft_07
            self.compile(found)
            self.scope, self.resource, self.keywords, self.draft_07 = outer
            if isinstance(schema, dict) and ("unevaluatedProperties" in schema or "unevaluatedItems" in schema):
                inner = SchemaNode(schema)          # may be asked many times about one value: by each level above
                inner.test = found.test
                found.test = remembered(self, inner)
        return found


def new_full_tree(schema: Any, documents: Dict[str, Any], formats: bool) -> FullTree:
    tree = FullTree(schema, documents, formats)
    tree.check_all()
    return tree
