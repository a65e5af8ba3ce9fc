// The tools of the drawing board: a click, or a line that was typed, is a spot; enough spots are a part.

import { batch, signal } from "@preact/signals";
import { edit, type Operation } from "../app/actions";
import { isPlane, members, notice, points, say, selection, tool, type Tool } from "../app/state";
import type { View } from "../viewer/view";
import { words } from "../words";
import {
  barOperations, driveOperations, forceOperations, freshPoint, hingeOperations, massOperations, newPoints, pinOperations,
  sliderOperations, springOperations, spotWords, type Spot,
} from "./making";
import {
  curveOperations, damperOperations, gearOperations, motorOperations, rackOperations, slotOperations, wheelOperations,
} from "./machines";
import { placeOf } from "./reshape";
import { axisFrom, barInSpace, drivable, drivableJoints, driveInSpace, joinInSpace, solidInSpace } from "./spatial";
import { asLength, lengthUnit, metres } from "./units";

/** The first end of what takes two. */
export const first = signal<Spot | null>(null);
/** Where the pointer is, snapped. */
export const hovered = signal<Spot | null>(null);
export const lengthText = signal("");
/** The places that a curve goes through so far. */
export const stations = signal<readonly Spot[]>([]);
export const options = signal({
  stiffness: "100 N/m", mass: "1 kg", pullX: "0", pullY: "-10", speed: "60 rpm", axis: "0 deg", damping: "10 N s/m",
  stall: "1 N m", noLoad: "300 rpm", teethA: "20", teethB: "40", internal: false, fresh: false, closed: false,
  pullZ: "0", ends: "spherical", joint: "revolute", way: "z", second: "", solid: "cuboid", size: "40, 30, 20",
});

/** What can be drawn in space, in the order of the bar. */
export const IN_SPACE: readonly Tool[] = ["select", "bar", "solid", "joint", "spring", "damper", "mass", "force", "drive", "point"];
/** Whether a click on the drawing means something to the tool. */
export const isDrafting = (): boolean => tool.value !== "select" && (isPlane.value || IN_SPACE.includes(tool.value));

export const TWO_ENDED: ReadonlySet<Tool> = new Set<Tool>(["bar", "joint", "spring", "damper", "slot", "gear", "rack"]);
/** Tools whose first spot is a point of a body. */
const ON_A_BODY: ReadonlySet<Tool> = new Set<Tool>(["pin", "slider", "force", "slot", "curve"]);
export const OF_BODIES: ReadonlySet<Tool> = new Set<Tool>(["mass", "drive", "point", "motor"]);
const FEWEST = 3; // places of a curve
/** Tools for which a place on the line of a bar is a point of it. */
const ON_LINES: ReadonlySet<Tool> = new Set<Tool>(["bar", "joint", "pin", "spring", "damper", "force"]);
const SNAP = 14; // px
const BESIDE = 8; // px from the line of a bar, at most
const FINE = 8; // px that a step of free places is at least

export function choose(next: Tool): void {
  batch(() => {
    tool.value = next;
    first.value = null;
    hovered.value = null;
    stations.value = [];
    lengthText.value = "";
  });
  say(`${words.tools[next]}. ${words.tools.hints[next] ?? ""}`);
}

/** What lies under the pointer: a named point near by, or paper, to a round number. */
export function spotAt(view: View, x: number, y: number, round: (least: number) => number, unitScale: number): Spot {
  let best: Spot | null = null;
  let reach = SNAP;
  for (const point of points.value) {
    const at = placeOf(view, point);
    const [px, py] = view.project(at);
    const away = Math.hypot(px - x, py - y);
    // Of two in one place the one with a name of its own wins: crank.start, not crank.
    const isBetter = Math.abs(away - reach) < 1e-6 && best !== null && !best.point?.name.includes(".");
    if (away < reach - 1e-6 || isBetter) {
      reach = away;
      best = { point, at: [at[0] ?? 0, at[1] ?? 0, at[2] ?? 0] };
    }
  }
  best ??= onLine(view, x, y);
  if (best) return best;
  if (!isPlane.value) return onLevel(view, x, y, round, unitScale);
  const free = view.unproject(x, y);
  const [a, b] = [view.unproject(0, 0), view.unproject(FINE, 0)];
  const step = round(Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]) * unitScale) / unitScale;
  return { point: null, at: [Math.round(free[0] / step) * step, Math.round(free[1] / step) * step, 0] };
}

