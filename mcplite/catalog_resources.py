"""Resources and resource templates: the checks at registration, and which one reads a URI.

Here: ``add_resource``, ``find_resource``. Not here: reading (``handlers``), templates themselves (``uritemplate``).

Page: server/resources.
"""
from .catalog import (
    ResourceEntry,
    check_cache_scope,
    check_icons,
    check_members,
    check_no_more,
    check_ttl_ms,
    describe,
    find_name,
    new_wire,
    read_signature,
)
from .errors import RegistrationError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Tuple, TypedDict

    from .catalog import Catalog
    from .signature import Signature
    from .uritemplate import UriTemplate

    class ResourceOptions(TypedDict, total=False):
        """What ``Server.resource`` takes beside the URI."""

        name: "Optional[str]"
        title: "Optional[str]"
        description: "Optional[str]"
        mime_type: "Optional[str]"
        annotations: "Optional[Dict[str, Any]]"
        size: "Optional[int]"
        icons: "Optional[List[Dict[str, Any]]]"
        meta: "Optional[Dict[str, Any]]"
        ttl_ms: "Optional[int]"
        cache_scope: "Optional[str]"


def add_resource(catalog: "Catalog", function: "Callable[..., Any]", uri: str, options: "ResourceOptions") -> "ResourceEntry":
    """Check a resource or a template and register it."""
    rest = options.copy()
    name, title, description = rest.pop("name", None), rest.pop("title", None), rest.pop("description", None)
    mime_type, annotations, size = rest.pop("mime_type", None), rest.pop("annotations", None), rest.pop("size", None)
    icons, meta = rest.pop("icons", None), rest.pop("meta", None)
    ttl_ms, cache_scope = rest.pop("ttl_ms", None), rest.pop("cache_scope", None)
    check_no_more("Server.resource", rest)
    check_resource_uri(uri)
    is_template, label = "{" in uri, "resource %r" % uri
    if size is not None and (size.__class__ is not int or size < 0 or is_template):
        raise RegistrationError("%s: size must be a number of bytes, and a template has none" % label)
    check_members(label, options)
    name, annotations, icons = find_name(function, name), check_annotations_of(annotations, label), check_icons(icons, label)
    entry = ResourceEntry({}, function)
    entry.cache = (check_ttl_ms(ttl_ms, label), check_cache_scope(cache_scope, label))
    if is_template:
        entry.template = parse_template(uri, label)

    def read(signature: "Signature") -> None:
        check_variables(entry.template, signature, label)
        entry.wire = new_wire({
            "uriTemplate" if is_template else "uri": uri, "name": name, "title": title,
            "description": describe(description, signature), "mimeType": mime_type, "annotations": annotations, "size": size,
            "icons": icons, "_meta": meta})

    read_signature(entry, "resource", read)
    catalog.add(catalog.templates if is_template else catalog.resources, uri, entry, "resource")
    catalog.declared["resources"] = True
    return entry


def find_resource(catalog: "Catalog", uri: str) -> "Tuple[Optional[ResourceEntry], Dict[str, str]]":
    """Return the entry that reads ``uri`` and its variables: an exact URI before templates, these in order of registration."""
    entry = catalog.resources.get(uri)
    if entry is not None:
        return entry, {}
    for candidate in catalog.templates.values():
        values = candidate.template.match(uri)  # type: ignore[union-attr]
        if values is not None:
            return candidate, values
    return None, {}


def check_variables(template: "Optional[UriTemplate]", signature: "Signature", label: str) -> None:
    """Each variable of the template needs a parameter, each parameter without default a variable."""
    required = signature.input_schema.get("required", ())
    if template is None:
        if required:
            raise RegistrationError("%s: its function has the parameter %r, but the URI has no variable to fill it"
                                    % (label, required[0]))
        return
    for variable in template.variables:
        if variable not in signature.input_schema["properties"] and not signature.input_schema.get("additionalProperties"):
            raise RegistrationError("%s: the variable %r is no parameter of its function" % (label, variable))
    for parameter in required:
        if parameter not in template.variables:
            raise RegistrationError("%s: the parameter %r is no variable of the template" % (label, parameter))


def check_resource_uri(uri: "Any") -> None:
    """An absolute URI, or a template of one (RFC 3986, section 3; RFC 6570)."""
    from .uritemplate import UriError, check_uri

    try:
        check_uri(uri.split("{", 1)[0] + "x" if uri.__class__ is str and "{" in uri else uri)
    except UriError as error:
        raise RegistrationError("resource %r: %s" % (uri, error)) from None


def parse_template(uri: str, label: str) -> "UriTemplate":
    from .uritemplate import UriError, UriTemplate

    try:
        return UriTemplate(uri)
    except UriError as error:
        raise RegistrationError("%s: %s" % (label, error)) from None


def check_annotations_of(annotations: "Any", label: str) -> "Optional[Dict[str, Any]]":
    if annotations is None:
        return None
    from .content import check_annotations

    try:
        return check_annotations(annotations)
    except (TypeError, ValueError) as error:
        raise RegistrationError("%s: %s" % (label, error)) from None
