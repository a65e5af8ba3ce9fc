// The signature screen: thumbnails of every assembly over the map of every motion, by component.

import { useEffect, useRef, useState } from "preact/hooks";
import { multiples, niceStep, Stage } from "virtual:player";
import { adopt, findConfigurations } from "../app/actions";
import { split, view } from "../app/clock";
import { same } from "../app/commands";
import * as s from "../app/state";
import { shownUnit } from "../edit/units";
import type { AssemblyMember, MotionComponent } from "../messages";
import { LiveMotion } from "../viewer/live";
import type { SceneDocument } from "../viewer/scene";
import { words } from "../words";
import { Button, Section } from "./bits";

const DASHES = ["", "9 4", "2 4", "12 4 2 4", "5 3", "1 3", "14 5", "7 3 2 3"];

export function Configurations() {
  const found = s.assemblies.value;
  const curves = s.curves.value;
  const isBusy = s.tasks.value.length > 0;
  const scene = s.shown.value?.scene as unknown as SceneDocument | null;
  return (
    <div class="configurations">
      <Section
        title={words.configurations.assemblies}
        aside={<Button label={found ? words.configurations.again : words.configurations.find} kind="main" disabled={isBusy} act={() => void findConfigurations()} />}
      >
        {found ? (
          <p class="promise"><b>{found.promise}</b> {found.words}</p>
        ) : (
          <p class="hint">{isBusy ? words.configurations.finding : words.configurations.none}</p>
        )}
        {found && scene ? (
          <ul class="thumbs">
            {found.members.map((member) => <Thumb key={member.number} member={member} scene={scene} />)}
          </ul>
        ) : null}
      </Section>
      {s.curvesProblem.value ? (
        <Section title={words.configurations.motions}><p class="said">{s.curvesProblem.value}</p></Section>
      ) : null}
      {s.components.value.length ? (
        <Section title={words.configurations.motions}>
          {curves ? <p class="promise"><b>{curves.promise}</b> {curves.words}</p> : <p class="hint">{words.configurations.finding}</p>}
          <MotionMap components={s.components.value} axes={s.axes.value} units={s.units.value} />
        </Section>
      ) : null}
    </div>
  );
}

function Thumb({ member, scene }: { member: AssemblyMember; scene: SceneDocument }) {
  const isHere = s.stance.value ? same(member.poses, s.stance.value.poses) : false;
  return (
    <li>
      <button
        type="button"
        class="thumb"
        aria-pressed={isHere}
        aria-label={words.configurations.go(`${member.number}. ${member.text}`)}
        onClick={() => {
          void adopt("assembly", member.number);
        }}
      >
        <Miniature scene={scene} poses={member.poses} />
        <span class="thumb-words">{member.text}</span>
      </button>
    </li>
  );
}

/** A small still picture of a pose, drawn as the player draws, in the plane and in space. */
export function Miniature({ scene, poses }: { scene: SceneDocument; poses: number[] }) {
  const host = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const at = host.current;
    if (!at) return;
    // One sample at the pose itself, so that the picture is fitted to it.
    const width = scene.plane ? 3 : 7;
    const first = scene.plane ? 2 : 3;
    const own: SceneDocument = {
      ...scene,
      times: [0], traces: [], series: [], marks: [], loads: [], reactions: [], free: [], names: false,
      bodies: scene.bodies.map((body, k) => {
        const pose = poses.slice(k * width, (k + 1) * width);
        return { ...body, points: [], position: pose.slice(0, first), rotation: pose.slice(first) };
      }),
    };
    const stage = new Stage(new LiveMotion(own));
    stage.svg.setAttribute("aria-hidden", "true");
    stage.svg.removeAttribute("role");
    stage.element.classList.add("mini");
    at.replaceChildren(stage.element);
    stage.draw(0);
    const watcher = new ResizeObserver(() => stage.draw(0));
    watcher.observe(at);
    return () => watcher.disconnect();
  }, [scene, poses]);
  return <span class="kempe miniature" ref={host} />;
}

/** A value of an axis as people read it: an angle in degrees, between -180 and 180. */
function read(value: number, unit: string | undefined): number {
  if (unit === "rad") return (Math.atan2(Math.sin(value), Math.cos(value)) * 180) / Math.PI;
  return unit === "m" ? value * (s.scene.value?.unit_scale ?? 1) : value;
}

