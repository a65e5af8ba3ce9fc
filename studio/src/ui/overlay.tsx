// What lies over the picture: handles that can be focused and pulled, what is selected, and drafts.

import type { Pointed } from "./bits";
import { useRef } from "preact/hooks";
import { drag, edit, endsOf } from "../app/actions";
import { drawn, pause, sample, split, view } from "../app/clock";
import * as s from "../app/state";
import { grasp, placeOf, reshaped, type Grasp } from "../edit/reshape";
import { spotWords } from "../edit/making";
import * as tools from "../edit/tools";
import { asLength, metres, shownLength, shownUnit } from "../edit/units";
import type { ActingLoad, NamedPoint } from "../messages";
import { Gizmo } from "./gizmo";
import type { View } from "../viewer/view";
import { words } from "../words";

const NUDGE = 10; // px
let gestures = 0;

export function Overlay() {
  void drawn.value;
  const now = view.value;
  if (!now || !s.scene.value) return null;
  const isSpatial = !s.isPlane.value;
  const isMove = s.isMoving.value;
  const isDesign = s.screen.value === "design";
  return (
    <svg class="overlay" role="group" aria-label={words.show.points}>
      {s.screen.value === "edit" ? <Selected now={now} /> : null}
      {s.screen.value === "edit" ? <Gap now={now} /> : null}
      {s.screen.value === "edit" && isSpatial ? <Gizmo now={now} /> : null}
      <Draft now={now} />
      <Tether now={now} />
      {isMove ? <Kinematics now={now} /> : null}
      {isMove ? <Balance now={now} /> : null}
      {s.screen.value === "edit" && s.isPlane.value ? controls().map((one) => <Control key={one.label} {...one} now={now} />) : null}
      {isDesign && s.isPlane.value ? <Sketch now={now} /> : null}
      {s.playing.value || s.frames.value || isDesign ? null : unique(now).map((point) => (
        <Handle key={point.name} point={point} now={now} canPull={isMove || s.screen.value === "configurations" ? point.is_draggable : !isSpatial} />
      ))}
    </svg>
  );
}

/** Points that can be grabbed, each place once: of points that coincide the first stands for all. */
function unique(now: View): NamedPoint[] {
  const taken: [number, number][] = [];
  const kept: NamedPoint[] = [];
  const rank = (point: NamedPoint) => 2 * Number(point.is_draggable) + Number(point.name.includes("."));
  const order = [...s.points.value].sort((a, b) => rank(b) - rank(a));
  for (const point of order) {
    if (point.body === "ground" && s.screen.value !== "edit") continue;
    const [x, y] = now.project(placeOf(now, point));
    if (taken.some(([a, b]) => Math.hypot(a - x, b - y) < 4)) continue;
    taken.push([x, y]);
    kept.push(point);
  }
  return kept;
}