/** A place on the line of a bar, its middle where that is near. */
function onLine(view: View, x: number, y: number): Spot | null {
  if (!isPlane.value || !ON_LINES.has(tool.value)) return null;
  let best: Spot | null = null;
  let reach = BESIDE;
  for (const body of Object.keys(members("bodies"))) {
    const [start, end] = ["start", "end"].map((word) => points.value.find((one) => one.name === `${body}.${word}`));
    if (!start || !end || body === first.value?.point?.body) continue;
    const [a, b] = [placeOf(view, start), placeOf(view, end)];
    const [[ax, ay], [bx, by]] = [view.project(a), view.project(b)];
    const length = Math.hypot(bx - ax, by - ay);
    if (length < 4 * SNAP) continue;
    let share = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length ** 2;
    const isMiddle = Math.abs(share - 0.5) * length < SNAP;
    if (isMiddle) share = 0.5;
    const away = Math.abs((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / length;
    if (share <= 0 || share >= 1 || away >= reach) continue;
    reach = away;
    const between = (p: readonly number[], q: readonly number[]) => [0, 1, 2].map((k) => (p[k] ?? 0) + share * ((q[k] ?? 0) - (p[k] ?? 0)));
    const [px, py, pz] = between(a, b);
    const point = { ...start, name: `${body}.${freshPoint(body)}`, at: between(start.at, end.at) };
    best = { point, at: [px ?? 0, py ?? 0, pz ?? 0], isNew: true, isMiddle };
  }
  return best;
}

/** A place on the level of the spot before, or of the floor; to a round number. */
function onLevel(view: View, x: number, y: number, round: (least: number) => number, unitScale: number): Spot {
  const height = first.value?.at[2] ?? 0;
  const free = view.level?.(x, y, height) ?? view.unproject(x, y, first.value?.at ?? [0, 0, 0]);
  const [a, b] = [view.unproject(0, 0), view.unproject(FINE, 0)];
  const step = round(Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]) * unitScale) / unitScale;
  const [px, py, pz] = free.map((c) => Math.round(c / step) * step);
  return { point: null, at: [px ?? 0, py ?? 0, view.level ? height : (pz ?? 0)] };
}

/** A spot from typed text: a point's name, or two numbers in the document's unit. */
export function spotFrom(view: View | null, text: string): Spot | null {
  const clean = text.trim();
  const point = points.value.find((one) => one.name === clean);
  if (point && view) {
    const at = placeOf(view, point);
    return { point, at: [at[0] ?? 0, at[1] ?? 0, at[2] ?? 0] };
  }
  const numbers = clean.replace(/[()]/g, "").split(/[,;\s]+/).filter(Boolean).map(Number);
  if (numbers.length < 2 || numbers.some((x) => !Number.isFinite(x))) return null;
  const [x, y, z] = numbers.map((n) => metres(n) ?? n);
  return { point: null, at: [x ?? 0, y ?? 0, z ?? 0] };
}

/** The far end of a bar of a given length in the direction of a spot. */
export function atLength(from: Spot, towards: Spot, length: number): Spot {
  const way = [towards.at[0] - from.at[0], towards.at[1] - from.at[1]] as const;
  const now = Math.hypot(...way) || 1;
  const unit = now > 0 && (way[0] !== 0 || way[1] !== 0) ? way.map((x) => x / now) : [1, 0];
  return { point: null, at: [from.at[0] + length * (unit[0] ?? 1), from.at[1] + length * (unit[1] ?? 0), 0] };
}

async function make(operations: Operation[], what: string, pick?: { kind: string; name: string }, spots: readonly Spot[] = []): Promise<boolean> {
  const isDone = await edit([...newPoints(spots), ...operations], words.draft.added(what));
  if (isDone && pick) selection.value = [pick];
  return isDone;
}