function called(name = "", unit: string | undefined): string {
  const shown = unit === "rad" ? "deg" : unit === "m" ? shownUnit() : "";
  return shown ? `${name} (${shown})` : name;
}

const [WIDE, TALL] = [640, 400];
const INSET = { left: 58, right: 16, top: 30, bottom: 42 };
const SETTLED = 200; // ms after which the place on the map is where the mechanism stands
let settling: number | undefined;

/** Motion curves over two quantities; a click or the arrow keys go there. */
function MotionMap({ components: found, axes, units }: { components: MotionComponent[]; axes: string[]; units: string[] }) {
  const components = found.map((one) => ({ ...one, across: one.across.map((v) => read(v, units[0])), up: one.up.map((v) => read(v, units[1])) }));
  const [at, setAt] = useState<{ component: number; sample: number } | null>(null);
  const range = (values: number[]) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const slack = 0.05 * (high - low) || Math.max(0.05 * Math.abs(high), 1e-9);
    return [low - slack, high + slack] as const;
  };
  const [x0, x1] = range(components.flatMap((one) => one.across));
  const [y0, y1] = range(components.flatMap((one) => one.up));
  const x = (value: number) => INSET.left + ((value - x0) / (x1 - x0)) * (WIDE - INSET.left - INSET.right);
  const y = (value: number) => INSET.top + ((y1 - value) / (y1 - y0)) * (TALL - INSET.top - INSET.bottom);

  const go = (component: number, sample: number) => {
    const chosen = components[component];
    const count = chosen?.across.length ?? 0;
    if (!chosen || !count) return;
    const k = ((sample % count) + count) % count;
    setAt({ component, sample: k });
    // A curve has as many samples as it has corners, but may bring fewer positions along it.
    const index = Math.round((k / Math.max(1, count - 1)) * (chosen.frames.length - 1));
    const poses = chosen.frames[index];
    if (poses && view.value) {
      s.frames.value = null;
      s.stance.value = { poses, outcome: "Done", text: "", advice: "", distance: 0, values: {}, others: [], skipped: false };
      view.value.hold(split(poses, s.isPlane.value));
      window.clearTimeout(settling);
      settling = window.setTimeout(() => {
        if (s.stance.value?.poses === poses) void adopt("component", chosen.number, index);
      }, SETTLED);
    }
    s.say(`${words.configurations.component(chosen.number)}: ${(chosen.across[k] ?? 0).toPrecision(4)}, ${(chosen.up[k] ?? 0).toPrecision(4)}`);
  };
  const nearest = (px: number, py: number) => {
    let best: [number, number, number] = [Infinity, 0, 0];
    components.forEach((one, c) => one.across.forEach((value, k) => {
      const away = Math.hypot(x(value) - px, y(one.up[k] ?? 0) - py);
      if (away < best[0]) best = [away, c, k];
    }));
    go(best[1], best[2]);
  };
  const bead = at ? components[at.component] : undefined;
  return (
    <div class="map">
      <svg
        viewBox={`0 0 ${WIDE} ${TALL}`}
        role="slider"
        aria-label={`${words.configurations.map}: ${words.configurations.axes(axes[0] ?? "", axes[1] ?? "")}. ${words.configurations.pick}`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, (components[at?.component ?? 0]?.across.length ?? 1) - 1)}
        aria-valuenow={at?.sample ?? 0}
        tabindex={0}
        onClick={(event) => {
          const frame = event.currentTarget.getBoundingClientRect();
          nearest(((event.clientX - frame.left) / frame.width) * WIDE, ((event.clientY - frame.top) / frame.height) * TALL);
        }}
        onKeyDown={(event) => {
          const now = at ?? { component: 0, sample: 0 };
          const steps: Record<string, [number, number]> = {
            ArrowRight: [now.component, now.sample + 1],
            ArrowLeft: [now.component, now.sample - 1],
            ArrowDown: [(now.component + 1) % components.length, 0],
            ArrowUp: [(now.component + components.length - 1) % components.length, 0],
          };
          const next = steps[event.key];
          if (!next) return;
          event.preventDefault();
          event.stopPropagation();
          go(next[0], next[1]);
        }}
      >
        <Grid low={[x0, y0]} high={[x1, y1]} x={x} y={y} />
        {components.map((one, c) => (
          <g key={one.number} class={`curve tone-${c % 8}`}>
            <path d={pathOf(one, x, y)} stroke-dasharray={DASHES[c % DASHES.length]} />
            {one.frames.length === 1 || one.across.length === 1 ? <circle cx={x(one.across[0] ?? 0)} cy={y(one.up[0] ?? 0)} r="4" /> : null}
            {one.turning.map((k) => <path key={`t${k}`} class="turning" d={`M${x(one.across[k] ?? 0) - 4} ${y(one.up[k] ?? 0)}h8M${x(one.across[k] ?? 0)} ${y(one.up[k] ?? 0) - 4}v8`} />)}
            {one.singular.map((k) => <rect key={`s${k}`} class="singular" x={x(one.across[k] ?? 0) - 4.5} y={y(one.up[k] ?? 0) - 4.5} width="9" height="9" transform={`rotate(45 ${x(one.across[k] ?? 0)} ${y(one.up[k] ?? 0)})`} />)}
          </g>
        ))}
        {at && bead ? <circle class="bead" cx={x(bead.across[at.sample] ?? 0)} cy={y(bead.up[at.sample] ?? 0)} r="7" /> : null}
        <text class="axis-name" x={WIDE - INSET.right} y={TALL - 6} text-anchor="end">{called(axes[0], units[0])}</text>
        <text class="axis-name" x={INSET.left - 8} y={18}>{called(axes[1], units[1])}</text>
      </svg>
      <ul class="legend">
        {components.map((one, c) => (
          <li key={one.number} class={`tone-${c % 8}`}>
            <button type="button" onClick={() => go(c, 0)}>
              <svg viewBox="0 0 34 8" aria-hidden="true"><path d="M1 4h32" stroke-dasharray={DASHES[c % DASHES.length]} /></svg>
              {one.text || `${words.configurations.component(one.number)}: ${one.kind}`}
            </button>
          </li>
        ))}
        {components.some((one) => one.singular.length) ? <li class="key">◆ {words.configurations.singular}</li> : null}
        {components.some((one) => one.turning.length) ? <li class="key">+ {words.configurations.turning}</li> : null}
      </ul>
    </div>
  );
}

