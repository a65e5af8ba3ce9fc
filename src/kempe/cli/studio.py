"""`kempe studio`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kempe.cli.options import AsJson

if TYPE_CHECKING:
    from kempe.studio.server.launch import Started


def studio(
    file: Annotated[
        Path | None,
        typer.Argument(help="A model file, or a folder; the folder where you are if omitted."),
    ] = None,
    *,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port to listen at; any free one if 0.")
    ] = 0,
    host: Annotated[
        str,
        typer.Option(help="The address to listen at; this machine's alone if omitted."),
    ] = "127.0.0.1",
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open a browser window.")
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Draw, drag and run mechanisms in the browser; Ctrl-C ends it.

    Example: kempe studio four_bar.yaml
    """
    from kempe.studio.server.launch import Launch

    def started(at: "Started") -> None:
        if as_json:
            print(json.dumps({"url": at.url, "folder": str(at.folder)}), flush=True)
            return
        print(f"The studio is at {at.url}", flush=True)
        print("Whoever has this address can use it; Ctrl-C ends it.", flush=True)
        if not at.is_loopback:
            print(
                f"Warning: it listens at {host}, so others in your network can reach it, and what"
                " is sent is not encrypted.",
                flush=True,
            )

    Launch(file, port, host).run(started, browser=browser)
