// What the page knows, as signals: views read them and are drawn again where they change.

import { computed, effect, signal } from "@preact/signals";
import type {
  AssemblyList, CentrodePair, Checked, Column, DesignList, Document, Export, FreeBodyDiagram, LibraryEntry, Mode,
  MotionComponent, MotionCurves, NamedPoint, Played, PointVectors, Problem, Refined, Shown, Stance,
} from "../messages";
import type { SceneDocument } from "../viewer/scene";
import type { Shown as Layer } from "../viewer/view";

export type Screen = "edit" | "move" | "configurations" | "forces" | "design";
export type Tool =
  | "select" | "bar" | "solid" | "pin" | "joint" | "slider" | "slot" | "curve" | "wheel" | "gear" | "rack" | "spring" | "damper"
  | "mass" | "force" | "motor" | "drive" | "point";
export type Tab = "properties" | "parameters" | "check" | "yaml" | "python";
export type Arrow = "velocity" | "acceleration";
export interface Part { kind: string; name: string }
export interface Notice { id: number; tone: "good" | "bad" | "plain"; text: string; advice?: string }
export interface Task { id: number; label: string; part: number | null; text: string }
export interface PlotRow { name: string; times: number[]; columns: Column[]; against: Column | null; problem: string }

export const online = signal<"opening" | "open" | "lost">("opening");
export const doc = signal<Document | null>(null);
export const shown = signal<Shown | null>(null);
export const folder = signal("");
export const version = signal("");
export const imports = signal<string[]>([]);
export const exportsKnown = signal<Export[]>([]);
export const autosavedAt = signal(-1);

export const screen = signal<Screen>("edit");
export const tool = signal<Tool>("select");
export const tab = signal<Tab>("properties");
export const selection = signal<Part[]>([]);
export const locks = signal<ReadonlySet<string>>(new Set());
export const layers = signal<Record<Layer, boolean>>({ trace: true, ghosts: false, forces: true, names: false });

export const stance = signal<Stance | null>(null);
export const motion = signal<Played | null>(null);
export const motionRevision = signal(-1);
export const frames = signal<number[][] | null>(null); // a wiggle or a mode that goes round
export const frameLabel = signal("");
export const time = signal(0);
export const playing = signal(false);
export const speed = signal(1);
export const looping = signal(true);
export const traced = signal<string[]>([]);

export const checked = signal<Checked | null>(null);
export const pointed = signal<string | null>(null); // the joint that one was taken to
export const assemblies = signal<AssemblyList | null>(null);
export const curves = signal<MotionCurves | null>(null);
export const curvesProblem = signal(""); // why motions cannot be listed
export const components = signal<MotionComponent[]>([]);
export const axes = signal<string[]>([]); // over which components are drawn
export const units = signal<string[]>([]); // of the axes, in SI
export const arrows = signal<Record<Arrow, boolean>>({ velocity: false, acceleration: false });
export const vectors = signal<PointVectors[]>([]);
export const centrodes = signal<(CentrodePair & { body: string }) | null>(null);
export const freeBody = signal<FreeBodyDiagram | null>(null);
export const sketch = signal<readonly (readonly number[])[]>([]); // places of a path that is wanted, m
export const sketching = signal(false);
export const designs = signal<DesignList | null>(null);
export const hoveredDesign = signal(0); // the number of one that is looked at
export const refined = signal<Refined | null>(null);
export const modes = signal<Mode[]>([]);
export const modeWords = signal("");
export const restWords = signal("");
export const plots = signal<PlotRow[]>([]);
export const against = signal("t");

export const library = signal<LibraryEntry[]>([]);
export const dialog = signal<"library" | "palette" | "help" | "exports" | null>(null);
export const report = signal<string[]>([]);
export const draft = signal<string | null>(null); // the YAML as it is typed, until it means something
export const draftProblems = signal<Problem[]>([]);
export const script = signal("");
export const notices = signal<Notice[]>([]);
export const tasks = signal<Task[]>([]);
export const spoken = signal("");

/** Whether this screen shows the motion, with its player. */
export const isMoving = computed(() => screen.value === "move" || screen.value === "forces" || screen.value === "design");
export const scene = computed<SceneDocument | null>(() => {
  const moving = motion.value;
  const still = shown.value?.scene ?? null;
  const isMotion = isMoving.value;
  const chosen = isMotion && moving ? moving.scene : still;
  return chosen as unknown as SceneDocument | null;
});
export const hasMotion = computed(() => motion.value !== null && scene.value === (motion.value.scene as unknown));
export const points = computed<NamedPoint[]>(() => shown.value?.points ?? []);
export const isPlane = computed(() => scene.value?.plane ?? (doc.value?.data["plane"] === true));
export const selectedNames = computed(() => new Set(selection.value.map((part) => part.name)));

/** The members of one kind of the document: bodies, joints, forces ... */
export function members(kind: string): Record<string, Record<string, unknown>> {
  const found = doc.value?.data[kind];
  return found && typeof found === "object" ? (found as Record<string, Record<string, unknown>>) : {};
}

/** Say something to those who listen to the page. */
export function say(text: string): void {
  spoken.value = spoken.value === text ? `${text}\u00a0` : text;
}

let noticed = 0;
export function notice(tone: Notice["tone"], text: string, advice = ""): void {
  noticed += 1;
  const made: Notice = { id: noticed, tone, text, ...(advice ? { advice } : {}) };
  notices.value = [...notices.value.filter((one) => one.text !== text).slice(-2), made];
  say(advice ? `${text} ${advice}` : text);
  if (tone !== "bad") window.setTimeout(() => dismiss(made.id), 6000);
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((one) => one.id !== id);
}

effect(() => {
  const name = doc.value?.name;
  document.title = name ? `${name} · kempe studio` : "kempe studio";
});
