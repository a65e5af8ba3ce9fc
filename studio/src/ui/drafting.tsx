// The tools, and the lines in which the same can be typed that the pointer can click.

import type { JSX } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { view } from "../app/clock";
import * as s from "../app/state";
import { spotWords, type Spot } from "../edit/making";
import { drivableJoints, ENDS, JOINTS, SOLIDS } from "../edit/spatial";
import * as tools from "../edit/tools";
import { metres } from "../edit/units";
import { words } from "../words";
import { Button, Field, Section } from "./bits";

const TOOLS: [s.Tool, string?][] = [
  ["select", "V"], ["bar", "L"], ["solid"], ["pin", "P"], ["joint", "J"], ["slider", "S"], ["slot"], ["curve"], ["wheel"], ["gear"], ["rack"],
  ["spring"], ["damper"], ["mass"], ["force"], ["motor"], ["drive"], ["point"],
];

export function ToolBar() {
  return (
    <div class="tools" role="toolbar" aria-label={words.tools.label} aria-orientation="vertical">
      {TOOLS.filter(([name]) => (s.isPlane.value ? name !== "solid" : tools.IN_SPACE.includes(name))).map(([name, keys]) => (
        <Button
          key={name}
          label={name === "joint" && !s.isPlane.value ? words.tools.spaceJoint : words.tools[name]}
          icon={name}
          {...(keys ? { keys } : {})}
          pressed={s.tool.value === name}
          kind="quiet"
          act={() => tools.choose(name)}
        />
      ))}
    </div>
  );
}

/** What the chosen tool wants to know, typed. */
export function DraftPanel() {
  const now = s.tool.value;
  const start = tools.first.value;
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const [angle, setAngle] = useState("");
  // Before the next key can come: what somebody types at once must not be wiped afterwards.
  useLayoutEffect(() => {
    setFrom(start ? spotWords(start) : "");
    setTo("");
  }, [start, now]);
  if (now === "select") return null;
  const isSpace = !s.isPlane.value;
  if (isSpace && now === "joint") return <SpaceJoint />;
  const isTwo = tools.TWO_ENDED.has(now) || now === "curve";
  const isBody = tools.OF_BODIES.has(now);
  const [fromWord, toWord] = now === "curve" ? [words.draft.rider, words.draft.station1] : [words.draft.from, words.draft.to];
  return (
    <Section title={words.tools[now]}>
      <p class="hint">{(isSpace ? words.tools.spaceHints[now] : undefined) ?? words.tools.hints[now]}</p>
      <datalist id="known-points">{s.points.value.map((point) => <option key={point.name} value={point.name} />)}</datalist>
      <datalist id="known-joints">{drivableJoints().map((name) => <option key={name} value={name} />)}</datalist>
      <datalist id="known-bodies">{Object.keys(s.members("bodies")).map((name) => <option key={name} value={name} />)}</datalist>
      <form
        class="draft-form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(from, to, angle);
        }}
      >
        {isBody ? (
          <Field id="draft-from" label={isSpace && now === "drive" ? words.tools.spaceJoint : words.draft.body} value={from} change={setFrom} input={setFrom} list={isSpace && now === "drive" ? "known-joints" : "known-bodies"} />
        ) : (
          <Field id="draft-from" label={isTwo ? fromWord : words.draft.at} value={from} change={setFrom} input={setFrom} list="known-points" hint={isSpace ? words.draft.spacePlace : words.draft.place} />
        )}
        {isTwo || now === "point" ? (
          <Field label={now === "point" ? words.draft.at : toWord} value={to} change={setTo} input={setTo} list="known-points" hint={isSpace ? words.draft.spacePlace : now === "point" ? "x, y" : words.draft.place} />
        ) : null}
        {now === "bar" && !isSpace ? (
          <div class="row-fields">
            <Field
              label={`${words.draft.length} (${tools.unitHint()})`}
              value={tools.lengthText.value}
              input={(text) => {
                tools.lengthText.value = text;
              }}
              change={(text) => {
                tools.lengthText.value = text;
              }}
            />
            <Field label={`${words.draft.angle} (deg)`} value={angle} change={setAngle} input={setAngle} />
          </div>
        ) : null}
        <Options tool={now} />
        <button type="submit" class="button main">{words.draft.add}</button>
        {now === "curve" ? (
          <>
            <Button label={words.draft.finish} act={() => void tools.finishCurve()} />
            <p class="hint">{words.draft.stations(tools.stations.value.length)}</p>
          </>
        ) : null}
      </form>
    </Section>
  );
}

