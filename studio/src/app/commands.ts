// Everything that the page can do, by name and key: for the keyboard, the palette and the list of keys.

import { choose } from "../edit/tools";
import { words } from "../words";
import * as act from "./actions";
import { pause, play, seek, step, view } from "./clock";
import * as s from "./state";

export interface Command {
  label: string;
  keys?: string; // as people read it
  run: () => void;
  when?: () => boolean;
}

const isMoving = () => s.isMoving.value;

export function go(screen: s.Screen): void {
  pause();
  s.stance.value = null;
  s.screen.value = screen;
  s.notices.value = s.notices.value.filter((one) => one.tone !== "bad"); // they were about what one did there
  s.sketching.value = screen === "design" && s.sketch.value.length === 0 && s.isPlane.value;
  s.say(words.screens[screen]);
  const drives = Object.keys(s.members("drives")).length;
  if (screen === "move" && !s.motion.value && drives && s.shown.value?.is_assembled && !s.tasks.value.some((task) => task.label === words.move.run)) void act.sweep();
}

function flip(layer: keyof typeof s.layers.value): void {
  s.layers.value = { ...s.layers.value, [layer]: !s.layers.value[layer] };
  s.say(`${words.show[layer]}: ${s.layers.value[layer] ? words.show.on : words.show.off}`);
}

/** The assembly before or after the one that is shown. */
function neighbour(way: number): void {
  const all = s.assemblies.value?.members ?? [];
  if (!all.length) {
    go("configurations");
    void act.findConfigurations();
    return;
  }
  const now = all.findIndex((one) => s.stance.value && same(one.poses, s.stance.value.poses));
  const next = all[(Math.max(now, way > 0 ? -1 : 0) + way + all.length) % all.length];
  if (next) {
    void act.adopt("assembly", next.number);
    s.say(words.configurations.go(next.text));
  }
}

export function same(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((x, k) => Math.abs(x - (b[k] ?? 0)) < 1e-6);
}

export function removeSelected(): void {
  const parts = s.selection.value;
  if (!parts.length) return;
  const names = parts.map((part) => part.name).join(", ");
  void act.edit(
    parts.map((part) => ({ op: "delete", path: [part.kind, part.name], cascade: true })),
    words.inspector.removed(names),
  ).then((isDone) => {
    if (isDone) s.selection.value = [];
  });
}

export function copySelected(): void {
  const parts = s.selection.value.filter((part) => part.kind === "bodies");
  if (!parts.length) return;
  const reach = Math.max(...(s.scene.value?.bodies ?? []).flatMap((b) => b.position.map(Math.abs)), 0.01);
  const by = s.isPlane.value ? [0.1 * reach, 0.1 * reach] : [0.1 * reach, 0.1 * reach, 0];
  const taken = new Set(Object.keys(s.members("bodies")));
  const operations: act.Operation[] = parts.map((part) => {
    let to = `${part.name} copy`;
    for (let k = 2; taken.has(to); k += 1) to = `${part.name} copy ${k}`;
    taken.add(to);
    return { op: "copy", path: [part.kind, part.name], to, by };
  });
  void act.edit(operations, words.inspector.copied(parts.map((part) => part.name).join(", ")));
}

function tool(name: s.Tool, keys?: string): Command {
  return {
    label: `${words.tools.label}: ${words.tools[name]}`,
    ...(keys ? { keys } : {}),
    run: () => {
      if (s.screen.value !== "edit") go("edit");
      choose(name);
    },
  };
}

const LOOKS = ["front", "back", "right", "left", "top", "bottom", "corner"] as const;