function Handle({ point, now, canPull }: { point: NamedPoint; now: View; canPull: boolean }) {
  void drawn.value;
  const held = useRef<{ grasp: Grasp | null; merge: string; moved: boolean } | null>(null);
  const at = placeOf(now, point);
  const [x, y] = now.project(at);
  const isEdit = s.screen.value === "edit";
  const isTool = isEdit && s.tool.value !== "select";
  const isSpatial = !s.isPlane.value;

  const begin = () => {
    gestures += 1;
    held.current = { grasp: isEdit && s.isPlane.value ? grasp(now, point) : null, merge: `pull-${gestures}`, moved: false };
    pause();
  };
  const pull = (to: readonly number[]) => {
    if (!held.current) return;
    held.current.moved = true;
    if (isEdit) {
      if (held.current.grasp) void reshape(reshaped(held.current.grasp, to), point.name, held.current.merge);
    } else {
      void drag(point.name, s.isPlane.value ? to.slice(0, 2) : to.slice(0, 3));
    }
  };
  const nudge = (dx: number, dy: number) => {
    begin();
    const target = s.stance.value && target0.name === point.name ? target0.at : at;
    const [px, py] = now.project(target);
    const to = now.unproject(px + NUDGE * dx, py + NUDGE * dy, at);
    target0 = { name: point.name, at: placeOf(now, point) };
    pull(to);
    s.say(`${point.name}: ${words.move.at(shownLength(to[0]), shownLength(to[1]), shownUnit())}`);
  };
  const pick = () => {
    const spot = { point, at: [at[0] ?? 0, at[1] ?? 0, at[2] ?? 0] as [number, number, number] };
    if (isTool && s.tool.value === "joint" && isSpatial) tools.takeForJoint(spot, null);
    else if (isTool && tools.OF_BODIES.has(s.tool.value) && isSpatial) void tools.useBody(point.body, point.at);
    else if (isTool) void tools.use(spot);
    else if (point.body !== "ground") selectBody(point.body, false);
  };
  const keys: Record<string, () => void> = {
    ArrowLeft: () => nudge(-1, 0),
    ArrowRight: () => nudge(1, 0),
    ArrowUp: () => nudge(0, -1),
    ArrowDown: () => nudge(0, 1),
    Enter: pick,
    " ": pick,
  };
  return (
    <g
      class={`handle${canPull ? " can-pull" : ""}${isEdit && s.selectedNames.value.has(point.body) ? " of-selected" : ""}`}
      transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}
      tabindex={0}
      role="button"
      aria-label={canPull ? words.move.handle(point.name) : point.name}
      data-point={point.name}
      onKeyDown={(event: KeyboardEvent) => {
        const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
        if (!act || (!canPull && event.key.startsWith("Arrow"))) return;
        event.preventDefault();
        event.stopPropagation();
        act();
      }}
      onPointerDown={(event: Pointed<SVGGElement>) => {
        if (isTool || !canPull || event.button > 0) return;
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        begin();
      }}
      onPointerMove={(event: Pointed<SVGGElement>) => {
        if (!held.current || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
        const frame = now.element.getBoundingClientRect();
        pointer = [event.clientX - frame.left, event.clientY - frame.top];
        pulled = point.name;
        pull(now.unproject(pointer[0], pointer[1], at));
      }}
      onPointerUp={() => {
        if (held.current && !held.current.moved) pick();
        held.current = null;
        pointer = null;
        drawn.value += 1;
      }}
    >
      <circle class="handle-reach" r="13" />
      <circle class="handle-ring" r="7.5" />
      <title>{point.name}</title>
    </g>
  );
}

let target0: { name: string; at: number[] } = { name: "", at: [] };
let pointer: [number, number] | null = null;
let pulled = "";
let isEditing = false;
let nextEdit: (() => void) | null = null;

/** One edit at a time; of those that wait only the newest. */
async function reshape(operations: Parameters<typeof edit>[0], name: string, merge: string): Promise<void> {
  if (!operations.length) return;
  if (isEditing) {
    nextEdit = () => void reshape(operations, name, merge);
    return;
  }
  isEditing = true;
  await edit(operations, `${words.inspector.moveTo} ${name}`, merge);
  isEditing = false;
  const next = nextEdit;
  nextEdit = null;
  next?.();
}

interface ControlPoint { label: string; path: (string | number)[]; at: [number, number, number] }

/** The places of curves of the ground that are bare numbers: those can be pulled. */
function controls(): ControlPoint[] {
  return Object.entries(s.members("joints")).flatMap(([joint, record]) => {
    const curve = record["curve"] as { points?: unknown } | undefined;
    if (record["I"] !== "ground" || !curve || !Array.isArray(curve.points)) return [];
    return curve.points.flatMap((place: unknown, k): ControlPoint[] => {
      const [x, y] = Array.isArray(place) ? place.map(metres) : [];
      if (x === null || x === undefined || y === null || y === undefined) return [];
      return [{ label: words.draft.control(joint, k + 1), path: ["joints", joint, "curve", "points", k], at: [x, y, 0] }];
    });
  });
}

/** One place of a curve, to be pulled or nudged. */
function Control({ label, path, at, now }: ControlPoint & { now: View }) {
  void drawn.value;
  const merge = useRef<string | null>(null);
  const [x, y] = now.project(at);
  const to = (place: readonly number[], join: string) => {
    const value = [asLength(place[0] ?? 0), asLength(place[1] ?? 0)];
    void reshape([{ op: "set", path, value }], label, join);
  };
  const steps: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  return (
    <g
      class="handle control can-pull"
      transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}
      tabindex={0}
      role="button"
      aria-label={label}
      onKeyDown={(event: KeyboardEvent) => {
        const step = event.ctrlKey || event.metaKey || event.altKey ? undefined : steps[event.key];
        if (!step) return;
        event.preventDefault();
        event.stopPropagation();
        gestures += 1;
        to(now.unproject(x + NUDGE * step[0], y + NUDGE * step[1], at), `control-${gestures}`);
      }}
      onPointerDown={(event: Pointed<SVGGElement>) => {
        if (s.tool.value !== "select" || event.button > 0) return;
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        gestures += 1;
        merge.current = `control-${gestures}`;
      }}
      onPointerMove={(event: Pointed<SVGGElement>) => {
        if (merge.current === null || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
        const frame = now.element.getBoundingClientRect();
        to(now.unproject(event.clientX - frame.left, event.clientY - frame.top, at), merge.current);
      }}
      onPointerUp={() => {
        merge.current = null;
      }}
    >
      <circle class="handle-reach" r="12" />
      <rect class="handle-ring" x="-5" y="-5" width="10" height="10" />
      <title>{label}</title>
    </g>
  );
}

