// What stands beside the drawing in Edit: parts, properties, parameters, text and script.

import { useEffect, useRef, useState } from "preact/hooks";
import { amount, edit, readScript, write, type Operation } from "../app/actions";
import { copySelected, removeSelected } from "../app/commands";
import * as s from "../app/state";
import { fromShown, shownUnit } from "../edit/units";
import { words } from "../words";
import { Button, Field, Icon, Section } from "./bits";
import { selectBody } from "./overlay";

const KINDS = Object.keys(words.outline.kinds);

/** The parts of the document as a list: the way to select without a pointer. */
export function Outline() {
  const chosen = new Set(s.selection.value.map((part) => `${part.kind}/${part.name}`));
  const groups = KINDS.map((kind) => [kind, Object.keys(s.members(kind))] as const).filter(([, names]) => names.length);
  return (
    <Section title={words.outline.title}>
      {groups.length ? null : <p class="hint">{words.outline.empty}</p>}
      {groups.map(([kind, names]) => (
        <details key={kind} open>
          <summary>
            {words.outline.kinds[kind]} <span class="count">{names.length}</span>
          </summary>
          <ul class="parts">
            {names.map((name) => (
              <li key={name}>
                <button
                  type="button"
                  class="part"
                  aria-pressed={chosen.has(`${kind}/${name}`)}
                  onClick={(event) => pick(kind, name, event.shiftKey || event.ctrlKey || event.metaKey)}
                >
                  <span class={`swatch ${swatch(kind, name)}`} aria-hidden="true" />
                  {name}
                </button>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </Section>
  );
}

function swatch(kind: string, name: string): string {
  if (kind !== "bodies") return "none";
  const colour = s.scene.value?.bodies.find((body) => body.name === name)?.colour ?? null;
  return colour === null ? "tone-n" : `tone-${colour % 8}`;
}

function pick(kind: string, name: string, more: boolean): void {
  if (kind === "parameters") {
    s.tab.value = "parameters";
    return;
  }
  s.tab.value = "properties";
  if (kind === "bodies") return selectBody(name, more);
  s.selection.value = more ? [...s.selection.value, { kind, name }] : [{ kind, name }];
  s.say(words.outline.selected(name));
}

/** The record of the selected part, number by number. */
export function Inspector() {
  const [part] = s.selection.value;
  if (!part) return <Section title={words.inspector.title}><p class="hint">{words.inspector.none}</p></Section>;
  const many = s.selection.value.length;
  const record = s.members(part.kind)[part.name];
  const actions = (
    <>
      {part.kind === "bodies" ? <Button label={words.inspector.copy} icon="copy" keys="Ctrl D" bare kind="quiet" act={copySelected} /> : null}
      <Button label={words.inspector.remove} icon="trash" keys="Delete" bare kind="quiet" act={removeSelected} />
    </>
  );
  if (many > 1) {
    return (
      <Section title={words.inspector.several(many)} aside={actions}>
        <p class="hint">{s.selection.value.map((one) => one.name).join(", ")}</p>
      </Section>
    );
  }
  const isLocked = s.locks.value.has(part.name);
  const isBar = part.kind === "bodies" && s.points.value.some((point) => point.name === `${part.name}.end`);
  return (
    <Section title={part.name} aside={actions}>
      {part.kind === "drives" ? null : (
        <Field
          label={words.inspector.rename}
          value={part.name}
          change={(to) => {
            void edit([{ op: "rename", path: [part.kind, part.name], to }], `${words.inspector.rename} ${to}`).then((isDone) => {
              if (isDone) s.selection.value = [{ kind: part.kind, name: to }];
            });
          }}
        />
      )}
      {isBar ? (
        <Button
          label={isLocked ? words.draft.locked : words.draft.unlocked}
          icon={isLocked ? "lock" : "unlock"}
          pressed={isLocked}
          act={() => {
            const next = new Set(s.locks.value);
            if (isLocked) next.delete(part.name);
            else next.add(part.name);
            s.locks.value = next;
          }}
        />
      ) : null}
      {part.kind === "bodies" && !s.isPlane.value ? <Placing key={part.name} name={part.name} /> : null}
      <Values value={record} path={[part.kind, part.name]} />
    </Section>
  );
}

type Path = (string | number)[];

/** Any piece of a document as fields: a number or a word is a line, what holds more is a group. */
function Values({ value, path }: { value: unknown; path: Path }) {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "number") return <Leaf label={String(path[path.length - 1])} value={value} path={path} />;
  if (typeof value !== "object") return null;
  if (Array.isArray(value)) {
    if (value.every((one) => typeof one === "number" || typeof one === "string") && value.length <= 4) {
      const letters = value.length <= 3 ? ["x", "y", "z"] : ["w", "x", "y", "z"];
      return (
        <fieldset class="row-fields">
          <legend>{String(path[path.length - 1])}</legend>
          {value.map((one, k) => <Leaf key={k} label={letters[k] ?? String(k)} value={one as number | string} path={[...path, k]} />)}
        </fieldset>
      );
    }
    return <p class="hint">{String(path[path.length - 1])}: {JSON.stringify(value).slice(0, 120)}</p>;
  }
  return (
    <>
      {Object.entries(value).map(([key, inner]) =>
        typeof inner === "object" && inner !== null && !Array.isArray(inner) ? (
          <fieldset class="group-fields" key={key}>
            <legend>{key}</legend>
            <Values value={inner} path={[...path, key]} />
          </fieldset>
        ) : typeof inner === "boolean" ? (
          <label class="tick" key={key}>
            <input type="checkbox" checked={inner} onChange={() => void edit([{ op: "set", path: [...path, key], value: !inner }], key)} /> {key}
          </label>
        ) : (
          <Values key={key} value={inner} path={[...path, key]} />
        ),
      )}
    </>
  );
}

const LENGTHS = new Set(["length", "radius", "offset", "rest_length"]);
const ANGLES = new Set(["angle", "phase", "rest_angle"]);
const PLACES = new Set(["at", "points", "centre"]);

/** What a bare number there means, in brackets: the document says in which units it is written. */
function unitOf(path: Path): string {
  const named = path.filter((one): one is string => typeof one === "string");
  const last = named[named.length - 1] ?? "";
  const isPlace = typeof path[path.length - 1] === "number" && named.some((one) => PLACES.has(one));
  const units = (s.doc.value?.data["units"] ?? {}) as Record<string, string>;
  if (isPlace || LENGTHS.has(last)) return ` (${units["length"] ?? "m"})`;
  return ANGLES.has(last) ? ` (${units["angle"] ?? "rad"})` : "";
}

function Leaf({ label, value, path }: { label: string; value: number | string; path: Path }) {
  const text = typeof value === "number" ? String(Number(value.toPrecision(10))) : value;
  return (
    <Field
      label={typeof value === "number" ? `${label}${unitOf(path)}` : label}
      value={text}
      change={(next) => void edit([{ op: "set", path, value: amount(next) }], `${path.slice(1).join(".")} = ${next}`)}
    />
  );
}

/** A body of space moved and turned by numbers, in the axes of the drawing. */
function Placing({ name }: { name: string }) {
  const [by, setBy] = useState(["", "", ""]);
  const [turn, setTurn] = useState(["", "", ""]);
  const letters = ["x", "y", "z"];
  const apply = () => {
    const operations: Operation[] = [];
    const moved = by.map((text) => (text.trim() === "" ? 0 : fromShown(text)));
    const turned = turn.map((text) => (text.trim() === "" ? 0 : Number(text)));
    if (moved.some((x) => x === null) || turned.some((x) => !Number.isFinite(x))) return s.notice("bad", words.draft.notNumbers);
    if (moved.some((x) => x !== 0)) operations.push({ op: "move", path: ["bodies", name], by: moved.map((x) => x ?? 0) });
    // One axis after the other, x first.
    turned.forEach((angle, k) => {
      if (angle) operations.push({ op: "move", path: ["bodies", name], turn: letters.map((_, n) => (n === k ? (angle * Math.PI) / 180 : 0)) });
    });
    if (operations.length) void edit(operations, `${words.gizmo.move} ${name}`);
  };
  const row = (title: string, values: string[], set: (next: string[]) => void) => (
    <fieldset class="row-fields">
      <legend>{title}</legend>
      {letters.map((letter, k) => {
        const give = (text: string) => set(values.map((old, n) => (n === k ? text : old)));
        return <Field key={letter} label={letter} value={values[k] ?? ""} change={give} input={give} />;
      })}
    </fieldset>
  );
  return (
    <div class="group-fields">
      {row(`${words.gizmo.moveBy} (${shownUnit()})`, by, setBy)}
      {row(words.gizmo.turnBy, turn, setTurn)}
      <Button label={words.gizmo.apply} act={apply} />
    </div>
  );
}

let slides = 0;

/** Named numbers, each with a slider of half to twice what it was. */
export function Parameters() {
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const known = s.shown.value?.parameters ?? [];
  return (
    <Section title={words.parameters.title}>
      {known.length ? null : <p class="hint">{words.parameters.none}</p>}
      {known.map((one) => <Parameter key={one.name} name={one.name} given={one.given} />)}
      <div class="row-fields">
        <Field label={words.parameters.name} value={name} change={setName} input={setName} />
        <Field label={words.parameters.value} value={value} change={setValue} input={setValue} hint="30 mm" />
        <Button
          label={words.parameters.add}
          icon="plus"
          bare
          act={() => {
            if (!name.trim() || !value.trim()) return;
            void edit([{ op: "set", path: ["parameters", name.trim()], value: amount(value) }], words.draft.added(name));
            setName("");
            setValue("");
          }}
        />
      </div>
    </Section>
  );
}

function Parameter({ name, given }: { name: string; given: number | string }) {
  const [number, unit] = parted(given);
  const middle = useRef(number);
  const merge = useRef("");
  const record = s.members("parameters")[name] as unknown;
  const path = typeof record === "object" && record !== null ? ["parameters", name, "value"] : ["parameters", name];
  const set = (next: number | string, join: string) =>
    void edit([{ op: "set", path, value: next }], `${name} = ${next}`, join);
  const base = Math.abs(middle.current ?? 0) || 1;
  return (
    <div class="parameter">
      <Field label={name} value={String(given)} change={(text) => set(amount(text), "")} />
      {number === null ? null : (
        <input
          type="range"
          aria-label={name}
          min={(middle.current ?? 0) - 0.5 * base}
          max={(middle.current ?? 0) + base}
          step={base / 200}
          value={number}
          onPointerDown={() => {
            slides += 1;
            merge.current = `parameter-${name}-${slides}`;
          }}
          onInput={(event) => {
            const next = Number(Number(event.currentTarget.value).toPrecision(6));
            slide(() => set(unit ? `${next} ${unit}` : next, merge.current || `parameter-${name}`));
          }}
        />
      )}
    </div>
  );
}

let pending: number | undefined;

/** Of what a slider says within a frame only the last counts. */
function slide(run: () => void): void {
  if (pending !== undefined) cancelAnimationFrame(pending);
  pending = requestAnimationFrame(run);
}

function parted(given: number | string): [number | null, string] {
  if (typeof given === "number") return [given, ""];
  const found = /^\s*([-+]?[\d.]+(?:e[-+]?\d+)?)\s*([a-zA-Z%/^0-9 *]*)$/.exec(given);
  return found && found[1] !== undefined ? [Number(found[1]), (found[2] ?? "").trim()] : [null, ""];
}

/** The model file as text, both ways: mistakes are told where they are, while one types. */
export function Mirror() {
  const area = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLDivElement>(null);
  const text = s.draft.value ?? s.doc.value?.text ?? "";
  const problems = s.draftProblems.value;
  const bad = new Set(problems.map((problem) => problem.line));
  const lines = text.split("\n").length;
  return (
    <Section title={words.mirror.title}>
      <div class="mirror">
        <div class="gutter" ref={gutter} aria-hidden="true">
          {Array.from({ length: lines }, (_, k) => <span key={k} class={bad.has(k + 1) ? "bad" : ""}>{k + 1}</span>)}
        </div>
        <textarea
          ref={area}
          aria-label={words.mirror.label}
          aria-invalid={problems.length > 0}
          aria-describedby="mirror-says"
          spellcheck={false}
          wrap="off"
          value={text}
          onInput={(event) => write(event.currentTarget.value)}
          onScroll={(event) => {
            if (gutter.current) gutter.current.scrollTop = event.currentTarget.scrollTop;
          }}
        />
      </div>
      <div id="mirror-says" class="mirror-says" role="status">
        {problems.length === 0 ? <p class="good"><Icon name="check" /> {words.mirror.good}</p> : null}
        {problems.map((problem, k) => (
          <p class="bad" key={k}>
            {problem.line ? <button type="button" class="link" onClick={() => goToLine(area.current, problem.line)}>{words.mirror.line(problem.line)}</button> : null}{" "}
            {problem.text} {problem.advice}
          </p>
        ))}
      </div>
    </Section>
  );
}

function goToLine(area: HTMLTextAreaElement | null, line: number): void {
  if (!area) return;
  const before = area.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  area.focus();
  area.setSelectionRange(before, before + (area.value.split("\n")[line - 1]?.length ?? 0));
}

export function Script() {
  const revision = s.doc.value?.revision;
  useEffect(() => {
    void readScript();
  }, [revision]);
  return (
    <Section
      title={words.python.title}
      aside={
        <Button
          label={words.python.copy}
          icon="copy"
          act={() => void navigator.clipboard.writeText(s.script.value).then(() => s.notice("good", words.python.copied))}
        />
      }
    >
      {s.script.value ? null : <p class="hint">{words.python.empty}</p>}
      <pre class="script" tabIndex={0} role="region" aria-label={words.python.label} hidden={!s.script.value}>{s.script.value}</pre>
    </Section>
  );
}
