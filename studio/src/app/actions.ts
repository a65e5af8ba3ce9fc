// What the page does: every action asks the server, and puts its answer where views read it.

import { batch } from "@preact/signals";
import type { Changed, Copy, Delete, Fix, Join, KeepPlace, Lay, Move, Played, Rename, Set as SetOperation, Stance } from "../messages";
import { words } from "../words";
import { Connection, Refused, type Asked, type Hooks, type Kind } from "./connection";
import { view } from "./clock";
import * as s from "./state";

export type Operation = SetOperation | Delete | Rename | Copy | Move | Lay | Join | KeepPlace;
const link = new Connection();

/** Start: the first document, and again after every loss. */
export function connect(): void {
  link.onOpen = () => void greet();
  link.onLost = () => {
    if (s.online.value === "open") s.notice("bad", words.lost);
    s.online.value = "lost";
    s.tasks.value = [];
  };
  link.onChanged = take;
  link.onAutosaved = (revision) => {
    s.autosavedAt.value = revision;
  };
  link.open();
}

async function greet(): Promise<void> {
  const wasLost = s.online.value === "lost";
  const welcome = await tried("hello", {});
  if (!welcome) return;
  batch(() => {
    s.online.value = "open";
    s.version.value = welcome.version;
    s.folder.value = welcome.folder;
    s.imports.value = welcome.imports;
    s.exportsKnown.value = welcome.exports;
    take({ document: welcome.document, shown: welcome.shown });
    if (wasLost) {
      s.notices.value = s.notices.value.filter((one) => one.text !== words.lost);
      s.notice("good", words.back);
    }
    if (welcome.recovered) s.notice("good", `${words.recovered}: ${welcome.recovered}`);
  });
  if (!wasLost && Object.keys(s.members("bodies")).length === 0) void openLibrary();
}

/** Ask, and show a refusal in the page; null where there was one. */
export async function tried<K extends Kind>(kind: K, fields: Asked<K>, hooks: Hooks = {}) {
  try {
    return await link.ask(kind, fields, hooks).answer;
  } catch (error) {
    refused(error);
    return null;
  }
}

function refused(error: unknown): void {
  if (!(error instanceof Refused)) throw error;
  if (error.mistake.kind === "cancelled") {
    s.say(words.tasks.cancelled);
    return;
  }
  const [problem] = error.mistake.problems;
  s.notice("bad", error.message, problem && !error.message.includes(problem.text) ? problem.text : (problem?.advice ?? ""));
}

/** Ask for something that takes its time: it is listed, with its progress, and can be ended. */
export async function worked<K extends Kind>(kind: K, fields: Asked<K>, label: string, found?: Hooks["found"], why?: (text: string) => void) {
  const revision = s.doc.value?.revision;
  // What is found about a document that is no more says nothing of the one that is there now.
  const isOutdated = () => kind !== "export" && kind !== "design" && s.doc.value?.revision !== revision;
  const { id, answer } = link.ask(kind, fields, {
    progress: (part, text) => {
      s.tasks.value = s.tasks.value.map((task) => (task.id === id ? { ...task, part, text } : task));
    },
    ...(found ? { found: (...told) => { if (!isOutdated()) found(...told); } } : {}),
  });
  s.tasks.value = [...s.tasks.value, { id, label, part: null, text: "" }];
  try {
    const found = await answer;
    return isOutdated() ? null : found;
  } catch (error) {
    if (isOutdated()) return null;
    if (why && error instanceof Refused && error.mistake.kind === "mistake") why(error.message);
    else refused(error);
    return null;
  } finally {
    s.tasks.value = s.tasks.value.filter((task) => task.id !== id);
  }
}

let stops = 0;

export function cancel(task: number): void {
  stops += 1;
  void tried("cancel", { of: task });
}