export function selectBody(name: string, more: boolean): void {
  const part = { kind: "bodies", name };
  const known = s.selection.value.filter((one) => !(one.kind === "bodies" && one.name === name));
  s.selection.value = more ? (known.length < s.selection.value.length ? known : [...known, part]) : [part];
  s.say(words.outline.selected(s.selection.value.map((one) => one.name).join(", ")));
}

/** A glow along the shapes of selected bodies. */
function Selected({ now }: { now: View }) {
  void drawn.value;
  const chosen = s.selectedNames.value;
  const bodies = s.scene.value?.bodies ?? [];
  return (
    <g class="selected">
      {bodies.flatMap((body, b) => {
        if (!chosen.has(body.name)) return [];
        return body.shapes.map((shape, k) => {
          const line = shape.form === "disc" ? [shape.centre, shape.mark] : shape.form === "solid" ? shape.points.slice(0, 24) : shape.points;
          const seen = line.map((p) => now.project(now.place(b, p)).map((v) => v.toFixed(1)).join(" "));
          return <path key={`${body.name}${k}`} d={`M${seen.join("L")}${shape.form === "plate" ? "Z" : ""}`} />;
        });
      })}
    </g>
  );
}

/** The path that is wanted, and the one that a mechanism on offer would draw. */
function Sketch({ now }: { now: View }) {
  void drawn.value;
  const line = (places: readonly (readonly number[])[]) => places.map((place) => now.project(place).map((v) => v.toFixed(1)).join(" ")).join("L");
  const places = s.sketch.value;
  const other = s.designs.value?.candidates.find((one) => one.number === s.hoveredDesign.value);
  return (
    <g class="sketch">
      {places.length > 1 ? <path class="wanted" d={`M${line(places)}${places.length > 2 ? "Z" : ""}`} /> : null}
      {places.length <= 40 ? places.map((place, k) => {
        const [x, y] = now.project(place);
        return <circle key={k} cx={x} cy={y} r="4" />;
      }) : null}
      {other ? <path class="offered" d={`M${line(other.curve)}Z`} /> : null}
      {other ? other.bars.map((bar, k) => <path key={k} class="offered-bar" d={`M${line(bar)}`} />) : null}
    </g>
  );
}

const LONGEST = 90; // px, of the largest arrow of a kind

/** How long a metre is near a place, px. */
function pixels(now: View, at: readonly number[]): number {
  const [x, y] = now.project(at);
  return Math.max(...[0, 1, 2].slice(0, s.isPlane.value ? 2 : 3).map((k) => {
    const [a, b] = now.project([0, 1, 2].map((c) => (at[c] ?? 0) + (c === k ? 1e-3 : 0)));
    return Math.hypot(a - x, b - y) / 1e-3;
  }), 1e-9);
}

interface Drawn { at: readonly number[]; along: readonly number[]; most: number; text: string; kind: string }

/** An arrow at a place of the world; the largest of its kind is `LONGEST` long. */
function Shaft({ at, along, most, text, kind, now }: Drawn & { now: View }) {
  const size = Math.hypot(...along);
  const scale = LONGEST / (most * pixels(now, at));
  const [x, y] = now.project(at);
  const [tx, ty] = now.project([0, 1, 2].map((k) => (at[k] ?? 0) + scale * (along[k] ?? 0)));
  const long = Math.hypot(tx - x, ty - y);
  if (!(size > 1e-9 * most) || !(long > 3) || !Number.isFinite(long)) return null;
  const [ux, uy] = [(tx - x) / long, (ty - y) / long];
  const head = Math.min(10, 0.5 * long);
  const barb = (side: number) => `${(tx - head * ux + side * 0.4 * head * uy).toFixed(1)} ${(ty - head * uy - side * 0.4 * head * ux).toFixed(1)}`;
  return (
    <g class={`shaft ${kind}`}>
      <path class="shaft-line" d={`M${x.toFixed(1)} ${y.toFixed(1)}L${(tx - 0.8 * head * ux).toFixed(1)} ${(ty - 0.8 * head * uy).toFixed(1)}`} />
      <path class="shaft-head" d={`M${tx.toFixed(1)} ${ty.toFixed(1)}L${barb(1)}L${barb(-1)}Z`} />
      <text x={tx + 8 * ux} y={ty + 8 * uy + 4} text-anchor={ux < -0.3 ? "end" : "start"}>{text}</text>
    </g>
  );
}

