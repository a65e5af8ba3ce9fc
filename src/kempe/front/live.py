"""A mechanism that is seen while a program moves it, in a notebook or a browser window."""

import asyncio
import contextlib
import json
import math
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self, final

from kempe.draw.formats.live_page import PAGE, live_module, live_script, live_style
from kempe.errors import KempeError
from kempe.extras import extra
from kempe.front.hand import Hand
from kempe.front.mechanism import Mechanism
from kempe.front.trajectory import Trajectory
from kempe.kinematics.check.assembly import still
from kempe.notebook import is_in_notebook
from kempe.outcome import DONE, Outcome
from kempe.pictures.animation import standing
from kempe.pictures.stage import Stage, named_points

Number = float | str
Told = dict[str, Any]
FRAME = 1.0 / 60.0  # s: pictures are drawn no closer together
SECONDS, SAMPLES = 1.0, 24  # of the motion that the picture has room for
SPREAD = 2.0  # of a slider of a parameter: from 1/2 of its value to twice as much
STARTING = 30.0  # s until the page's server listens


@final
class LiveView:
    """What `Mechanism.live` gives: `set` moves the mechanism, `draw` shows where it stands.

    The page has sliders for drives and parameters, and its points can be dragged, in space along
    the screen; what is done there moves the same mechanism.

    Example:
        >>> import kempe
        >>> with kempe.gallery.four_bar().live(show="nowhere") as view:
        ...     outcome = view.set({"crank.angle": "60 deg"})
        ...     view.draw()
        >>> outcome.name
        'Done'
    """

    def __init__(self, mechanism: Mechanism, *, show: str = "auto") -> None:
        shows = {"auto", "browser", "notebook", "address", "nowhere"}
        if show not in shows:
            raise KempeError(f"`show` is one of {', '.join(sorted(shows))}, not {show!r}.")
        self._lock = threading.RLock()
        self._hand = Hand(mechanism)
        self._stage = _stage_of(mechanism)
        self._tell: Callable[[Told], None] | None = None
        self._close: Callable[[], None] = lambda: None
        self._drawn = 0.0
        self._show = show
        self.url = ""

    # -- for the program ---------------------------------------------------------------------

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism as it is now, with the parameters that were set."""
        return self._hand.mechanism

    @property
    def is_in_space(self) -> bool:
        """Whether bodies move in space, and not in one plane."""
        return not self.mechanism.model.plane

    @property
    def values(self) -> dict[str, float]:
        """What the driven measures read, m or rad: also after somebody has dragged a point."""
        with self._lock:
            return self._hand.values

    def set(self, values: Mapping[str, Number]) -> Outcome:
        """Set driven measures, or parameters, to `values` by name; the outcome says how far it got.

        Measures are in m and rad, or text with a unit; parameters in the unit they were given in.
        """
        with self._lock:
            parameters = self.mechanism.parameters
            changed = {name: value for name, value in values.items() if name in parameters}
            if changed:
                self._change(changed)
            rest = {name: value for name, value in values.items() if name not in changed}
            return self._hand.drive(rest).outcome if rest or not changed else DONE

    def drag(self, point: str, target: tuple[Number, ...]) -> Outcome:
        """Pull the point named `point` towards `target`, a place in the world (m)."""
        with self._lock:
            return self._hand.drag(point, target).outcome

    def draw(self) -> None:
        """Show where it stands; at most 60 times a second, so that a loop runs at that pace."""
        wait = self._drawn + FRAME - time.monotonic()
        if wait > 0.0:
            time.sleep(wait)
        self._drawn = time.monotonic()
        if self._tell is not None:
            with self._lock:
                self._tell(self._standing())

    def __enter__(self) -> Self:
        is_notebook = self._show == "notebook" or (self._show == "auto" and is_in_notebook())
        if is_notebook:
            self._tell = _widget(self)
        elif self._show != "nowhere":
            self._serve()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        mistake: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close()
        self._tell = None

    def wait(self) -> None:
        """Let whoever looks at the page play with it, until Ctrl-C."""
        with contextlib.suppress(KeyboardInterrupt):
            while True:
                time.sleep(0.2)

    # -- for the page ------------------------------------------------------------------------

    def _change(self, parameters: Mapping[str, Number]) -> None:
        """Other parameters; it stays as near as it can to where it stands."""
        changed = self.mechanism.with_parameters(parameters)
        hand, poses = Hand(changed), self._hand.poses
        for values in (self._hand.values, {}):  # where it is driven to, as long as that is possible
            with contextlib.suppress(KempeError):
                hand.put(changed.assemble(poses, values=values).q[: changed.layout.n_q])
                break
        self._hand, self._stage = hand, _stage_of(changed)
        if self._tell is not None:
            self._tell(self.beginning())

    def beginning(self) -> Told:
        """The scene, the points, the sliders, and where it stands."""
        with self._lock:
            scene = self._stage.scene.document()
            points = named_points(self.mechanism.model)
            return {"scene": scene, "points": points, "sliders": self._sliders()} | self._standing()

    def _standing(self) -> Told:
        return {"poses": self._stage.poses(self._hand.q), "values": self._hand.values}

    def _sliders(self) -> list[Told]:
        found = []
        size, values = self.mechanism.layout.size, self._hand.values
        for drive in self.mechanism.model.drives:
            name, unit = drive.gauge.name, drive.gauge.unit
            half = math.pi if unit == "rad" else size
            value = values[name]
            low, high = value - half, value + half
            one = {"kind": "set", "name": name, "unit": unit, "value": value}
            found.append(one | {"low": low, "high": high})
        for name, given in self.mechanism.parameters.items():
            if isinstance(given, (int, float)) and not isinstance(given, bool) and given:
                ends = sorted((given / SPREAD, given * SPREAD))
                one = {"kind": "set", "name": name, "unit": "", "value": float(given)}
                found.append(one | {"low": ends[0], "high": ends[1]})
        return found

    def answer(self, asked: Any) -> Told:
        """Do what the page asked for in the message `asked`, and say where it stands then."""
        if not isinstance(asked, dict):
            return {"answer": True, "text": "that was no message."}
        if asked.get("begin"):
            return {"answer": True} | self.beginning()
        text = ""
        try:
            if isinstance(asked.get("set"), dict):
                given = {str(k): v for k, v in asked["set"].items() if isinstance(v, (int, float))}
                text = _said(self.set(given))
            elif isinstance(asked.get("drag"), list) and len(asked["drag"]) == 2:
                name, target = asked["drag"]
                goal = self._stage.point([float(c) for c in target][:3])
                text = _said(self.drag(str(name), tuple(f"{c!r} m" for c in goal)))
        except (KempeError, TypeError, ValueError) as mistake:
            text = str(mistake)
        with self._lock:
            return {"answer": True, "text": text} | self._standing()

    # -- a window of the browser -------------------------------------------------------------

    def _serve(self) -> None:
        """Begin a server for the page in a thread of its own."""
        from kempe.web.serving import Door

        door = Door(purpose="a live view in the browser")
        sockets = _Sockets(self)
        is_ready = threading.Event()

        def ready() -> None:
            sockets.loop = asyncio.get_running_loop()
            is_ready.set()

        thread = threading.Thread(
            target=lambda: asyncio.run(door.serve(sockets, ready)), daemon=True
        )
        thread.start()
        is_ready.wait(STARTING)
        self.url = door.url
        self._tell = sockets.tell

        def close() -> None:
            door.close()
            thread.join(STARTING)

        self._close = close
        if self._show == "address" or not webbrowser.open(door.url):
            print(f"Open {door.url} in a browser to see it.")


@final
class _Sockets:
    """The page's server: three files, and a socket for each page that looks."""

    def __init__(self, view: LiveView) -> None:
        self.view = view
        self.loop: asyncio.AbstractEventLoop | None = None
        self._newest: dict[int, asyncio.Queue[str]] = {}

    def tell(self, told: Told) -> None:
        """Tell all pages; of what one has not taken yet, only the newest is kept."""
        if self.loop is not None and not self.loop.is_closed():
            with contextlib.suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self._put, json.dumps(told))

    def _put(self, text: str) -> None:
        for queue in self._newest.values():
            while queue.full():
                queue.get_nowait()
            queue.put_nowait(text)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """One request, or one page from its beginning to its end."""
        if scope["type"] == "websocket":
            await self._page(receive, send)
            return
        files = {
            "/": (PAGE, "html"),
            "/live.js": (live_script(solids=self.view.is_in_space), "javascript"),
        }
        files["/live.css"] = (live_style(), "css")
        text, kind = files.get(scope["path"], ("There is no such page.", "plain"))
        status = 200 if scope["path"] in files else 404
        headers = [(b"content-type", f"text/{kind}; charset=utf-8".encode())]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": text.encode()})

    async def _page(self, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        queue: asyncio.Queue[str] = asyncio.Queue(1)
        number = id(queue)

        async def out(text: str) -> None:
            await send({"type": "websocket.send", "text": text})

        async def forward() -> None:
            while True:
                await out(await queue.get())

        await out(json.dumps(await asyncio.to_thread(self.view.beginning)))
        self._newest[number] = queue
        forwarding = asyncio.create_task(forward())
        try:
            while (message := await receive())["type"] == "websocket.receive":
                try:
                    asked = json.loads(message.get("text") or "null")
                except (ValueError, RecursionError):
                    asked = None
                await out(json.dumps(await asyncio.to_thread(self.view.answer, asked)))
        finally:
            del self._newest[number]
            forwarding.cancel()


def _said(outcome: Outcome) -> str:
    return "" if outcome.is_done else f"{outcome.message} {outcome.advice}".strip()


def _stage_of(mechanism: Mechanism) -> Stage:
    """The scene, seen from where there is room for its motion."""
    layout = mechanism.layout
    motion = Trajectory(layout, still(layout))
    if mechanism.model.drives:
        with contextlib.suppress(KempeError):
            swept = mechanism.kinematics(until=SECONDS, steps=SAMPLES)
            motion = swept if len(swept) else motion
    return Stage(layout, standing(motion, ()))


def _widget(view: LiveView) -> Callable[[Told], None]:
    """Show the widget below the cell; what it is told goes there."""
    anywidget = extra("anywidget", "notebook", "a live view in a notebook")
    words = {"_esm": live_module(solids=view.is_in_space), "_css": live_style()}
    widget = type("LiveWidget", (anywidget.AnyWidget,), words)()

    def asked(_: object, content: Any, __: object) -> None:
        widget.send(view.answer(content))

    widget.on_msg(asked)
    sys.modules["IPython"].display.display(widget)

    def tell(told: Told) -> None:
        widget.send(told)

    return tell