/** A tool got a spot, on a body or on paper; true where a part was made. */
export async function use(spot: Spot, body: string | null = spot.point?.body ?? null): Promise<boolean> {
  const now = tool.value;
  const start = first.value;
  if (ON_A_BODY.has(now) && start === null && (spot.point === null || spot.point.body === "ground")) return complain(words.draft.onABody);
  if ((TWO_ENDED.has(now) || now === "curve") && start === null) {
    first.value = spot;
    say(now === "bar" ? words.draft.started(spotWords(spot)) : words.draft.firstIs(spotWords(spot)));
    return false;
  }
  if (now === "bar" && start) return makeBar(start, spot);
  if (now === "curve") return pass(spot);
  first.value = null;
  if (start && start.point !== null && start.point.name === spot.point?.name) return complain(words.draft.selfJoin);
  return start ? between(start, spot, body) : alone(spot);
}

/** A part that takes one spot. */
async function alone(spot: Spot): Promise<boolean> {
  const now = tool.value;
  const given = options.value;
  if (now === "solid") {
    const size = given.size.split(/[,;\s]+/).filter(Boolean).map(Number);
    if (!size.length || !size.every((x) => x > 0)) return complain(words.draft.noSize);
    const { name, operations } = solidInSpace(spot, given.solid, size);
    return make(operations, name, { kind: "bodies", name });
  }
  if (now === "pin") return make(pinOperations(spot), words.tools.pin, undefined, [spot]);
  if (now === "slider") return make(sliderOperations(spot, degrees(given.axis)), words.tools.slider);
  if (now === "force") return make(forceOperations(spot, [newtons(given.pullX), newtons(given.pullY), isPlane.value ? 0 : newtons(given.pullZ)]), words.tools.force, undefined, [spot]);
  if (now === "wheel") {
    const { name, operations } = wheelOperations(spot);
    return make(operations, name, { kind: "bodies", name });
  }
  return false;
}

/** A part that takes two. */
async function between(start: Spot, spot: Spot, body: string | null): Promise<boolean> {
  const now = tool.value;
  const given = options.value;
  if (now === "joint") return make(hingeOperations(start, spot), words.tools.joint, undefined, [start, spot]);
  if (now === "spring") return make(springOperations(start, spot, given.stiffness), words.tools.spring, undefined, [start, spot]);
  if (now === "damper") return make(damperOperations(start, spot, given.damping), words.tools.damper, undefined, [start, spot]);
  if (now === "slot") {
    if (body !== null && body === start.point?.body) return complain(words.draft.ownSlot);
    return make(slotOperations(start, spot, body), words.tools.slot);
  }
  if (now === "gear") {
    const teeth = [Number(given.teethA), Number(given.teethB)] as const;
    if (!teeth.every((n) => n > 0)) return complain(words.draft.noTeeth);
    return make(gearOperations(start, spot, teeth, given.internal, given.fresh), words.tools.gear);
  }
  if (now === "rack") return make(rackOperations(start, spot, degrees(given.axis), given.fresh), words.tools.rack);
  return false;
}

/** One more place of a curve; its last place once more ends it. */
async function pass(spot: Spot): Promise<boolean> {
  const last = stations.value[stations.value.length - 1];
  if (last && Math.hypot(last.at[0] - spot.at[0], last.at[1] - spot.at[1]) < 1e-12) return finishCurve();
  stations.value = [...stations.value, spot];
  say(words.draft.station(stations.value.length, spotWords(spot)));
  return false;
}

export async function finishCurve(): Promise<boolean> {
  const rider = first.value;
  if (!rider) return complain(words.draft.onABody);
  if (stations.value.length < FEWEST) return complain(words.draft.fewStations(FEWEST));
  const isMade = await make(curveOperations(rider, stations.value, options.value.closed), words.tools.curve);
  if (isMade) batch(() => {
    first.value = null;
    stations.value = [];
  });
  return isMade;
}

function newtons(text: string): number | string {
  const value = Number(text);
  return Number.isFinite(value) && text.trim() !== "" ? value : text.trim();
}

