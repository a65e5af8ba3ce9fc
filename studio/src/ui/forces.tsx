// Motion under forces, rest, modes; and plots of anything that can be read off the last motion.

import { useEffect, useState } from "preact/hooks";
import { addPlot, cancel, findModes, freeBody, goRound, readPlots, removePlot, simulate, statics, sweep } from "../app/actions";
import { sample } from "../app/clock";
import * as s from "../app/state";
import type { SceneDocument } from "../viewer/scene";
import { words } from "../words";
import { Button, Field, Section } from "./bits";
import { Plot, shownValue } from "./plot";

export function ForcesPanel() {
  const run = s.doc.value?.data["run"] as Record<string, unknown> | undefined;
  const [until, setUntil] = useState(run?.["until"] === undefined ? "5 s" : String(run["until"]));
  const hasDrives = (s.shown.value?.drives.length ?? 0) > 0;
  return (
    <>
      <Section title={words.forces.simulate}>
        <div class="actions">
          <Field label={words.forces.until} value={until} change={setUntil} input={setUntil} />
          <Button label={words.forces.simulate} kind="main" icon="play" act={() => void simulate(until, 600)} />
        </div>
        <div class="actions">
          {hasDrives ? <Button label={words.move.run} act={() => void sweep()} /> : null}
          <Button label={words.forces.statics} act={() => void statics()} />
          <Button label={words.forces.modes} act={() => void findModes()} />
        </div>
        {s.motion.value ? <p class="said">{s.motion.value.summary}</p> : null}
        {s.restWords.value ? <p class="said">{s.restWords.value}</p> : null}
      </Section>
      <Modes />
      <Quantities />
      <EnergyBar />
      <FreeBody />
    </>
  );
}

