"""The notebooks of the manual as pages: their cells run when it is built, and show themselves.

A file `notebooks/<name>.ipynb` becomes the page `notebooks/<name>.md`, with what its cells end with
below them; the notebook itself lies beside it. Tests run the same files in a kernel of Jupyter.
"""

import ast
import base64
import contextlib
import html
import io
import json
from pathlib import Path
from typing import Any

FOLDER = "notebooks"
PLACE = "<!-- output {} -->"

_outputs: dict[str, list[str]] = {}  # of a page: HTML, in the order of its places


def page_of(path: Path) -> str:
    """The notebook as Markdown, with places for its outputs, which are kept."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    names: dict[str, Any] = {"__name__": "__main__"}
    parts, outputs = [], []
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for output in run(source, names):
            parts.append(PLACE.format(len(outputs)))
            outputs.append(output)
    parts.append(f"[This page as a notebook]({path.name}): `jupyter lab {path.name}`.")
    _outputs[f"{FOLDER}/{path.stem}.md"] = outputs
    return "\n\n".join(parts) + "\n"


def run(source: str, names: dict[str, Any]) -> list[str]:
    """What a cell prints, and what it ends with, as HTML."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    words = printed.getvalue()
    return [*([text(words)] if words else []), *([] if value is None else [shown(value)])]


def shown(value: Any) -> str:
    """A value as a notebook shows it: by its own HTML or picture, or else in words."""
    page = value._repr_html_() if hasattr(value, "_repr_html_") else None
    if page is not None:
        return f'<div class="output">{page}</div>'
    if hasattr(value, "_repr_png_"):
        data, size = value._repr_png_()
        source = f"data:image/png;base64,{base64.b64encode(data).decode()}"
        return f'<img alt="The plot that this cell draws" width="{size["width"]}" src="{source}">'
    return text(repr(value))


def text(words: str) -> str:
    """Words below a cell."""
    return f"<pre><code>{html.escape(words)}</code></pre>"


def on_files(files: Any, *, config: Any) -> Any:
    """What MkDocs calls once: every notebook gets its page."""
    from mkdocs.structure.files import File

    for path in sorted((Path(config["docs_dir"]) / FOLDER).glob("*.ipynb")):
        files.append(File.generated(config, f"{FOLDER}/{path.stem}.md", content=page_of(path)))
    return files


def on_page_content(content: str, *, page: Any, **_: Any) -> str:
    """What MkDocs calls for every page once it is HTML: the outputs take their places."""
    for number, output in enumerate(_outputs.get(page.file.src_uri, [])):
        content = content.replace(PLACE.format(number), output)
    return content
