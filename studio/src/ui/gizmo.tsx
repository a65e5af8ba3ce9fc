// Hands on a body of space: three arrows that move it, three rings that turn it.

import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { edit, type Operation } from "../app/actions";
import { drawn } from "../app/clock";
import * as s from "../app/state";
import { bodyIndex } from "../edit/reshape";
import { shownLength, shownUnit } from "../edit/units";
import type { View } from "../viewer/view";
import { words } from "../words";
import type { Pointed } from "./bits";

const AXES = [[1, 0, 0], [0, 1, 0], [0, 0, 1]] as const;
const NAMES = ["x", "y", "z"] as const;
const LONG = 86; // px of an arrow
const RING = 62; // px of a ring's radius
const STEP = 10; // px of a press of a key
const TURN = Math.PI / 36; // of a press of a key
const SHORTEST = 0.15; // of an arrow that points at the reader: it cannot be pulled
const CORNERS = 48; // of a ring
const KEYS: Record<string, number> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };

interface Gesture { wanted: number; done: number; merge: string; label: string; make: ((amount: number) => Operation) | null }

/** Gestures that are not done yet: one edit at a time, what was pulled meanwhile goes with the next. */
let waiting: Gesture[] = [];
let isBusy = false;
let gestures = 0;

function begin(): void {
  gestures += 1;
  waiting = [...waiting, { wanted: 0, done: 0, merge: `gizmo-${gestures}`, label: "", make: null }];
}

/** The gesture that goes on asks for so much in all. */
function ask(amount: number, label: string, make: (amount: number) => Operation): void {
  const last = waiting[waiting.length - 1];
  if (last) Object.assign(last, { wanted: amount, label, make });
  void follow();
}

async function follow(): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  for (let now = waiting[0]; now; now = waiting[0]) {
    const amount = now.wanted - now.done;
    const isDone = Math.abs(amount) < 1e-12 || now.make === null;
    if (isDone && waiting.length === 1) break;
    if (isDone || !now.make || !(await edit([now.make(amount)], now.label, now.merge))) waiting = waiting.slice(1);
    else now.done += amount;
  }
  isBusy = false;
}

/** The gizmo of the one body that is selected. */
export function Gizmo({ now }: { now: View }) {
  void drawn.value;
  const [part] = s.selection.value;
  const index = part?.kind === "bodies" ? bodyIndex(part.name) : null;
  const toward = now.sides?.()[2];
  if (!part || index === null || !toward || s.selection.value.length !== 1 || s.tool.value !== "select" || s.frames.value) return null;
  const at = now.place(index, [0, 0, 0]);
  return (
    <g class="gizmo" role="group" aria-label={words.gizmo.label(part.name)}>
      {AXES.map((axis, k) => <Ring key={`r${k}`} name={part.name} axis={axis} k={k} at={at} now={now} toward={toward} />)}
      {AXES.map((axis, k) => <Arrow key={`a${k}`} name={part.name} axis={axis} k={k} at={at} now={now} toward={toward} />)}
    </g>
  );
}

interface HandProps { name: string; axis: readonly number[]; k: number; at: number[]; now: View; toward: number[] }

/** How many metres a pixel is, square to the eye. */
function metresAPixel(now: View, at: readonly number[]): number {
  const [p, q] = [now.unproject(0, 0, at), now.unproject(10, 0, at)];
  return Math.hypot(q[0] - p[0], q[1] - p[1], q[2] - p[2]) / 10;
}

interface GripProps {
  label: string;
  kind: string;
  children: ComponentChildren;
  key_: (way: number) => void;
  start: (x: number, y: number) => void;
  move: (x: number, y: number) => void;
}

/** Something of the gizmo that can be focused, pressed with arrow keys, and pulled. */
function Grip({ label, kind, children, key_, start, move }: GripProps) {
  return (
    <g
      class={`gizmo-hand ${kind}`}
      tabindex={0}
      role="button"
      aria-label={label}
      onKeyDown={(event: KeyboardEvent) => {
        const way = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey ? undefined : KEYS[event.key];
        if (way === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        begin();
        key_(way);
      }}
      onPointerDown={(event: Pointed<SVGGElement>) => {
        if (event.button > 0) return;
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        begin();
        start(event.clientX, event.clientY);
      }}
      onPointerMove={(event: Pointed<SVGGElement>) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) move(event.clientX, event.clientY);
      }}
    >
      {children}
      <title>{label}</title>
    </g>
  );
}

