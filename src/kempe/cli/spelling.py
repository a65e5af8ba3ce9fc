"""Advice as the command line spells it: `through="momentum"` of Python is `--through momentum`."""

import re

# Keywords of Python whose option is called alike, or as given.
OPTIONS = {"through": "--through", "seek": "--seek", "free": "--free", "sampling": "--sampling"}
OPTIONS |= {"executor": "--executor", "held": "--held", "limits": "--limit"}
WORD = r"""(?P<quote>["'])(?P<word>[^"'\\]*)(?P=quote)"""
PAIR = r"""\{'(?P<name>[^']+)': '(?P<value>[^']+)'\}"""
RANGE = r"""\{'(?P<of>[^']+)': \((?P<low>[^,']+), '(?P<high>[^']+)'\)\}"""
ADVICE = re.compile(rf"\b(?P<key>{'|'.join(OPTIONS)})=(?:{WORD}|{PAIR}|{RANGE})")


def as_options(text: str) -> str:
    """Advice that names keywords of Python, with the options of a command in their place."""
    return ADVICE.sub(_option, text).replace("resume=True (--resume)", "--resume")


def _option(found: re.Match[str]) -> str:
    """One keyword with its value, quoted where a shell needs that."""
    if found["name"]:
        value = f"{found['name']}={found['value']}"
    elif found["of"]:
        value = f"{found['of']}={found['low']}..{found['high']}"
    else:
        value = found["word"]
    shown = f'"{value}"' if " " in value else value
    return f"{OPTIONS[found['key']]} {shown}"