export const commands: Command[] = [
  { label: words.play.play, keys: "Space", run: () => (s.playing.value ? pause() : play()), when: isMoving },
  { label: words.play.back, keys: "←", run: () => step(-1), when: isMoving },
  { label: words.play.next, keys: "→", run: () => step(1), when: isMoving },
  { label: words.play.first, keys: "Home", run: () => seek(-Infinity), when: isMoving },
  { label: words.play.last, keys: "End", run: () => seek(Infinity), when: isMoving },
  { label: words.configurations.before, keys: "[", run: () => neighbour(-1) },
  { label: words.configurations.after, keys: "]", run: () => neighbour(1) },
  tool("select", "V"),
  tool("bar", "L"),
  tool("solid"),
  tool("joint", "J"),
  tool("pin", "P"),
  tool("slider", "S"),
  tool("slot"),
  tool("curve"),
  tool("wheel"),
  tool("gear"),
  tool("rack"),
  tool("spring"),
  tool("damper"),
  tool("mass"),
  tool("force"),
  tool("motor"),
  tool("drive"),
  tool("point"),
  { label: words.show.trace, keys: "T", run: () => flip("trace") },
  { label: words.show.ghosts, keys: "H", run: () => flip("ghosts") },
  { label: words.show.forces, keys: "F", run: () => flip("forces") },
  { label: words.show.velocity, keys: "E", run: () => act.showArrows("velocity"), when: isMoving },
  { label: words.show.acceleration, keys: "A", run: () => act.showArrows("acceleration"), when: isMoving },
  { label: words.show.names, keys: "N", run: () => flip("names") },
  { label: words.forces.plots, keys: "G", run: () => go("forces") },
  { label: words.screens.edit, keys: "1", run: () => go("edit") },
  { label: words.screens.move, keys: "2", run: () => go("move") },
  { label: words.screens.configurations, keys: "3", run: () => go("configurations") },
  { label: words.screens.forces, keys: "4", run: () => go("forces") },
  { label: words.screens.design, keys: "5", run: () => go("design") },
  { label: words.undo, keys: "Ctrl Z", run: () => void act.undo() },
  { label: words.redo, keys: "Ctrl Shift Z", run: () => void act.redo() },
  { label: words.inspector.remove, keys: "Delete", run: removeSelected, when: () => s.selection.value.length > 0 },
  { label: words.inspector.copy, keys: "Ctrl D", run: copySelected, when: () => s.selection.value.some((p) => p.kind === "bodies") },
  { label: words.show.zoomIn, keys: "+", run: () => view.value?.zoom(1.25) },
  { label: words.show.zoomOut, keys: "-", run: () => view.value?.zoom(0.8) },
  { label: words.show.home, keys: "0", run: () => view.value?.home() },
  ...LOOKS.map((name): Command => ({ label: `${words.looks.label}: ${words.looks[name]}`, run: () => view.value?.look?.(name), when: () => view.value?.look !== undefined })),
  { label: words.check.title, run: () => { go("edit"); s.tab.value = "check"; void act.check(); } },
  { label: words.mirror.title, run: () => { go("edit"); s.tab.value = "yaml"; } },
  { label: words.python.title, run: () => { go("edit"); s.tab.value = "python"; void act.readScript(); } },
  { label: words.move.run, run: () => { go("move"); void act.sweep(); } },
  { label: words.move.home, run: () => void act.rest() },
  { label: words.move.keep, run: () => void act.keepPosition(), when: () => s.stance.value !== null },
  { label: words.configurations.find, run: () => { go("configurations"); void act.findConfigurations(); } },
  { label: words.forces.statics, run: () => { go("forces"); void act.statics(); } },
  { label: words.forces.modes, run: () => { go("forces"); void act.findModes(); } },
  { label: words.library.open, keys: "Ctrl O", run: () => void act.openLibrary() },
  { label: words.exports.save, keys: "Ctrl S", run: () => void act.save() },
  { label: words.exports.title, keys: "Ctrl E", run: () => { s.dialog.value = "exports"; } },
  { label: words.palette.title, keys: "Ctrl K", run: () => { s.dialog.value = "palette"; } },
  { label: words.help.title, keys: "?", run: () => { s.dialog.value = "help"; } },
];

const NAMED: Record<string, string> = { " ": "Space", ArrowLeft: "←", ArrowRight: "→" };

/** A press of a key as the list of commands spells it. */
function spelled(event: KeyboardEvent): string {
  const parts: string[] = [];
  if (event.ctrlKey || event.metaKey) parts.push("Ctrl");
  const key = NAMED[event.key] ?? (event.key.length === 1 ? event.key.toUpperCase() : event.key);
  if (event.shiftKey && parts.length) parts.push("Shift");
  return [...parts, key].join(" ");
}

const SYNONYMS: Record<string, string> = { "Ctrl Y": "Ctrl Shift Z", Backspace: "Delete", "=": "+" };

/** Arrows turn or move the picture with Shift; other keys are commands where nobody types. */
export function onKey(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  const isTyping = target.matches("input:not([type=range]):not([type=checkbox]), textarea, select");
  const said = spelled(event);
  if (event.key === "Escape") {
    if (s.tool.value !== "select" && s.screen.value === "edit") choose("select");
    else if (s.sketching.value) s.sketching.value = false;
    else if (s.frames.value) pause();
    return;
  }
  if (s.dialog.value || event.altKey) return;
  if (isTyping && !(event.ctrlKey || event.metaKey)) return;
  if (isTyping && /^Ctrl (Z|Y|D|Shift Z)$/.test(said)) return;
  if (event.shiftKey && event.key.startsWith("Arrow")) {
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0];
    view.value?.nudge(dx ?? 0, dy ?? 0);
    event.preventDefault();
    return;
  }
  if (target.matches("button, a, summary, [role=tab], input[type=range]") && (said === "Space" || said === "Enter" || said.match(/^[←→]$|^Home$|^End$/))) return;
  const wanted = SYNONYMS[said] ?? said;
  const found = commands.find((one) => one.keys === wanted && (!one.when || one.when()));
  if (!found) return;
  event.preventDefault();
  found.run();
}
