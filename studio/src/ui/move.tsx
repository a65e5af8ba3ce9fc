// Moving by hand: drives as sliders, points by numbers, and what to do at a dead point.

import { useState } from "preact/hooks";
import { adopt, drag, drive, findCentrodes, keepPosition, readVectors, rest, showArrows, sweep } from "../app/actions";
import { split, view } from "../app/clock";
import * as s from "../app/state";
import { placeOf } from "../edit/reshape";
import { fromShown, shownLength, shownUnit } from "../edit/units";
import type { OtherBranch } from "../messages";
import { words } from "../words";
import { Button, Field, Section } from "./bits";

export function MovePanel() {
  const [until, setUntil] = useState("");
  const hasDrives = (s.shown.value?.drives.length ?? 0) > 0;
  return (
    <>
      <Section title={words.move.title}>
        <p class="hint">{words.move.hint}</p>
        <div class="actions">
          <Button label={words.move.run} kind="main" icon="play" disabled={!hasDrives} act={() => void sweep(until)} />
          <Field label={words.move.until} value={until} change={setUntil} input={setUntil} hint="1 s" />
        </div>
        {hasDrives ? null : <p class="hint">{words.move.runHint}</p>}
        <div class="actions">
          <Button label={words.move.home} act={() => void rest()} />
          <Button label={words.move.keep} disabled={s.stance.value === null} act={() => void keepPosition()} />
        </div>
      </Section>
      {hasDrives ? (
        <Section title={words.move.drives}>
          {s.shown.value?.drives.map((one) => <Drive key={one.name} {...one} />)}
        </Section>
      ) : null}
      <PointMover />
      <Traces />
      <Arrows />
      {s.isPlane.value ? <Centrodes /> : null}
    </>
  );
}

const TURN = 180 / Math.PI;
const ROUND_OFF = 1e-9; // deg, or the shown unit: nobody set that

function Drive({ name, unit, value, low, high }: { name: string; unit: string; value: number; low: number | null; high: number | null }) {
  const now = s.stance.value?.values[name] ?? value;
  const isAngle = unit === "rad";
  const scale = isAngle ? TURN : (s.scene.value?.unit_scale ?? 1);
  const shown = isAngle ? "deg" : shownUnit();
  const reach = isAngle ? Math.PI : Math.max(Math.abs(value), 0.1 / (s.scene.value?.unit_scale ?? 1));
  const [from, to] = [low ?? value - reach, high ?? value + reach];
  return (
    <div class="parameter">
      <Field
        label={`${name} (${shown})`}
        value={String(Number((Math.abs(now * scale) < ROUND_OFF ? 0 : now * scale).toPrecision(6)))}
        change={(text) => {
          const typed = Number(text);
          if (Number.isFinite(typed) && text.trim()) void drive(name, typed / scale);
        }}
      />
      <input
        type="range"
        aria-label={name}
        aria-valuetext={`${(now * scale).toFixed(1)} ${shown}`}
        min={from}
        max={to}
        step={(to - from) / 720}
        value={now}
        onInput={(event) => void drive(name, Number(event.currentTarget.value))}
      />
    </div>
  );
}

/** The way to move a point without dragging it. */
function PointMover() {
  const all = s.points.value.filter((point) => point.is_draggable);
  const movable = all.some((point) => point.name.includes(".")) ? all.filter((point) => point.name.includes(".")) : all;
  const [name, setName] = useState("");
  const [x, setX] = useState("");
  const [y, setY] = useState("");
  const [z, setZ] = useState("");
  const chosen = movable.find((point) => point.name === name) ?? movable[0];
  if (!chosen) return null;
  const go = () => {
    const now = view.value;
    if (!now) return;
    const at = placeOf(now, chosen);
    const target = [x, y, z].map((text, k) => fromShown(text) ?? at[k] ?? 0);
    void drag(chosen.name, s.isPlane.value ? target.slice(0, 2) : target);
  };
  return (
    <Section title={words.inspector.moveTo}>
      <p class="hint">{words.move.pointHint}</p>
      <label class="field">
        <span class="field-label">{words.inspector.point}</span>
        <select value={chosen.name} onChange={(event) => setName(event.currentTarget.value)}>
          {movable.map((point) => <option key={point.name} value={point.name}>{point.name}</option>)}
        </select>
      </label>
      <div class="row-fields">
        <Field label={`x (${shownUnit()})`} value={x} change={setX} input={setX} enter={go} />
        <Field label={`y (${shownUnit()})`} value={y} change={setY} input={setY} enter={go} />
        {s.isPlane.value ? null : <Field label={`z (${shownUnit()})`} value={z} change={setZ} input={setZ} enter={go} />}
        <Button label={words.move.go} act={go} />
      </div>
    </Section>
  );
}