/** A curve; where an angle jumps by most of a turn the pen is lifted. */
function pathOf(one: MotionComponent, x: (v: number) => number, y: (v: number) => number): string {
  let d = "";
  let lifted = true;
  one.across.forEach((value, k) => {
    const [px, py] = [x(value), y(one.up[k] ?? 0)];
    const before = k > 0 ? [x(one.across[k - 1] ?? 0), y(one.up[k - 1] ?? 0)] : [px, py];
    if (Math.abs(px - (before[0] ?? 0)) > 0.5 * WIDE || Math.abs(py - (before[1] ?? 0)) > 0.6 * TALL) lifted = true;
    d += `${lifted ? "M" : "L"}${px.toFixed(1)} ${py.toFixed(1)}`;
    lifted = false;
  });
  return d;
}

function Grid({ low, high, x, y }: { low: [number, number]; high: [number, number]; x: (v: number) => number; y: (v: number) => number }) {
  const lines = (k: 0 | 1, room: number) => multiples(niceStep(((high[k] - low[k]) / room)), low[k], high[k]);
  return (
    <g class="grid">
      {lines(0, 7).map((v) => (
        <g key={`x${v}`}>
          <path d={`M${x(v)} ${INSET.top}V${TALL - INSET.bottom}`} />
          <text x={x(v)} y={TALL - INSET.bottom + 16} text-anchor="middle">{Number(v.toPrecision(4))}</text>
        </g>
      ))}
      {lines(1, 6).map((v) => (
        <g key={`y${v}`}>
          <path d={`M${INSET.left} ${y(v)}H${WIDE - INSET.right}`} />
          <text x={INSET.left - 8} y={y(v) + 4} text-anchor="end">{Number(v.toPrecision(4))}</text>
        </g>
      ))}
    </g>
  );
}
