"""What a plain word of YAML 1.2 means: `1e-3` is a number, `on` and `yes` are words.

Source: YAML 1.2.2, section 10.3.2 (core schema).
"""

import re

from kempe.files.syntax.json_reader import whole_number

_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_DECIMAL = re.compile(r"[-+]?[0-9]+")
_BASED = re.compile(r"0o[0-7]{1,20}|0x[0-9a-fA-F]{1,16}")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")


def plain_value(text: str) -> bool | int | float | str | None:
    """The value of an unquoted scalar."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "-+.0123456789":
        return text
    if _DECIMAL.fullmatch(text):
        return whole_number(text)
    if _BASED.fullmatch(text):
        return int(text, 0)
    if _FLOAT.fullmatch(text) or _NOT_FINITE.fullmatch(text):
        return float(re.sub(r"\.(?=[inIN])", "", text))
    return text


def is_plain_text(text: str) -> bool:
    """Whether a text may stand in YAML without quotes and still means itself."""
    return bool(_SAFE.fullmatch(text)) and isinstance(plain_value(text), str)


_SAFE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./ +*^()-]*(?<! )")