function Traces() {
  const movable = s.points.value.filter((point) => point.is_draggable && point.name.includes("."));
  if (!movable.length) return null;
  return (
    <Section title={words.move.traces}>
      <div class="chips">
        {movable.map((point) => {
          const on = s.traced.value.includes(point.name);
          return (
            <button
              type="button"
              key={point.name}
              class="chip"
              aria-pressed={on}
              onClick={() => {
                s.traced.value = on ? s.traced.value.filter((one) => one !== point.name) : [...s.traced.value, point.name];
                if (s.motion.value && !s.motion.value.is_simulated) void sweep();
                else void readVectors();
              }}
            >
              {point.name}
            </button>
          );
        })}
      </div>
    </Section>
  );
}

/** Velocities and accelerations, drawn with their values. */
function Arrows() {
  return (
    <Section title={words.move.arrows}>
      <div class="chips">
        {(["velocity", "acceleration"] as const).map((which) => (
          <button type="button" key={which} class="chip" aria-pressed={s.arrows.value[which]} onClick={() => showArrows(which)}>
            {words.show[which]}
          </button>
        ))}
      </div>
      {s.motion.value ? null : <p class="hint">{words.move.arrowHint}</p>}
    </Section>
  );
}

/** The curves that roll on each other as a body moves. */
function Centrodes() {
  return (
    <Section title={words.move.centrodes}>
      {s.motion.value ? (
        <label class="field">
          <span class="field-label">{words.move.centrodesOf}</span>
          <select value={s.centrodes.value?.body ?? ""} onChange={(event) => void findCentrodes(event.currentTarget.value)}>
            <option value="" />
            {s.shown.value ? Object.keys(s.members("bodies")).map((name) => <option key={name} value={name}>{name}</option>) : null}
          </select>
        </label>
      ) : <p class="hint">{words.move.noCentrodes}</p>}
      {s.centrodes.value ? <p class="hint">{words.move.centrodeWords}</p> : null}
    </Section>
  );
}

/** Over the drawing, where the mechanism cannot follow: why, and the other ways to go on. */
export function DeadPoint() {
  const stance = s.stance.value;
  if (!stance || stance.outcome === "Done") return null;
  return (
    <div class="dead-point" role="alert">
      <p><strong>{words.move.deadPoint}</strong> {stance.text}</p>
      {stance.advice ? <p class="hint">{stance.advice}</p> : null}
      {stance.others.length ? (
        <div class="actions" role="group" aria-label={words.move.othersTitle}>
          {stance.others.map((other) => <Other key={other.number} other={other} stay={stance.poses} />)}
        </div>
      ) : null}
      {stance.distance > 0 ? <p class="hint">{shownLength(stance.distance)} {shownUnit()}</p> : null}
    </div>
  );
}

function Other({ other, stay }: { other: OtherBranch; stay: number[] }) {
  const look = (poses: number[]) => view.value?.hold(split(poses, s.isPlane.value));
  return (
    <button
      type="button"
      class="button main"
      title={other.text}
      onPointerEnter={() => look(other.poses)}
      onFocus={() => look(other.poses)}
      onPointerLeave={() => look(stay)}
      onBlur={() => look(stay)}
      onClick={() => void adopt("branch", other.number)}
    >
      {other.text || words.move.other}
    </button>
  );
}