/** Velocities, accelerations and centrodes of the motion, at the moment that is shown. */
function Kinematics({ now }: { now: View }) {
  void drawn.value;
  if (!s.hasMotion.value || s.stance.value || s.frames.value) return null;
  const k = sample(s.time.value);
  const unit = s.scene.value?.unit_scale ?? 1;
  const kinds = (["velocity", "acceleration"] as const).filter((kind) => s.arrows.value[kind]);
  const shafts = kinds.flatMap((kind) => {
    const most = Math.max(...s.vectors.value.flatMap((one) => one[kind].map((v) => Math.hypot(...v))), 0);
    return s.vectors.value.flatMap((one): Drawn[] => {
      const point = s.points.value.find((known) => known.name === one.name);
      const along = one[kind][k];
      if (!point || !along || !(most > 0)) return [];
      const value = Number((Math.hypot(...along) * unit).toPrecision(3));
      return [{ at: placeOf(now, point), along, most, kind, text: `${value} ${shownUnit()}/${kind === "velocity" ? "s" : "s²"}` }];
    });
  });
  return (
    <g class="kinematics">
      <Rolling now={now} />
      {shafts.map((one, n) => <Shaft key={n} {...one} now={now} />)}
    </g>
  );
}

const FAR = 20_000; // px: what lies further off is not drawn

/** The fixed centrode, and the moving one where its body is now. */
function Rolling({ now }: { now: View }) {
  const found = s.centrodes.value;
  const bodies = s.scene.value?.bodies ?? [];
  const index = bodies.findIndex((body) => body.name === found?.body);
  if (!found || index < 0) return null;
  const line = (pieces: number[][][], body: number | null) => pieces.map((piece) => {
    let pen = "M";
    return piece.map((place) => {
      const [x, y] = now.project(now.place(body, [place[0] ?? 0, place[1] ?? 0, 0]));
      if (!(Math.abs(x) < FAR && Math.abs(y) < FAR)) {
        pen = "M";
        return "";
      }
      const step = `${pen}${x.toFixed(1)} ${y.toFixed(1)}`;
      pen = "L";
      return step;
    }).join("");
  }).join("");
  return (
    <g class="centrodes">
      <path class="fixed" d={line(found.fixed, null)} />
      <path class="moving" d={line(found.moving, index)} />
    </g>
  );
}

/** The free body: what acts on it, at the moment that was asked for. */
function Balance({ now }: { now: View }) {
  void drawn.value;
  const found = s.freeBody.value;
  if (!found || s.screen.value !== "forces" || s.playing.value) return null;
  const most = Math.max(...found.loads.map((load) => Math.hypot(...load.force)), 0);
  const mostTurn = Math.max(...found.loads.map((load) => Math.hypot(...load.torque)), 0);
  const turning = found.loads.filter((load) => mostTurn > 0 && Math.hypot(...load.torque) > FAINT * mostTurn);
  return (
    <g class="balance">
      {found.loads.map((load) => (
        <Shaft
          key={load.name}
          at={load.at}
          along={load.force}
          most={most}
          kind="load"
          text={`${load.name} ${Number(Math.hypot(...load.force).toPrecision(3))} N`}
          now={now}
        />
      ))}
      {turning.map((load, k) => <Turn key={load.name} load={load} most={mostTurn} line={k} now={now} />)}
    </g>
  );
}

const FAINT = 1e-9; // of the largest: less is round-off

