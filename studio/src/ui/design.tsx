// Design: sketch a path, find mechanisms that draw it, take one, lead it nearer.

import { useState } from "preact/hooks";
import { findDesigns, refine, sketchAs, startNew, takeDesign } from "../app/actions";
import * as s from "../app/state";
import { fromShown, shownLength, shownUnit } from "../edit/units";
import type { DesignCandidate } from "../messages";
import { words } from "../words";
import { Button, Field, Section } from "./bits";

const FEWEST = 3;

export function DesignPanel() {
  if (!s.isPlane.value) {
    return (
      <Section title={words.design.title}>
        <p class="hint">{words.design.plane}</p>
        <Button label={words.design.freshPlane} kind="main" act={() => void startNew(true)} />
      </Section>
    );
  }
  return (
    <>
      <Path />
      {s.designs.value ? <Offers /> : null}
      {Object.keys(s.members("bodies")).length ? <Refine /> : null}
    </>
  );
}

function Path() {
  const count = s.sketch.value.length;
  const isBusy = s.tasks.value.length > 0;
  return (
    <Section title={words.design.title}>
      <p class="hint">{words.design.hint}</p>
      <div class="actions">
        <Button
          label={s.sketching.value ? words.design.done : words.design.draw}
          icon="trace"
          pressed={s.sketching.value}
          act={() => {
            s.sketching.value = !s.sketching.value;
          }}
        />
        <Button label={words.design.clear} disabled={count === 0} act={() => sketchAs([])} />
        <span class="hint">{count ? words.design.places(count) : ""}</span>
      </div>
      {s.sketching.value ? <p class="hint">{words.design.drawing}</p> : null}
      <Typed />
      <div class="actions">
        <Button label={words.design.find} kind="main" disabled={count < FEWEST || isBusy} act={() => void findDesigns()} />
      </div>
    </Section>
  );
}

/** The path as text: the way to give one without drawing, and to see its numbers. */
function Typed() {
  const now = s.sketch.value.map((place) => place.map((x) => shownLength(x).replace("\u2212", "-")).join(", ")).join("\n");
  const [text, setText] = useState<string | null>(null);
  const use = () => {
    const lines = (text ?? now).split("\n").filter((line) => line.trim());
    const places: number[][] = [];
    for (const [k, line] of lines.entries()) {
      const numbers = line.split(/[,;\s]+/).filter(Boolean).map(fromShown);
      const [x, y] = numbers;
      if (numbers.length !== 2 || x === null || x === undefined || y === null || y === undefined) return s.notice("bad", words.design.notPlaces(k + 1));
      places.push([x, y]);
    }
    if (places.length < FEWEST) return s.notice("bad", words.design.few);
    sketchAs(places);
    s.sketching.value = false;
    setText(null);
  };
  return (
    <details>
      <summary>{words.design.typed(shownUnit())}</summary>
      <textarea
        class="places"
        rows={6}
        aria-label={words.design.typed(shownUnit())}
        spellcheck={false}
        value={text ?? now}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <Button label={words.design.use} disabled={text === null} act={use} />
    </details>
  );
}

function Offers() {
  const found = s.designs.value;
  if (!found) return null;
  return (
    <Section title={words.design.found}>
      <p class="hint">{found.words}</p>
      <ul class="thumbs offers">
        {found.candidates.map((one) => <Offer key={one.number} one={one} />)}
      </ul>
    </Section>
  );
}

function Offer({ one }: { one: DesignCandidate }) {
  const look = (number: number) => {
    s.hoveredDesign.value = number;
  };
  return (
    <li>
      <button
        type="button"
        class="thumb"
        aria-label={words.design.take(one.number, one.text)}
        onPointerEnter={() => look(one.number)}
        onFocus={() => look(one.number)}
        onPointerLeave={() => look(0)}
        onBlur={() => look(0)}
        onClick={() => {
          look(0);
          void takeDesign(one.number, one.point);
        }}
      >
        <Small one={one} />
        <span class="thumb-words">{one.text}</span>
      </button>
    </li>
  );
}

const [WIDE, TALL, ROOM] = [150, 124, 10];

/** A mechanism on offer with its curve over the path, small. */
function Small({ one }: { one: DesignCandidate }) {
  const wanted = s.sketch.value;
  const all = [...one.curve, ...one.bars.flat(), ...wanted];
  const of = (k: 0 | 1) => all.map((place) => place[k] ?? 0);
  const [x0, x1, y0, y1] = [Math.min(...of(0)), Math.max(...of(0)), Math.min(...of(1)), Math.max(...of(1))];
  const scale = Math.min((WIDE - 2 * ROOM) / (x1 - x0 || 1), (TALL - 2 * ROOM) / (y1 - y0 || 1));
  const seen = (place: readonly number[]): [number, number] => [
    WIDE / 2 + scale * ((place[0] ?? 0) - (x0 + x1) / 2),
    TALL / 2 - scale * ((place[1] ?? 0) - (y0 + y1) / 2),
  ];
  const line = (places: readonly (readonly number[])[]) => places.map((place) => seen(place).map((v) => v.toFixed(1)).join(" ")).join("L");
  const pivots = [one.bars[0]?.[0], one.bars[2]?.[1]];
  return (
    <svg class="offer" viewBox={`0 0 ${WIDE} ${TALL}`} aria-hidden="true">
      <path class="wanted" d={`M${line(wanted)}Z`} />
      <path class="offered" d={`M${line(one.curve)}Z`} />
      {one.bars.map((bar, k) => <path key={k} class={`offered-bar tone-${k}`} d={`M${line(bar)}`} />)}
      {pivots.map((pivot, k) => pivot ? <circle key={k} class="pivot" cx={seen(pivot)[0]} cy={seen(pivot)[1]} r="3.2" /> : null)}
    </svg>
  );
}

/** The drawing's own parameters, led on. */
function Refine() {
  const [share, setShare] = useState("30");
  const [seconds, setSeconds] = useState("20");
  const [name, setName] = useState("");
  const movable = s.points.value.filter((point) => point.is_draggable && point.name.includes("."));
  const preferred = movable.find((point) => s.traced.value.includes(point.name)) ?? movable[0];
  const chosen = movable.find((point) => point.name === name) ?? preferred;
  const hasParameters = (s.shown.value?.parameters.length ?? 0) > 0;
  const isReady = hasParameters && chosen !== undefined && s.sketch.value.length >= FEWEST && s.tasks.value.length === 0;
  return (
    <Section title={words.design.refine}>
      <p class="hint">{words.design.refineHint}</p>
      {hasParameters ? null : <p class="hint">{words.design.noParameters}</p>}
      {chosen ? (
        <label class="field">
          <span class="field-label">{words.design.point}</span>
          <select value={chosen.name} onChange={(event) => setName(event.currentTarget.value)}>
            {movable.map((point) => <option key={point.name} value={point.name}>{point.name}</option>)}
          </select>
        </label>
      ) : null}
      <div class="row-fields">
        <Field label={words.design.share} value={share} change={setShare} input={setShare} />
        <Field label={words.design.seconds} value={seconds} change={setSeconds} input={setSeconds} />
      </div>
      <div class="actions">
        <Button
          label={words.design.refine}
          kind="main"
          disabled={!isReady}
          act={() => chosen && void refine(chosen.name, Number(share) / 100, Number(seconds))}
        />
      </div>
      {s.refined.value ? <p class="promise" role="status">{s.refined.value.words}</p> : null}
    </Section>
  );
}
