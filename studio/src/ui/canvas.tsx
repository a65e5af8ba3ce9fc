// The drawing: one view of the scene for every screen, with hands for the tool that is chosen.

import { effect } from "@preact/signals";
import type { Pointed } from "./bits";
import { useEffect, useRef } from "preact/hooks";
import { sketchAs } from "../app/actions";
import { niceStep } from "virtual:player";
import { drawn, split, view } from "../app/clock";
import * as s from "../app/state";
import * as tools from "../edit/tools";
import { bodyIndex, placeOf } from "../edit/reshape";
import { PlaneView } from "../viewer/plane";
import type { SceneDocument } from "../viewer/scene";
import type { Shown, View } from "../viewer/view";
import { words } from "../words";
import { Button } from "./bits";
import { ViewCube } from "./cube";
import { Overlay, selectBody } from "./overlay";

const STROKE = 5; // px between places of a path that is drawn
const MOST_PLACES = 400;

export function Canvas() {
  const host = useRef<HTMLDivElement>(null);
  const down = useRef<[number, number] | null>(null);

  useEffect(() => {
    const stops = [effect(() => void show(host.current)), effect(follow), effect(layer)];
    return () => stops.forEach((stop) => stop());
  }, []);

  const at = (event: { clientX: number; clientY: number }): [number, number] => {
    const frame = host.current?.getBoundingClientRect();
    return [event.clientX - (frame?.left ?? 0), event.clientY - (frame?.top ?? 0)];
  };
  const isTool = s.screen.value === "edit" && tools.isDrafting();
  const isSpace = !s.isPlane.value;
  const spot = (event: { clientX: number; clientY: number }) => {
    const [x, y] = at(event);
    return view.value ? tools.spotAt(view.value, x, y, niceStep, s.scene.value?.unit_scale ?? 1) : null;
  };

  const isSketch = s.screen.value === "design" && s.sketching.value && s.isPlane.value;
  const stroke = useRef<number[][] | null>(null);
  const onStroke = (event: Pointed<HTMLDivElement>) => {
    const now = view.value;
    if (!now || !stroke.current) return;
    event.stopPropagation();
    const [x, y] = at(event);
    const last = stroke.current[stroke.current.length - 1];
    const [lx, ly] = last ? now.project(last) : [Infinity, Infinity];
    if (Math.hypot(x - lx, y - ly) < STROKE) return;
    stroke.current = [...stroke.current, now.unproject(x, y).slice(0, 2)];
    if (stroke.current.length > 2) sketchAs(stroke.current.slice(-MOST_PLACES));
  };

  const onDown = (event: Pointed<HTMLDivElement>) => {
    if (event.button > 0) return;
    down.current = at(event);
    if (isSketch && view.value && !(event.target as Element).closest("button")) {
      stroke.current = [view.value.unproject(...at(event)).slice(0, 2)];
      event.currentTarget.setPointerCapture(event.pointerId);
      event.stopPropagation();
      return;
    }
    if (isTool && !isSpace) event.stopPropagation(); // in space a pull turns the picture, tool or not
  };
  const onMove = (event: Pointed<HTMLDivElement>) => {
    if (stroke.current) return onStroke(event);
    if (!isTool) return;
    if (!isSpace) event.stopPropagation();
    tools.hovered.value = spot(event);
  };
  const onUp = (event: Pointed<HTMLDivElement>) => {
    const [x, y] = at(event);
    const from = down.current;
    down.current = null;
    if (stroke.current) {
      event.stopPropagation();
      const [first] = stroke.current;
      const isStroke = stroke.current.length > 2;
      stroke.current = null;
      // A click adds a place to those that were clicked before; a stroke is a whole path.
      if (isStroke) s.sketching.value = false;
      else if (first) sketchAs([...s.sketch.value, first]);
      s.say(words.design.places(s.sketch.value.length));
      return;
    }
    if (!from || Math.hypot(x - from[0], y - from[1]) > 4) return;
    const target = event.target as Element;
    if (!isTool) {
      if (target.closest(".handle")) return;
      const part = view.value?.pick(x, y) ?? null;
      choosePart(part, event.shiftKey || event.ctrlKey || event.metaKey);
      return;
    }
    if (!isSpace) event.stopPropagation();
    if (isSpace && target.closest(".handle, .view-cube, .gizmo, button")) return;
    void useTool(spot(event), view.value?.pick(x, y) ?? null);
  };

  return (
    <div
      class={`canvas${isTool || isSketch ? " drafting" : ""}`}
      onPointerDownCapture={onDown}
      onPointerMoveCapture={onMove}
      onPointerUpCapture={onUp}
      onPointerLeave={() => {
        tools.hovered.value = null;
      }}
    >
      <div class="canvas-host" ref={host} />
      <Overlay />
      <ViewCube />
      <Caption />
      <Looks />
    </div>
  );
}

/** A name under the pointer as a part: of `crank.end` and `A: a hinge` the first word. */
function choosePart(part: string | null, more: boolean): void {
  if (s.screen.value !== "edit") return;
  if (part === null || part === "ground") {
    if (!more) s.selection.value = [];
    return;
  }
  const name = part.split(/[.:]/)[0] ?? part;
  if (name in s.members("bodies")) return selectBody(name, more);
  for (const kind of ["joints", "forces", "couplers", "gauges"]) {
    if (name in s.members(kind)) s.selection.value = more ? [...s.selection.value, { kind, name }] : [{ kind, name }];
  }
}