/** A new state of the document; what was found about the old one no longer holds. */
export function take({ document, shown }: Changed): void {
  batch(() => {
    const isOther = document.name !== s.doc.value?.name;
    s.doc.value = document;
    s.shown.value = shown;
    s.motion.value = null;
    s.playing.value = false;
    s.stance.value = null;
    s.frames.value = null;
    s.checked.value = null;
    s.assemblies.value = null;
    s.curves.value = null;
    s.components.value = [];
    s.modes.value = [];
    s.refined.value = null;
    forgetMotion();
    s.restWords.value = "";
    s.modeWords.value = "";
    s.curvesProblem.value = "";
    s.pointed.value = null;
    s.notices.value = s.notices.value.filter((one) => one.tone !== "bad"); // they were about the document before
    s.time.value = 0;
    s.draft.value = null;
    s.draftProblems.value = [];
    if (isOther) {
      s.selection.value = [];
      s.plots.value = [];
      s.traced.value = [];
    } else {
      s.selection.value = s.selection.value.filter((part) => part.name in s.members(part.kind));
    }
  });
  scheduleCheck();
  // Where motions are looked at, that of the document as it is now takes the place of the one before.
  if (s.screen.value === "move" && shown.is_assembled && shown.drives.length) void sweep("", true);
}

let checking: number | undefined;
function scheduleCheck(): void {
  window.clearTimeout(checking);
  checking = window.setTimeout(() => {
    if (s.tab.value === "check" && s.screen.value === "edit") void check();
  }, 500);
}

export async function edit(operations: Operation[], label: string, merge = ""): Promise<boolean> {
  const changed = await tried("edit", { operations, label, merge });
  if (changed) {
    take(changed);
    if (!merge) s.say(label);
  }
  return changed !== null;
}

/** The YAML mirror: what is typed goes to the server as soon as the typing rests. */
let typing: number | undefined;
export function write(text: string, pause = 450): void {
  s.draft.value = text;
  window.clearTimeout(typing);
  typing = window.setTimeout(() => void writeNow(text), pause);
}

async function writeNow(text: string): Promise<void> {
  try {
    const changed = await link.ask("text", { text, merge: "yaml" }).answer;
    if (s.draft.value === text) take(changed);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (s.draft.value !== text) return;
    const { problems } = error.mistake;
    s.draftProblems.value = problems.length
      ? problems
      : [{ text: error.message, advice: "", line: 0, column: 0, path: [], bodies: [] }];
    s.say(error.message);
  }
}

export async function undo(): Promise<void> {
  if (!s.doc.value?.undo) return s.say(words.nothingToUndo);
  const changed = await tried("undo", {});
  if (changed) {
    s.say(`${words.undo}: ${s.doc.value?.undo ?? ""}`);
    take(changed);
  }
}

export async function redo(): Promise<void> {
  if (!s.doc.value?.redo) return s.say(words.nothingToRedo);
  const changed = await tried("redo", {});
  if (changed) {
    s.say(`${words.redo}: ${s.doc.value?.redo ?? ""}`);
    take(changed);
  }
}

export async function openLibrary(): Promise<void> {
  s.dialog.value = "library";
  const list = await tried("library", {});
  if (list) s.library.value = list.entries;
}

export async function openEntry(source: "gallery" | "file", name: string): Promise<void> {
  const changed = await tried("open", { source, name });
  if (!changed) return;
  s.dialog.value = null;
  s.tool.value = "select";
  take(changed);
  s.say(words.library.opened(changed.document.name));
}

export async function startNew(plane: boolean): Promise<void> {
  const changed = await tried("new", { name: "mechanism", plane, units: "mm" });
  if (!changed) return;
  batch(() => {
    s.dialog.value = null;
    s.screen.value = "edit";
    s.tool.value = "bar";
  });
  take(changed);
}

/** A dropped or chosen file. */
export async function importFile(file: File): Promise<void> {
  const at = new URL(`api/import?name=${encodeURIComponent(file.name)}`, document.baseURI);
  const response = await fetch(at, { method: "POST", body: file });
  const said = (await response.json()) as
    | { type: "done"; result: { change: Changed; report: string[] } }
    | { type: "error"; error: { text: string } };
  if (said.type === "error") return s.notice("bad", said.error.text);
  s.dialog.value = null;
  s.tool.value = "select";
  take(said.result.change);
  s.report.value = said.result.report;
  s.say(words.library.opened(file.name));
}