type Texts = { [K in keyof typeof tools.options.value]: (typeof tools.options.value)[K] extends string ? K : never }[keyof typeof tools.options.value];
type Ticks = Exclude<keyof typeof tools.options.value, Texts>;

function Options({ tool }: { tool: s.Tool }) {
  const all = tools.options.value;
  const put = (key: keyof typeof all, value: string | boolean) => {
    tools.options.value = { ...tools.options.value, [key]: value };
  };
  const field = (key: Texts, label: string) => <Field label={label} value={all[key]} input={(text) => put(key, text)} change={() => undefined} />;
  const tick = (key: Ticks, label: string) => (
    <label class="tick"><input type="checkbox" checked={all[key]} onChange={() => put(key, !all[key])} /> {label}</label>
  );
  const pair = (one: JSX.Element, other: JSX.Element) => <div class="row-fields">{one}{other}</div>;
  const isSpace = !s.isPlane.value;
  const pick = (key: Texts, label: string, known: readonly string[]) => <Choice label={label} value={all[key]} known={known} put={(text) => put(key, text)} />;
  switch (tool) {
    case "bar": return isSpace ? pair(pick("ends", words.draft.ends, ENDS), field("way", words.draft.axis)) : null;
    case "solid": return pair(pick("solid", words.inspector.type, SOLIDS), field("size", `${words.draft.size} (${tools.unitHint()})`));
    case "spring": return field("stiffness", words.draft.stiffness);
    case "damper": return field("damping", words.draft.damping);
    case "mass": return field("mass", words.draft.mass);
    case "drive": return field("speed", words.draft.speed);
    case "slider": return field("axis", words.draft.angle);
    case "rack": return <>{field("axis", words.draft.angle)}{tick("fresh", words.draft.fresh)}</>;
    case "force": if (isSpace) return <div class="row-fields">{field("pullX", "x (N)")}{field("pullY", "y (N)")}{field("pullZ", "z (N)")}</div>;
      return pair(field("pullX", `${words.draft.pull} x (N)`), field("pullY", `${words.draft.pull} y (N)`));
    case "motor": return pair(field("stall", words.draft.stall), field("noLoad", words.draft.noLoad));
    case "gear": return (
      <>
        {pair(field("teethA", `${words.draft.teeth} 1`), field("teethB", `${words.draft.teeth} 2`))}
        {tick("internal", words.draft.internal)}
        {tick("fresh", words.draft.fresh)}
      </>
    );
    case "curve": return tick("closed", words.draft.closed);
    default: return null;
  }
}

function Choice({ label, value, known, put }: { label: string; value: string; known: readonly string[]; put: (text: string) => void }) {
  return (
    <label class="field">
      <span class="field-label">{label}</span>
      <select value={value} onChange={(event) => put(event.currentTarget.value)}>
        {known.map((one) => <option key={one} value={one}>{words.draft.kinds[one] ?? one}</option>)}
      </select>
    </label>
  );
}