async function useTool(spot: ReturnType<typeof tools.spotAt> | null, part: string | null): Promise<void> {
  if (!spot) return;
  if (s.tool.value === "joint" && !s.isPlane.value) return tools.takeForJoint(spot, part);
  const body = spot.point && spot.point.body !== "ground" ? spot.point.body : (part?.split(/[.:]/)[0] ?? null);
  if (tools.OF_BODIES.has(s.tool.value)) {
    if (body && body in s.members("bodies")) await tools.useBody(body, local(body, spot.at));
    return;
  }
  await tools.use(spot, body !== null && body in s.members("bodies") ? body : null);
}

/** A place of the drawing in the frame of a body. */
function local(body: string, at: readonly number[]): number[] | null {
  const [now, index] = [view.value, bodyIndex(body)];
  if (!now || index === null) return null;
  const [o, x, y, z] = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]].map((p) => now.place(index, p));
  const away = [0, 1, 2].map((k) => (at[k] ?? 0) - (o?.[k] ?? 0));
  return [x, y, z].map((axis) => [0, 1, 2].reduce((sum, k) => sum + ((axis?.[k] ?? 0) - (o?.[k] ?? 0)) * (away[k] ?? 0), 0));
}

let current: SceneDocument | null = null;
let currentName = "";
let shownMotion = false;
let shownPoints = new Set<string>();

/** Whether a point that was not there before lies outside the picture: typed places may. */
function isBeyond(now: View): boolean {
  const [wide, high] = [now.element.clientWidth, now.element.clientHeight];
  return s.points.peek().some((point) => {
    if (shownPoints.has(point.name)) return false;
    const [x, y] = now.project(placeOf(now, point));
    return x < 0 || y < 0 || x > wide || y > high;
  });
}

/** Put the scene into a view, of the plane or of space. */
async function show(host: HTMLElement | null): Promise<void> {
  const scene = s.scene.value;
  if (!host || !scene || scene === current) return;
  const isOther = scene.title !== currentName || shownMotion !== s.hasMotion.value;
  current = scene;
  currentName = scene.title;
  shownMotion = s.hasMotion.value;
  const old = view.peek();
  if (old && old instanceof PlaneView === scene.plane) {
    old.setScene(scene, !isOther);
    if (!isOther && isBeyond(old)) old.fit();
    shownPoints = new Set(s.points.peek().map((point) => point.name));
    return;
  }
  old?.dispose();
  const fresh: View = scene.plane ? new PlaneView(scene) : new (await import("../viewer/space")).SpaceView(scene);
  if (current !== scene) return fresh.dispose();
  fresh.onChange = () => {
    drawn.value = drawn.peek() + 1;
  };
  host.replaceChildren(fresh.element);
  for (const what of Object.keys(s.layers.peek()) as Shown[]) fresh.show(what, s.layers.peek()[what]);
  view.value = fresh;
  shownPoints = new Set(s.points.peek().map((point) => point.name));
}

/** The moment, or the pose that a hand or a search has put it in. */
function follow(): void {
  const [now, stance, time, scene] = [view.value, s.stance.value, s.time.value, s.scene.value];
  if (!now || !scene || s.frames.value) return;
  now.hold(stance?.poses.length ? split(stance.poses, scene.plane) : null);
  if (!stance) now.draw(time);
}

function layer(): void {
  const [now, all] = [view.value, s.layers.value];
  if (!now) return;
  const isFree = s.freeBody.value !== null && s.screen.value === "forces"; // which brings its own
  for (const what of Object.keys(all) as Shown[]) now.show(what, all[what] && !(what === "forces" && isFree));
}

function Caption() {
  const name = s.doc.value?.name ?? "";
  const problem = s.shown.value && !s.shown.value.is_assembled ? s.shown.value.problems[0]?.text : "";
  return (
    <div class="caption">
      <h1>{name}</h1>
      {problem ? <p class="caption-problem">{problem}</p> : null}
      {s.frames.value ? <p>{s.frameLabel.value}</p> : null}
    </div>
  );
}

const LAYERS: [Shown, string, string][] = [
  ["trace", words.show.trace, "T"],
  ["ghosts", words.show.ghosts, "H"],
  ["forces", words.show.forces, "F"],
  ["names", words.show.names, "N"],
];

function Looks() {
  const now = view.value;
  return (
    <div class="looks" role="toolbar" aria-label={words.show.label}>
      {now?.look ? (
        <div class="looks-group" role="group" aria-label={words.looks.label}>
          {(["front", "right", "top", "corner"] as const).map((name) => (
            <Button key={name} label={words.looks[name]} kind="quiet" act={() => now.look?.(name)} />
          ))}
        </div>
      ) : null}
      <div class="looks-group">
        {LAYERS.map(([what, label, keys]) => (
          <Button
            key={what}
            label={label}
            icon={what}
            keys={keys}
            bare
            kind="quiet"
            pressed={s.layers.value[what]}
            act={() => {
              s.layers.value = { ...s.layers.value, [what]: !s.layers.value[what] };
            }}
          />
        ))}
        <Button label={words.show.zoomOut} keys="-" icon="minus" bare kind="quiet" act={() => now?.zoom(0.8)} />
        <Button label={words.show.zoomIn} keys="+" icon="plus" bare kind="quiet" act={() => now?.zoom(1.25)} />
        <Button label={words.show.home} keys="0" icon="home" bare kind="quiet" act={() => now?.home()} />
      </div>
    </div>
  );
}