export async function save(path?: string): Promise<void> {
  const saved = await tried("save", path === undefined ? {} : { path });
  if (!saved) return;
  s.doc.value = saved.document;
  s.notice("good", words.exports.written(saved.file));
}

export async function readScript(): Promise<void> {
  if (!hasBodies()) {
    s.script.value = "";
    return;
  }
  const found = await tried("python", {});
  if (found) s.script.value = found.text;
}

// Moving by hand.

interface Pull { point: string; target: number[] }
let pulling = false;
let waitingPull: Pull | null = null;

/** Pull a point towards a target; of targets that wait only the newest is asked for. */
export async function drag(point: string, target: number[]): Promise<void> {
  if (pulling) {
    waitingPull = { point, target };
    return;
  }
  pulling = true;
  s.playing.value = false;
  s.frames.value = null;
  const stance = await tried("drag", { point, target });
  pulling = false;
  if (stance && !stance.skipped) stand(stance);
  const next = waitingPull;
  waitingPull = null;
  if (next) await drag(next.point, next.target);
}

function stand(stance: Stance): void {
  const before = s.stance.value?.outcome ?? "Done";
  s.stance.value = stance;
  if (stance.outcome !== "Done" && stance.outcome !== before) s.say(`${stance.text} ${stance.advice}`);
}

export async function drive(name: string, value: number): Promise<void> {
  s.playing.value = false;
  s.frames.value = null;
  const stance = await tried("drive", { values: { [name]: value } });
  if (stance) stand(stance);
}

export async function rest(): Promise<void> {
  s.playing.value = false;
  s.frames.value = null;
  const stance = await tried("rest", {});
  if (stance) stand(stance);
}

export async function adopt(source: "branch" | "assembly" | "component", number: number, sample = 0): Promise<void> {
  s.playing.value = false;
  const stance = await tried("adopt", { source, number, sample });
  if (!stance) return;
  batch(() => {
    s.motion.value = null;
    s.frames.value = null;
    stand(stance);
  });
  requestAnimationFrame(() => view.value?.include());
}

export async function keepPosition(): Promise<void> {
  if (await edit([{ op: "place", frame: null }], words.move.keep)) s.notice("good", words.move.kept);
}

// Heavy work.

const hasBodies = () => Object.keys(s.members("bodies")).length > 0;

export async function check(): Promise<void> {
  if (!hasBodies()) return;
  for (const task of s.tasks.value) if (task.label === words.check.title) void link.ask("cancel", { of: task.id }).answer.catch(() => undefined);
  const found = await worked("check", {}, words.check.title);
  if (found) s.checked.value = found;
}

export async function fix(proposal: Fix): Promise<void> {
  const operations = proposal.operations as Operation[];
  if (await edit(operations, proposal.text)) {
    s.notice("good", words.check.fixed(proposal.text));
    if (s.screen.value === "edit" && s.tab.value === "check") void check();
  }
}

/** Select the part that is meant, with the bodies about it, and bring it into the middle of the picture. */
export function takeThere(path: readonly (string | number)[], bodies: readonly string[] = []): void {
  const [kind, name] = [String(path[0] ?? ""), String(path[1] ?? "")];
  const parts = bodies.filter((one) => one in s.members("bodies")).map((one) => ({ kind: "bodies", name: one }));
  if (name in s.members(kind)) parts.unshift({ kind, name });
  if (!parts.length) return;
  batch(() => {
    s.frames.value = null;
    s.screen.value = "edit";
    s.selection.value = parts;
    s.pointed.value = kind === "joints" ? name : null;
  });
  s.say(words.outline.selected(parts.map((part) => part.name).join(", ")));
  requestAnimationFrame(() => {
    // Where bodies stand as they were guessed another joint of the loop may be the one that gapes.
    const others = (s.scene.value?.joints ?? []).filter((one) => ["pin", "ball"].includes(one.symbol) && [one.i.body, one.j.body].every((body) => body === null || bodies.includes(s.scene.value?.bodies[body]?.name ?? "")));
    const open = others.map((one) => one.name).reduce((most, one) => (gapOf(one) > gapOf(most) + 1e-9 ? one : most), name);
    if (kind === "joints" && bodies.length) s.pointed.value = open;
    const ends = endsOf(s.pointed.value ?? name);
    const now = view.value;
    if (!now || !ends.length) return;
    const seen = ends.map((place) => now.project(place));
    const middle = [0, 1].map((k) => seen.reduce((sum, p) => sum + (p[k as 0 | 1] ?? 0), 0) / seen.length);
    now.shift(now.element.clientWidth / 2 - (middle[0] ?? 0), now.element.clientHeight / 2 - (middle[1] ?? 0));
  });
}