function Modes() {
  if (!s.modes.value.length && !s.modeWords.value) return null;
  return (
    <Section title={words.forces.modes}>
      <p class="said">{s.modeWords.value}</p>
      <ul class="fixes">
        {s.modes.value.map((mode) => (
          <li key={mode.number}>
            <span>{mode.text}</span>
            <Button
              label={words.forces.play}
              icon="play"
              disabled={!mode.frames.length}
              act={() => goRound(mode.frames, `${words.forces.mode(mode.number)}: ${mode.text}`)}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** What can be plotted: drop it on the plots, press it, or type its name or a formula. */
function Quantities() {
  const [text, setText] = useState("");
  const names = s.motion.value?.names ?? [];
  const wanted = text.trim().toLowerCase();
  const matching = names.filter((name) => !wanted || name.toLowerCase().includes(wanted)).slice(0, 40);
  const add = () => {
    void addPlot(text);
    setText("");
  };
  return (
    <Section title={words.forces.quantities}>
      {names.length ? (
        <>
          <div class="actions">
            <Field label={words.forces.quantity} value={text} change={setText} input={setText} enter={add} wide />
            <Button label={words.forces.add} act={add} />
          </div>
          <div class="chips">
            {matching.map((name) => (
              <button
                type="button"
                key={name}
                class="chip"
                draggable
                aria-pressed={s.plots.value.some((row) => row.name === name)}
                onDragStart={(event) => event.dataTransfer?.setData("text/plain", name)}
                onClick={() => (s.plots.value.some((row) => row.name === name) ? removePlot(name) : void addPlot(name))}
              >
                {name}
              </button>
            ))}
          </div>
        </>
      ) : (
        <p class="hint">{words.forces.none}</p>
      )}
    </Section>
  );
}

function FreeBody() {
  const [body, setBody] = useState("");
  const [now, isPlaying, motion] = [s.time.value, s.playing.value, s.motion.value];
  useEffect(() => {
    if (motion && !isPlaying) void freeBody(body, sample(now));
  }, [body, now, isPlaying, motion]);
  useEffect(() => () => void freeBody("", 0), []);
  if (!motion) return null;
  const found = s.freeBody.value;
  const size = (v: number[]) => Math.hypot(...v);
  return (
    <Section title={words.forces.freeBody}>
      <label class="field">
        <span class="field-label">{words.forces.choose}</span>
        <select value={body} onChange={(event) => setBody(event.currentTarget.value)}>
          <option value="" />
          {s.scene.value?.bodies.map((one) => <option key={one.name} value={one.name}>{one.name}</option>)}
        </select>
      </label>
      {found ? (
        <table class="loads">
          <tbody>
            {found.loads.map((load) => (
              <tr key={load.name}>
                <th scope="row">{load.name}</th>
                <td>{size(load.force) > 0 ? `${Number(size(load.force).toPrecision(4))} N` : ""}</td>
                <td>{size(load.torque) > 0 ? `${Number(size(load.torque).toPrecision(4))} N m` : ""}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
      {found?.loads.length ? <p class="hint">{found.is_all ? words.forces.isAll : words.forces.notAll}</p> : null}
      {found && !found.loads.length ? <p class="hint">{words.forces.noLoads}</p> : null}
    </Section>
  );
}

/** Where the energy is at this moment, as a bar; stored energy is counted from its least. */
function EnergyBar() {
  const rows = (s.motion.value?.scene as unknown as SceneDocument | undefined)?.series.filter((row) => row.name.endsWith(" energy")) ?? [];
  if (!rows.length) return null;
  const k = sample(s.time.value);
  const parts = rows.map((row) => {
    const name = row.name.replace(" energy", "");
    const least = name === "potential" ? Math.min(...row.values) : 0;
    const value = (row.values[k] ?? 0) - least;
    return { name: name === "potential" ? words.forces.stored : name, value, most: Math.max(...row.values) - least };
  });
  const whole = Math.max(...rows[0]!.values.map((_, at) => rows.reduce((sum, row) => {
    const least = row.name.startsWith("potential") ? Math.min(...row.values) : 0;
    return sum + Math.max(0, (row.values[at] ?? 0) - least);
  }, 0)), 1e-300);
  // Less than nothing has been dissipated where forces have put more in than others took.
  const said = parts.map((part) => `${part.value < 0 && part.name === "dissipated" ? words.forces.putIn : part.name} ${Number(Math.abs(part.value).toPrecision(4))} J`);
  return (
    <Section title={words.forces.energy}>
      <div class="energy" role="img" aria-label={words.forces.energyWords(said.join(", "))}>
        {parts.map((part, c) => <span key={part.name} class={`energy-part tone-${c}`} style={{ width: `${(100 * Math.max(0, part.value)) / whole}%` }} />)}
      </div>
      <ul class="energy-words">
        {parts.map((part, c) => <li key={part.name}><span class={`swatch energy-part tone-${c}`} />{said[c]}</li>)}
      </ul>
    </Section>
  );
}

export function Plots() {
  const [isOver, setOver] = useState(false);
  return (
    <div
      class={`plots${isOver ? " over" : ""}`}
      role="region"
      aria-label={words.forces.plots}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        const name = event.dataTransfer?.getData("text/plain") ?? "";
        setOver(false);
        if (!name || event.dataTransfer?.files.length) return;
        event.preventDefault();
        event.stopPropagation();
        void addPlot(name);
      }}
    >
      <div class="plots-head">
        <h2>{words.forces.plots}</h2>
        <label class="field inline">
          <span class="field-label">{words.forces.against}</span>
          <select
            value={s.against.value}
            onChange={(event) => {
              s.against.value = event.currentTarget.value;
              void readPlots();
            }}
          >
            <option value="t">t</option>
            {(s.shown.value?.drives ?? []).map((one) => <option key={one.name} value={one.name}>{one.name}</option>)}
          </select>
        </label>
        <Button label={words.forces.csv} icon="export" disabled={!s.plots.value.some((row) => row.columns.length)} act={saveCsv} />
      </div>
      {s.plots.value.length ? null : <p class="drop-here">{s.motion.value ? words.forces.drop : words.forces.none}</p>}
      {s.plots.value.map((row, k) => <Plot key={row.name} row={row} index={k} remove={() => removePlot(row.name)} />)}
      {s.plots.value.some((row) => row.columns.length) ? <p class="hint">{words.forces.zoomHint}</p> : null}
    </div>
  );
}

/** What is plotted, as a table that every spreadsheet reads; the numbers are the server's. */
function saveCsv(): void {
  const rows = s.plots.value.filter((row) => row.columns.length && row.against);
  const first = rows[0]?.against;
  if (!first) return;
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
  const columns = rows.flatMap((row) => row.columns);
  const head = [first, ...columns].map((c) => quoted(c.shown_unit ? `${c.name} (${c.shown_unit})` : c.name));
  const lines = first.values.map((_, k) => [first, ...columns].map((column) => shownValue(column, k) ?? "").join(","));
  const made = document.createElement("a");
  made.href = URL.createObjectURL(new Blob([`${[head.join(","), ...lines].join("\n")}\n`], { type: "text/csv" }));
  made.download = `${s.doc.value?.name ?? "mechanism"}.csv`;
  made.click();
  window.setTimeout(() => URL.revokeObjectURL(made.href), 1000);
}

export function Tasks() {
  return (
    <div class="tasks" aria-live="polite">
      {s.tasks.value.map((task) => (
        <div class="task" key={task.id}>
          <span class="task-label">{task.label}</span>
          <span class="task-text">{task.text}</span>
          <progress aria-label={task.label} {...(task.part === null ? {} : { value: task.part })} max="1" />
          <Button label={words.cancel} act={() => cancel(task.id)} />
        </div>
      ))}
    </div>
  );
}