function Arrow({ name, axis, k, at, now }: HandProps) {
  const from = useRef([0, 0]);
  const metre = metresAPixel(now, at);
  const [x, y] = now.project(at);
  const [ex, ey] = now.project(at.map((c, n) => c + LONG * metre * (axis[n] ?? 0)));
  const [ux, uy] = [(ex - x) / LONG, (ey - y) / LONG]; // of a pixel's length along the axis
  if (Math.hypot(ux, uy) < SHORTEST) return null;
  const label = words.gizmo.arrow(name, NAMES[k] ?? "");
  const go = (amount: number) => {
    ask(amount, `${words.gizmo.move} ${name}`, (by) => ({ op: "move", path: ["bodies", name], by: axis.map((c) => c * by) }));
  };
  return (
    <Grip
      label={label}
      kind={`axis-${NAMES[k]}`}
      key_={(way) => {
        go(way * STEP * metre);
        s.say(`${label}: ${shownLength(way * STEP * metre)} ${shownUnit()}`);
      }}
      start={(px, py) => {
        from.current = [px, py];
      }}
      move={(px, py) => go((((px - (from.current[0] ?? 0)) * ux + (py - (from.current[1] ?? 0)) * uy) / (ux * ux + uy * uy)) * metre)}
    >
      <path class="gizmo-reach" d={`M${x} ${y}L${ex} ${ey}`} />
      <path class="gizmo-line" d={`M${x} ${y}L${ex} ${ey}`} />
      <circle cx={ex} cy={ey} r="8" />
      <text x={ex} y={ey + 3.5} text-anchor="middle">{NAMES[k]}</text>
    </Grip>
  );
}

function Ring({ name, axis, k, at, now, toward }: HandProps) {
  const held = useRef({ last: 0, turned: 0 });
  const [x, y] = now.project(at);
  const [a, b] = [AXES[(k + 1) % 3], AXES[(k + 2) % 3]];
  const radius = RING * metresAPixel(now, at);
  const line = Array.from({ length: CORNERS + 1 }, (_, n) => {
    const turn = (2 * Math.PI * n) / CORNERS;
    const place = at.map((c, m) => c + radius * (Math.cos(turn) * (a?.[m] ?? 0) + Math.sin(turn) * (b?.[m] ?? 0)));
    return now.project(place).map((v) => v.toFixed(1)).join(" ");
  }).join("L");
  const sign = axis.reduce((sum, c, n) => sum + c * (toward[n] ?? 0), 0) >= 0 ? 1 : -1;
  const angle = (px: number, py: number) => {
    const frame = now.element.getBoundingClientRect();
    return -Math.atan2(py - frame.top - y, px - frame.left - x);
  };
  const label = words.gizmo.ring(name, NAMES[k] ?? "");
  const go = (amount: number) => {
    ask(amount, `${words.gizmo.turn} ${name}`, (by) => ({ op: "move", path: ["bodies", name], turn: axis.map((c) => c * by) }));
  };
  return (
    <Grip
      label={label}
      kind={`gizmo-ring axis-${NAMES[k]}`}
      key_={(way) => {
        go(way * TURN);
        s.say(`${label}: ${Math.round((way * TURN * 180) / Math.PI)} deg`);
      }}
      start={(px, py) => {
        held.current = { last: angle(px, py), turned: 0 };
      }}
      move={(px, py) => {
        const next = angle(px, py);
        const step = next - held.current.last;
        held.current = { last: next, turned: held.current.turned + Math.atan2(Math.sin(step), Math.cos(step)) };
        go(sign * held.current.turned);
      }}
    >
      <path class="gizmo-reach" d={`M${line}`} />
      <path class="gizmo-line" d={`M${line}`} />
    </Grip>
  );
}