/** Where the two sides of a joint are now, in the picture. */
export function endsOf(joint: string): number[][] {
  const now = view.value;
  const symbol = s.scene.value?.joints.find((one) => one.name === joint);
  return now && symbol ? [symbol.i, symbol.j].map((end) => now.place(end.body, end.point)) : [];
}

export function gapOf(joint: string): number {
  const [a, b] = endsOf(joint);
  return a && b ? Math.hypot(...a.map((x, k) => x - (b[k] ?? 0))) : 0;
}

export async function wiggle(freedom: number, label: string): Promise<void> {
  const found = await tried("wiggle", { freedom });
  if (found) goRound(found.frames, label);
}

/** Show positions one after the other, again and again. */
export function goRound(frames: number[][], label: string): void {
  batch(() => {
    s.playing.value = false;
    s.frames.value = frames;
    s.frameLabel.value = label;
  });
  s.say(label);
}

/** What was read off a motion that is no more. */
function forgetMotion(): void {
  s.vectors.value = [];
  s.centrodes.value = null;
  s.freeBody.value = null;
}

function showMotion(found: Played, isQuiet = false): void {
  batch(() => {
    forgetMotion();
    s.motion.value = found;
    s.stance.value = null;
    s.frames.value = null;
    const times = (found.scene as { times: number[] }).times;
    s.time.value = times[0] ?? 0;
    s.playing.value = !isQuiet && times.length > 1 && !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  });
  if (found.outcome !== "Done") s.notice("plain", found.text, found.advice);
  else s.say(found.summary);
  void readPlots();
  void readVectors();
}

export async function sweep(until?: string, isQuiet = false): Promise<void> {
  const fields: Asked<"sweep"> = { trace: s.traced.value };
  if (until) fields.until = amount(until);
  const found = await worked("sweep", fields, words.move.run);
  if (found) showMotion(found, isQuiet);
}

export async function simulate(until: string, steps: number): Promise<void> {
  const found = await worked(
    "simulate",
    { until: amount(until), steps, trace: s.traced.value },
    words.forces.simulate,
  );
  if (found) showMotion(found);
}

export async function statics(): Promise<void> {
  const found = await worked("statics", {}, words.forces.statics);
  if (!found) return;
  batch(() => {
    s.motion.value = null;
    s.restWords.value = found.words;
    stand(found.stance);
  });
}

export async function findModes(): Promise<void> {
  const found = await worked("modes", {}, words.forces.modes);
  if (!found) return;
  batch(() => {
    s.modes.value = found.modes;
    s.modeWords.value = found.words;
  });
}

/** Bare digits are a number, everything else is a text with a unit or a formula. */
export function amount(text: string): number | string {
  const trimmed = text.trim();
  return trimmed !== "" && Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
}

export async function addPlot(name: string): Promise<void> {
  const clean = name.trim();
  if (!clean || s.plots.value.some((row) => row.name === clean)) return;
  s.plots.value = [...s.plots.value, { name: clean, times: [], columns: [], against: null, problem: "" }];
  await readPlots();
}

export function removePlot(name: string): void {
  s.plots.value = s.plots.value.filter((row) => row.name !== name);
}

/** Read every plotted quantity off the last motion; one that cannot be read says why. */
export async function readPlots(): Promise<void> {
  if (!s.motion.value) return;
  for (const { name } of s.plots.value) {
    let change: Partial<s.PlotRow>;
    try {
      const { times, against, columns } = await link.ask("read", { names: [name], against: s.against.value }).answer;
      change = { times, columns, against, problem: "" };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      change = { times: [], columns: [], against: null, problem: error.message };
    }
    s.plots.value = s.plots.value.map((row) => (row.name === name ? { ...row, ...change } : row));
  }
}