function degrees(text: string): number {
  const value = Number.parseFloat(text);
  return ((Number.isFinite(value) ? value : 0) * Math.PI) / 180;
}

function complain(text: string): boolean {
  notice("bad", text);
  return false;
}

/** A click while a joint of space is made: a point says where and on what, a body is the other one. */
export function takeForJoint(spot: Spot, part: string | null): void {
  const body = spot.point?.body ?? part;
  const start = first.value;
  if (spot.point && (!start || spot.point.body === "ground" || start.point?.body === spot.point.body)) first.value = spot;
  else if (body && body in members("bodies")) options.value = { ...options.value, second: body };
  else first.value = spot;
}

/** A joint of space, by its bodies, a place and an axis. */
export async function makeJoint(first_: string, second: string, at: Spot, axisText: string, type: string): Promise<boolean> {
  const axis = axisFrom(axisText);
  if (!axis) return complain(words.draft.notAnAxis(axisText));
  const { name, operations } = joinInSpace(type, first_, second, at, axis);
  return make(operations, name, { kind: "joints", name });
}

async function makeBarInSpace(start: Spot, end: Spot): Promise<boolean> {
  if (start.at.every((x, k) => x === end.at[k])) return complain(words.draft.selfJoin);
  const axis = axisFrom(options.value.way);
  if (!axis) return complain(words.draft.notAnAxis(options.value.way));
  const { name, operations } = barInSpace(start, end, options.value.ends, axis);
  const isMade = await make(operations, name, { kind: "bodies", name });
  if (isMade) {
    const point = points.value.find((one) => one.name === `${name}.end`) ?? null;
    first.value = end.point || !point ? null : { point, at: end.at };
  }
  return isMade;
}

export async function makeBar(start: Spot, end: Spot): Promise<boolean> {
  if (!isPlane.value) return makeBarInSpace(start, end);
  const typed = lengthText.value.trim();
  const plain = Number(typed);
  const isNumber = typed !== "" && Number.isFinite(plain);
  const metresOf = isNumber ? (metres(plain) ?? plain) : null;
  const far = metresOf !== null && end.point === null ? atLength(start, end, metresOf) : end;
  if (start.at.every((x, k) => x === far.at[k])) return complain(words.draft.selfJoin);
  const { name, operations } = barOperations(start, far, typed === "" ? null : isNumber ? plain : typed);
  const isMade = await make(operations, name, { kind: "bodies", name }, [start, far]);
  if (isMade) {
    batch(() => {
      // The next bar goes on from here: a chain needs one click a bar.
      const point = points.value.find((one) => one.name === `${name}.end`) ?? null;
      first.value = far.point ? null : point ? { point, at: far.at } : null;
      lengthText.value = "";
    });
  }
  return isMade;
}

/** A tool that works on bodies got one. */
export async function useBody(body: string, at: readonly number[] | null): Promise<boolean> {
  const now = tool.value;
  if (now === "drive" && !isPlane.value) {
    const holds = (joint: string) => JSON.stringify(members("joints")[joint] ?? {}).includes(`"${body}`);
    const joint = drivable(body) ? body : drivableJoints().find(holds);
    if (!joint) return complain(words.draft.noDrivable(body));
    return make(driveInSpace(joint, options.value.speed), words.tools.drive, { kind: "drives", name: drivable(joint) ?? "" });
  }
  if (now === "mass") return make(massOperations(body, options.value.mass), words.tools.mass, { kind: "bodies", name: body });
  if (now === "drive") return make(driveOperations(body, options.value.speed), words.tools.drive, { kind: "drives", name: `${body}.angle` });
  if (now === "motor") return make(motorOperations(body, options.value.stall, options.value.noLoad), words.tools.motor);
  if (now === "point" && at) {
    const name = freshPoint(body);
    return make([{ op: "set", path: ["bodies", body, "points", name], value: at.slice(0, isPlane.value ? 2 : 3).map((x) => asLength(x)) }], `${body}.${name}`, { kind: "bodies", name: body });
  }
  return false;
}

export function unitHint(): string {
  return lengthUnit();
}
