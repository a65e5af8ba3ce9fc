// The tools, and the lines in which the same can be typed that the pointer can click.

import { useLayoutEffect, useState } from "preact/hooks";
import { view } from "../app/clock";
import * as s from "../app/state";
import { spotWords, type Spot } from "../edit/making";
import * as tools from "../edit/tools";
import { metres } from "../edit/units";
import { words } from "../words";
import { Button, Field, Section } from "./bits";

const TOOLS: [s.Tool, string?][] = [
  ["select", "V"], ["bar", "L"], ["pin", "P"], ["joint", "J"], ["slider", "S"], ["spring"], ["mass"], ["force"], ["drive"], ["point"],
];

export function ToolBar() {
  return (
    <div class="tools" role="toolbar" aria-label={words.tools.label} aria-orientation="vertical">
      {TOOLS.map(([name, keys]) => (
        <Button
          key={name}
          label={words.tools[name]}
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
  const isTwo = tools.TWO_ENDED.has(now);
  const isBody = now === "mass" || now === "drive" || now === "point";
  return (
    <Section title={words.tools[now]}>
      <p class="hint">{words.tools.hints[now]}</p>
      <datalist id="known-points">{s.points.value.map((point) => <option key={point.name} value={point.name} />)}</datalist>
      <datalist id="known-bodies">{Object.keys(s.members("bodies")).map((name) => <option key={name} value={name} />)}</datalist>
      <form
        class="draft-form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(from, to, angle);
        }}
      >
        {isBody ? (
          <Field id="draft-from" label={words.draft.body} value={from} change={setFrom} input={setFrom} list="known-bodies" />
        ) : (
          <Field id="draft-from" label={isTwo ? words.draft.from : words.draft.at} value={from} change={setFrom} input={setFrom} list="known-points" hint={words.draft.place} />
        )}
        {isTwo || now === "point" ? (
          <Field label={now === "point" ? words.draft.at : words.draft.to} value={to} change={setTo} input={setTo} list="known-points" hint={now === "point" ? "x, y" : words.draft.place} />
        ) : null}
        {now === "bar" ? (
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
      </form>
    </Section>
  );
}

function Options({ tool }: { tool: s.Tool }) {
  const all = tools.options.value;
  const field = (key: keyof typeof all, label: string) => (
    <Field
      label={label}
      value={all[key]}
      input={(text) => {
        tools.options.value = { ...tools.options.value, [key]: text };
      }}
      change={() => undefined}
    />
  );
  if (tool === "spring") return field("stiffness", words.draft.stiffness);
  if (tool === "mass") return field("mass", words.draft.mass);
  if (tool === "drive") return field("speed", words.draft.speed);
  if (tool === "slider") return field("axis", words.draft.angle);
  if (tool === "force") return <div class="row-fields">{field("pullX", `${words.draft.pull} x (N)`)}{field("pullY", `${words.draft.pull} y (N)`)}</div>;
  return null;
}

async function submit(from: string, to: string, angle: string): Promise<void> {
  const now = s.tool.value;
  if (now === "mass" || now === "drive" || now === "point") {
    if (!(from.trim() in s.members("bodies"))) return s.notice("bad", words.draft.notABody(from));
    const spot = now === "point" ? spotOf(to) : null;
    if (now === "point" && !spot) return;
    await tools.useBody(from.trim(), spot?.at ?? null);
    return;
  }
  const start = spotOf(from);
  if (!start) return;
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
  if (!spot) s.notice("bad", words.draft.notAPlace(text));
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