/** A joint of space: two bodies, a place, an axis; clicks on points and bodies fill them in. */
function SpaceJoint() {
  const all = tools.options.value;
  const start = tools.first.value;
  const bodies = ["ground", ...Object.keys(s.members("bodies"))];
  const [at, setAt] = useState("");
  const [first, setFirst] = useState("ground");
  useLayoutEffect(() => {
    if (!start) return;
    setAt(spotWords(start));
    if (start.point) setFirst(start.point.body);
  }, [start]);
  const put = (key: "joint" | "way" | "second", value: string) => {
    tools.options.value = { ...tools.options.value, [key]: value };
  };
  const second = bodies.includes(all.second) ? all.second : (bodies[bodies.length - 1] ?? "ground");
  const chosen = bodies.includes(first) ? first : "ground";
  return (
    <Section title={words.tools.spaceJoint}>
      <p class="hint">{words.tools.spaceHints["joint"]}</p>
      <datalist id="known-points">{s.points.value.map((point) => <option key={point.name} value={point.name} />)}</datalist>
      <form
        class="draft-form"
        onSubmit={(event) => {
          event.preventDefault();
          const spot = spotOf(at);
          if (spot) void tools.makeJoint(chosen, second, spot, all.way, all.joint).then((isMade) => {
            if (isMade) tools.first.value = null;
          });
        }}
      >
        <Choice label={words.inspector.type} value={all.joint} known={JOINTS} put={(text) => put("joint", text)} />
        <div class="row-fields">
          <Choice label={words.draft.firstBody} value={chosen} known={bodies} put={setFirst} />
          <Choice label={words.draft.secondBody} value={second} known={bodies} put={(text) => put("second", text)} />
        </div>
        <Field id="draft-from" label={words.draft.at} value={at} change={setAt} input={setAt} list="known-points" hint={words.draft.spacePlace} />
        <Field label={words.draft.axis} value={all.way} input={(text) => put("way", text)} change={() => undefined} />
        <button type="submit" class="button main">{words.draft.add}</button>
      </form>
    </Section>
  );
}

async function submit(from: string, to: string, angle: string): Promise<void> {
  const now = s.tool.value;
  if (tools.OF_BODIES.has(now)) {
    const isJoint = now === "drive" && !s.isPlane.value && from.trim() in s.members("joints");
    if (!isJoint && !(from.trim() in s.members("bodies"))) return s.notice("bad", words.draft.notABody(from));
    const spot = now === "point" ? spotOf(to) : null;
    if (now === "point" && !spot) return;
    await tools.useBody(from.trim(), spot?.at ?? null);
    return;
  }
  const start = spotOf(from);
  if (!start) return;
  if (now === "curve") {
    if (!tools.first.value) await tools.use(start);
    const next = to.trim() === "" || !tools.first.value ? null : spotOf(to);
    if (next) await tools.use(next);
    return;
  }
  if (!tools.TWO_ENDED.has(now)) {
    await tools.use(start);
    return;
  }
  let end: Spot | null = null;
  if (to.trim() !== "") {
    end = spotOf(to);
    if (!end) return;
  } else if (now === "bar") {
    end = polar(start, angle);
  }
  if (!end) return s.notice("bad", words.draft.needTwo);
  tools.first.value = start;
  if (now === "bar") await tools.makeBar(start, end);
  else await tools.use(end);
  document.getElementById("draft-from")?.focus();
}

function spotOf(text: string): Spot | null {
  const spot = tools.spotFrom(view.value, text);
  if (!spot) s.notice("bad", words.draft.notAPlace(text, s.isPlane.value));
  return spot;
}

/** The end of a bar of the typed length in the typed direction. */
function polar(start: Spot, angle: string): Spot | null {
  const typed = Number(tools.lengthText.value);
  const turn = Number(angle.trim() === "" ? "0" : angle);
  if (!tools.lengthText.value.trim() || !Number.isFinite(typed) || !Number.isFinite(turn)) return null;
  const length = metres(typed) ?? typed;
  const way = (turn * Math.PI) / 180;
  return { point: null, at: [start.at[0] + length * Math.cos(way), start.at[1] + length * Math.sin(way), 0] };
}
