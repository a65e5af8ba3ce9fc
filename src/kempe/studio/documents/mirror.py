"""The YAML of a document that was changed: what its author wrote stays, comments and order too."""

import io
from typing import Any

from kempe.files.syntax.text import WRITERS

LONGEST_LINE = 70  # characters of a mapping or list that stands on one line
LARGEST_MIRRORED = 60_000  # characters: a larger text is written anew, without its comments


def text_of(data: dict[str, Any]) -> str:
    """Data as YAML."""
    return WRITERS[".yaml"](data)


def mirrored(text: str, before: dict[str, Any], after: dict[str, Any]) -> str:
    """The text of the data `after`, made from the text of the data `before`.

    Comments are kept where what they stand beside is. A text without any is written anew.
    """
    if before == after:
        return text
    if "#" not in text or len(text) > LARGEST_MIRRORED:
        return text_of(after)
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    yaml = YAML(typ="rt")
    yaml.width = 96
    yaml.preserve_quotes = True
    try:
        tree = yaml.load(text)
        if not isinstance(tree, dict):
            return text_of(after)
        _renew(tree, before, after)
        written = io.StringIO()
        yaml.dump(tree, written)
    except YAMLError:
        return text_of(after)
    return written.getvalue()


def _renew(tree: Any, before: dict[str, Any], after: dict[str, Any]) -> None:
    """Change what differs in a tree that knows its comments."""
    for key in [key for key in before if key not in after]:
        tree.pop(key, None)
    order = list(after)
    for place, (key, value) in enumerate(after.items()):
        old = before.get(key)
        if key not in tree:
            position = min(place, len(tree)) if order[:place] == list(tree)[:place] else len(tree)
            tree.insert(position, key, _short(value))
        elif isinstance(value, dict) and isinstance(old, dict) and isinstance(tree[key], dict):
            _renew(tree[key], old, value)
        elif value != old or type(value) is not type(old):
            tree[key] = _short(value)


def _short(value: Any) -> Any:
    """A mapping or list of plain values stands on one line, as a person would write it."""
    from ruamel.yaml.comments import CommentedMap, CommentedSeq

    if not isinstance(value, (dict, list)):
        return value
    made: Any = CommentedMap() if isinstance(value, dict) else CommentedSeq()
    if isinstance(value, dict):
        for key, entry in value.items():
            made[key] = _short(entry)
    else:
        made.extend(_short(entry) for entry in value)
    if len(str(value)) <= LONGEST_LINE:
        made.fa.set_flow_style()
    return made