export async function findConfigurations(): Promise<void> {
  const before = stops;
  batch(() => {
    s.components.value = [];
    s.curves.value = null;
    s.curvesProblem.value = "";
    s.assemblies.value = null;
  });
  const found = await worked("assemblies", {}, words.configurations.assemblies);
  if (found) s.assemblies.value = found;
  if (stops !== before) return;
  const curves = await worked("motions", {}, words.configurations.motions, (component, axes, units) => {
    batch(() => {
      s.components.value = [...s.components.value, component];
      s.axes.value = axes;
      s.units.value = units;
    });
    s.say(`${words.configurations.component(component.number)}: ${component.text}`);
  }, (text) => {
    s.curvesProblem.value = text;
    s.say(text);
  });
  if (curves) {
    batch(() => {
      s.curves.value = curves;
      s.components.value = curves.components;
      s.axes.value = curves.axes;
      s.units.value = curves.units;
    });
  }
}

// Design: a path is sketched, mechanisms are found for it, one is taken and led nearer.

/** Put another path in place of the one that was sketched. */
export function sketchAs(places: readonly (readonly number[])[]): void {
  batch(() => {
    s.sketch.value = places;
    s.refined.value = null;
  });
}

export async function findDesigns(): Promise<void> {
  const path = s.sketch.value.map((place) => [...place]);
  s.sketching.value = false;
  const found = await worked("design", { path, count: 8 }, words.design.find);
  if (!found) return;
  s.designs.value = found;
  s.say(found.words);
}

export async function takeDesign(number: number, point: string): Promise<void> {
  const changed = await tried("take", { number });
  if (!changed) return;
  take(changed);
  s.traced.value = [point];
  await sweep();
}

export async function refine(point: string, share: number, seconds: number): Promise<void> {
  const path = s.sketch.value.map((place) => [...place]);
  const found = await worked("refine", { point, path, share, seconds }, words.design.refine);
  if (!found) return;
  s.say(found.words);
  if (found.fix && (await edit(found.fix.operations as Operation[], `${words.design.refine}: ${point}`))) await sweep();
  s.refined.value = found;
}

export async function exportAs(ending: string): Promise<void> {
  const written = await worked("export", { ending }, `${words.exports.title} ${ending}`);
  if (!written) return;
  const made = document.createElement("a");
  made.href = new URL(written.url.replace(/^\//, ""), document.baseURI).href;
  made.download = written.name;
  document.body.append(made);
  made.click();
  made.remove();
  s.notice("good", words.exports.written(written.name), written.report.join(" "));
}

/** Velocities and accelerations of the points that are traced, or of those that stand out. */
export async function readVectors(): Promise<void> {
  const motion = s.motion.value;
  if (!motion || !(s.arrows.value.velocity || s.arrows.value.acceleration)) return;
  const seen = (motion.scene as { traces?: { name: string }[] }).traces?.map((trace) => trace.name) ?? [];
  const lone = s.points.value.filter((point) => point.is_draggable && point.name.includes(".")).map((point) => point.name);
  const points = (s.traced.value.length ? s.traced.value : seen.length ? seen : lone).slice(0, 12);
  if (!points.length) return;
  const found = await tried("vectors", { points });
  if (found && s.motion.value === motion) s.vectors.value = found.points;
}

export function showArrows(which: s.Arrow): void {
  s.arrows.value = { ...s.arrows.value, [which]: !s.arrows.value[which] };
  if (!s.vectors.value.length) void readVectors();
}

export async function findCentrodes(body: string): Promise<void> {
  s.centrodes.value = null;
  if (!body) return;
  const found = await tried("centrodes", { body });
  if (found) s.centrodes.value = { ...found, body };
}

let balancing = false;

/** The forces on a body at a moment; asked again as the moment changes, one at a time. */
export async function freeBody(body: string, sample: number): Promise<void> {
  if (!body) {
    s.freeBody.value = null;
    return;
  }
  if (balancing) return;
  balancing = true;
  const found = await tried("free_body", { body, sample });
  balancing = false;
  s.freeBody.value = found;
}