/** A torque as an arrow that goes round, in the sense in which the reader sees it. */
function Turn({ load, most, line, now }: { load: ActingLoad; most: number; line: number; now: View }) {
  const size = Math.hypot(...load.torque);
  const toward = now.sides?.()[2] ?? [0, 0, 1];
  const way = load.torque.reduce((sum, x, k) => sum + x * (toward[k] ?? 0), 0) < 0 ? -1 : 1;
  const [x, y] = now.project(load.at);
  const r = 14 + (18 * size) / most;
  const spot = (turn: number): [number, number] => [x + r * Math.cos(turn), y - way * r * Math.sin(turn)];
  const [[ax, ay], [bx, by]] = [spot(-0.6), spot(3.6)];
  // The head points along the circle where it ends.
  const [dx, dy] = [-Math.sin(3.6), -way * Math.cos(3.6)];
  const head = (side: number) => `${(bx - 9 * dx + side * 4.5 * dy).toFixed(1)} ${(by - 9 * dy - side * 4.5 * dx).toFixed(1)}`;
  const [tx, ty] = [bx + 4 * dx, by + 4 * dy];
  return (
    <g class="shaft load">
      <path class="shaft-line" d={`M${ax.toFixed(1)} ${ay.toFixed(1)}A${r} ${r} 0 1 ${way > 0 ? 0 : 1} ${bx.toFixed(1)} ${by.toFixed(1)}`} />
      <path class="shaft-head" d={`M${tx.toFixed(1)} ${ty.toFixed(1)}L${head(1)}L${head(-1)}Z`} />
      <text x={x + 40} y={y + 24 + 15 * line} text-anchor="start">{`${load.name} ${Number(size.toPrecision(3))} N m`}</text>
    </g>
  );
}

/** The two sides of the joint that one was taken to, and how far they are apart. */
function Gap({ now }: { now: View }) {
  void drawn.value;
  const name = s.pointed.value;
  const [a, b] = name === null ? [] : endsOf(name);
  if (name === null || !a || !b) return null;
  const [[ax, ay], [bx, by]] = [now.project(a), now.project(b)];
  const apart = Math.hypot(...a.map((x, k) => x - (b[k] ?? 0)));
  const isOpen = Math.hypot(bx - ax, by - ay) > 3;
  return (
    <g class="gap">
      {isOpen ? <path d={`M${ax} ${ay}L${bx} ${by}`} /> : null}
      <circle cx={ax} cy={ay} r="13" />
      {isOpen ? <circle cx={bx} cy={by} r="13" /> : null}
      <text x={(ax + bx) / 2} y={(ay + by) / 2 - 20} text-anchor="middle">{isOpen ? `${name}: ${shownLength(apart)} ${shownUnit()}` : name}</text>
    </g>
  );
}

/** From the pointer to the point that cannot follow it. */
function Tether({ now }: { now: View }) {
  void drawn.value;
  const stance = s.stance.value;
  if (!stance || stance.outcome === "Done" || !pointer) return null;
  const point = s.points.value.find((one) => one.name === pulled);
  if (!point) return null;
  const [x, y] = now.project(placeOf(now, point));
  return (
    <g class="tether">
      <path d={`M${x} ${y}L${pointer[0]} ${pointer[1]}`} />
      <circle cx={pointer[0]} cy={pointer[1]} r="5" />
    </g>
  );
}

/** The part that is being drawn, and the name of what it would snap to. */
function Draft({ now }: { now: View }) {
  void drawn.value;
  if (s.screen.value !== "edit" || s.tool.value === "select") return null;
  const [from, to] = [tools.first.value, tools.hovered.value];
  if (!to) return from ? <circle class="draft-end" cx={now.project(from.at)[0]} cy={now.project(from.at)[1]} r="6" /> : null;
  const typed = Number(tools.lengthText.value);
  const unit = s.scene.value?.unit_scale ?? 1;
  const end = from && tools.lengthText.value.trim() && Number.isFinite(typed) && !to.point ? tools.atLength(from, to, typed / unit) : to;
  const [x, y] = now.project(end.at);
  const label = to.point ? (to.isNew ? words.draft.onLine(to.point.body, to.isMiddle ?? false) : to.point.name) : from
    ? `${shownLength(Math.hypot(end.at[0] - from.at[0], end.at[1] - from.at[1]))} ${shownUnit()}`
    : spotWords(to);
  return (
    <g class="draft">
      {from ? <path class="draft-bar" d={`M${[from, ...tools.stations.value].map((one) => now.project(one.at).join(" ")).join("L")}L${x} ${y}`} /> : null}
      {tools.stations.value.map((one, k) => <circle key={k} class="draft-end" cx={now.project(one.at)[0]} cy={now.project(one.at)[1]} r="4" />)}
      <circle class={to.point ? "draft-snap" : "draft-end"} cx={x} cy={y} r={to.point ? 10 : 5} />
      <text x={x + 14} y={y - 10}>{label}</text>
    </g>
  );
}

export { split };
