// Space, in three.js: the same scene that the plane draws, with real solids and soft shadows.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import {
  arrowNow, arrowScales, arrowsWanted, carry, everything, forceScale, keptApart, LONGEST_ARROW, MOST_VALUED, niceStep, type BodyPose,
} from "virtual:player";
import { THEMES } from "../made/theme";
import { LiveMotion } from "./live";
import type { Joint, LivePose, SceneDocument } from "./scene";
import { rod, shapeMesh, vec, type Paints } from "./space/solids";
import { post, sideMesh, Span, symbolOf } from "./space/symbols";
import type { Look, Shown, View } from "./view";

const SYMBOL_ROOM = 380; // px of a picture at its normal size that the scene fills
const GHOSTS = 8;
const FAR = 4; // sizes of the scene between it and the eye
const FLAT = 0.12; // of the eye's rise: a level seen that flat is no place to point at
const BESIDE = 3; // px from a place to its word
const BASELINE = 4; // px from the middle of a word to its baseline
const MOST_WIDTHS = 2000; // that are remembered
const MARGIN = 44; // px around the motion
const DEGREES = 180 / Math.PI;
const SOFTENED = 0.22; // share of paper in the tones of bodies
const LOOKS: Record<Look, readonly [number, number]> = {
  front: [-90, 0], back: [90, 0], right: [0, 0], left: [180, 0], top: [-90, 89.9], bottom: [-90, -89.9], corner: [-58, 24],
};
const BLANK = 120; // of the scene's unit: what an empty drawing shows around the origin

export class SpaceView implements View {
  readonly element = document.createElement("div");
  onChange: () => void = () => undefined;
  private readonly renderer: THREE.WebGLRenderer;
  private readonly camera = new THREE.OrthographicCamera();
  private readonly controls: OrbitControls;
  private readonly labels = document.createElement("div");
  private readonly watcher: ResizeObserver;
  private readonly dark = window.matchMedia("(prefers-color-scheme: dark)");
  private world = new THREE.Scene();
  private motion: LiveMotion;
  private bodies: THREE.Group[] = [];
  private spans: [Span, number][] = [];
  private traces: THREE.Line[] = [];
  private pens: THREE.Object3D[] = [];
  private ghosts = new THREE.Group();
  private loads = new THREE.Group();
  private paints: Paints;
  private time: number;
  private size = 1;
  private reach: THREE.Vector3[] = [];
  private spread: [number, number] = [1, 1];
  private px = 1;
  private middle = new THREE.Vector3();
  private shown: Record<Shown | "reactions", boolean> = { trace: true, ghosts: false, forces: true, reactions: false, names: false };
  private names: [HTMLElement, number | null, number[]][] = [];
  private values: [string, number[]][] = [];
  private readonly widths = new Map<string, number>();
  private chosen: number | null = null;
  private readonly scale = document.createElement("div");
  private queued = false;

  constructor(scene: SceneDocument) {
    this.element.className = "kempe view-space";
    this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.domElement.setAttribute("role", "img");
    this.labels.className = "space-names";
    this.scale.className = "force-scale";
    this.scale.hidden = true;
    this.element.append(this.renderer.domElement, this.labels, this.scale);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.enableDamping = false;
    this.controls.addEventListener("change", () => this.render());
    this.motion = new LiveMotion(scene);
    this.time = this.motion.start;
    this.paints = paintsOf(this.dark.matches);
    this.build();
    this.home();
    this.watcher = new ResizeObserver(() => this.resize());
    this.watcher.observe(this.element);
    this.dark.addEventListener("change", this.repaint);
  }

  setScene(scene: SceneDocument, keep: boolean): void {
    this.motion = new LiveMotion(scene);
    this.time = this.motion.start;
    this.build();
    if (!keep) this.home();
    this.draw(this.time);
  }

  draw(time: number): void {
    this.time = time;
    const place = this.motion.place(time);
    const poses = this.motion.poses(place);
    poses.forEach((pose, k) => setPose(this.bodies[k], pose));
    for (const [span, k] of this.spans) {
      const joint = this.motion.scene.joints[k];
      if (joint) span.set(vec(this.place(joint.i.body, joint.i.point)), vec(this.place(joint.j.body, joint.j.point)));
    }
    this.motion.scene.traces.forEach((trace, k) => {
      const pose = poses[trace.body];
      if (pose) this.pens[k]?.position.copy(vec(carry(pose, trace.point)));
    });
    this.drawLoads(place);
    this.render();
  }

  hold(poses: readonly LivePose[] | null): void {
    this.motion.hold(poses);
    this.draw(this.time);
  }

  include(): void {
    // The orthographic camera has room around the scene; what moves further is reached by zooming.
  }

  show(what: Shown | "reactions", on: boolean): void {
    this.shown[what] = on;
    for (const line of [...this.traces, ...this.pens]) line.visible = this.shown.trace;
    this.layGhosts();
    this.draw(this.time);
  }

  home(): void {
    this.look("corner");
  }

  fit(): void {
    const off = this.camera.position.clone().sub(this.controls.target);
    this.lookFrom(Math.atan2(off.y, off.x) * DEGREES, Math.asin(off.z / off.length()) * DEGREES);
  }

  look(name: Look): void {
    const [azimuth, elevation] = LOOKS[name];
    this.lookFrom(azimuth, elevation);
  }

  /** Turn to look from there, degrees, with the whole motion in the picture. */
  lookFrom(azimuth: number, elevation: number): void {
    this.camera.zoom = 1;
    this.camera.position.copy(this.middle).addScaledVector(outward(azimuth, elevation), FAR * this.size);
    this.camera.lookAt(this.middle);
    this.camera.updateMatrixWorld();
    const box = new THREE.Box3().setFromPoints(this.reach.map((p) => p.clone().applyMatrix4(this.camera.matrixWorldInverse)));
    this.spread = [box.max.x - box.min.x, box.max.y - box.min.y];
    const middle = box.getCenter(new THREE.Vector3()).applyMatrix4(this.camera.matrixWorld);
    this.controls.target.copy(middle);
    this.camera.position.copy(middle).addScaledVector(outward(azimuth, elevation), FAR * this.size);
    this.controls.update();
    this.resize();
  }

  zoom(factor: number): void {
    this.camera.zoom *= factor;
    this.camera.updateProjectionMatrix();
    this.render();
  }

  nudge(dx: number, dy: number): void {
    this.orbit(-6 * dx, 6 * dy);
  }

  /** Turn the eye about what it looks at, degrees. */
  orbit(azimuth: number, elevation: number): void {
    const off = this.camera.position.clone().sub(this.controls.target);
    const [a, e] = [Math.atan2(off.y, off.x) * DEGREES, Math.asin(off.z / off.length()) * DEGREES];
    const up = Math.min(89.9, Math.max(-89.9, e + elevation));
    this.camera.position.copy(this.controls.target).addScaledVector(outward(a + azimuth, up), off.length());
    this.controls.update();
    this.render();
  }

  /** Move the picture by pixels. */
  shift(dx: number, dy: number): void {
    const metres = this.metresAPixel;
    const across = new THREE.Vector3().setFromMatrixColumn(this.camera.matrix, 0).multiplyScalar(-dx * metres);
    const along = new THREE.Vector3().setFromMatrixColumn(this.camera.matrix, 1).multiplyScalar(dy * metres);
    for (const place of [this.controls.target, this.camera.position]) place.add(across).add(along);
    this.controls.update();
    this.render();
  }

  /** The picture as it stands, as PNG on paper. */
  picture(): Promise<Blob> {
    const drawn = this.renderer.domElement;
    const sheet = document.createElement("canvas");
    [sheet.width, sheet.height] = [drawn.width, drawn.height];
    const pen = sheet.getContext("2d");
    if (pen) {
      pen.fillStyle = (this.dark.matches ? THEMES.dark : THEMES.light).paper;
      pen.fillRect(0, 0, sheet.width, sheet.height);
      pen.drawImage(drawn, 0, 0);
    }
    return new Promise((resolve, reject) => {
      sheet.toBlob((made) => (made ? resolve(made) : reject(new Error("no picture"))), "image/png");
    });
  }

  project(point: readonly number[]): [number, number] {
    const seen = vec(point).project(this.camera);
    return [((seen.x + 1) / 2) * this.element.clientWidth, ((1 - seen.y) / 2) * this.element.clientHeight];
  }

  unproject(x: number, y: number, through: readonly number[] = [0, 0, 0]): [number, number, number] {
    const near = vec(through).project(this.camera).z;
    const p = new THREE.Vector3((2 * x) / this.element.clientWidth - 1, 1 - (2 * y) / this.element.clientHeight, near);
    p.unproject(this.camera);
    return [p.x, p.y, p.z];
  }

  level(x: number, y: number, height: number): [number, number, number] | null {
    const [, , toward] = this.sides();
    const rise = toward?.[2] ?? 0;
    if (Math.abs(rise) < FLAT) return null;
    const p = vec(this.unproject(x, y, [0, 0, height]));
    p.addScaledVector(vec(toward ?? [0, 0, 1]), (height - p.z) / rise);
    return [p.x, p.y, height];
  }

  sides(): number[][] {
    this.camera.updateMatrixWorld();
    return [0, 1, 2].map((k) => new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, k).toArray());
  }

  place(body: number | null, point: readonly number[]): number[] {
    if (body === null) return [...point];
    const pose = this.motion.poses(this.motion.place(this.time))[body];
    return pose === undefined ? [...point] : carry(pose, point);
  }

  pick(x: number, y: number): string | null {
    const at = new THREE.Vector2((2 * x) / this.element.clientWidth - 1, 1 - (2 * y) / this.element.clientHeight);
    const ray = new THREE.Raycaster();
    ray.setFromCamera(at, this.camera);
    for (const hit of ray.intersectObjects(this.bodies, true)) {
      const index = this.bodies.findIndex((body) => isWithin(hit.object, body));
      if (index >= 0) return this.motion.scene.bodies[index]?.name ?? null;
    }
    return null;
  }

  dispose(): void {
    this.watcher.disconnect();
    this.dark.removeEventListener("change", this.repaint);
    this.controls.dispose();
    this.renderer.dispose();
    this.element.remove();
  }

  private repaint = () => {
    this.paints = paintsOf(this.dark.matches);
    this.build();
    this.draw(this.time);
  };

  private build(): void {
    const { scene } = this.motion;
    this.world.traverse((object) => {
      if (object instanceof THREE.Mesh || object instanceof THREE.Line) (object.geometry as THREE.BufferGeometry).dispose();
    });
    this.world = new THREE.Scene();
    this.reach = everything(this.motion).map(vec);
    if (!scene.bodies.length) {
      const far = BLANK / scene.unit_scale;
      this.reach.push(vec([-far, -far, 0]), vec([far, far, 0.6 * far]));
    }
    const box = new THREE.Box3().setFromPoints(this.reach);
    this.size = Math.max(box.getSize(new THREE.Vector3()).length(), 1e-9);
    box.getCenter(this.middle);
    this.px = this.symbolPx(this.size / SYMBOL_ROOM);
    const floor = box.min.z - (scene.sizes["floor"] ?? 0.06) * this.size;
    const link = 0.8 * (scene.sizes["link"] ?? 15);
    const stands = scene.joints.filter((joint) => symbolOf(scene, joint).stand && joint.i.body === null);
    for (const [x, y] of [...stands.map((joint) => joint.i.point), ...scene.ground.pivots]) this.reach.push(vec([x, y, floor]));
    this.bodies = scene.bodies.map((body, k) => {
      const group = new THREE.Group();
      // Rods that lie in one line must not fight for the same pixels.
      const own = link * (1 - 0.07 * (k % 4));
      for (const shape of body.shapes) group.add(shapeMesh(shape, this.px, own, this.paints, body.colour));
      this.world.add(group);
      return group;
    });
    this.spans = [];
    scene.joints.forEach((joint, k) => {
      for (const side of ["i", "j"] as const) {
        const host = joint[side].body === null ? this.world : this.bodies[joint[side].body];
        host?.add(sideMesh(scene, joint, side, this.px, this.paints));
      }
      const span = new Span(scene, joint, this.px, this.paints, this.shortest(joint));
      if (!span.isEmpty) {
        this.spans.push([span, k]);
        this.world.add(span.object);
      }
    });
    for (const joint of stands) this.world.add(post(joint.i.point, floor, this.px, this.paints));
    for (const pivot of scene.ground.pivots) this.world.add(post(pivot, floor, this.px, this.paints));
    this.layTraces();
    this.world.add(...lights(this.middle, this.size), ...ground(this.middle, this.size, floor, scene, this.dark.matches));
    this.ghosts = new THREE.Group();
    this.loads = new THREE.Group();
    this.world.add(this.ghosts, this.loads);
    this.layGhosts();
    this.layNames();
    this.renderer.domElement.setAttribute("aria-label", `${scene.title}. ${scene.bodies.map((b) => b.name).join(", ")}.`);
  }

  /** How near to each other the two frames of a joint ever come. */
  private shortest(joint: Joint): number {
    const at = ({ body, point }: Joint["i"], index: number) =>
      vec(body === null ? point : carry(this.motion.pose(body, { index, share: 0 }), point));
    const gaps = this.motion.scene.times.map((_, index) => at(joint.i, index).distanceTo(at(joint.j, index)));
    return gaps.reduce((least, gap) => Math.min(least, gap), Infinity);
  }

  /** Short links carry smaller symbols. */
  private symbolPx(px: number): number {
    const { scene } = this.motion;
    const normal = scene.sizes["normal_link"] ?? 46;
    let factor = 1;
    for (const shape of scene.bodies.flatMap((body) => body.shapes)) {
      if (shape.form !== "bar") continue;
      const [a, b] = shape.points;
      if (a && b) factor = Math.min(factor, vec(a).distanceTo(vec(b)) / px / normal);
    }
    return px * Math.min(Math.max(factor, scene.sizes["smallest"] ?? 0.42), 1);
  }

  private layTraces(): void {
    const { scene } = this.motion;
    this.traces = [];
    this.pens = [];
    for (const trace of scene.traces) {
      const colour = scene.bodies[trace.body]?.colour ?? null;
      const points = scene.times.map((_, index) => vec(carry(this.motion.pose(trace.body, { index, share: 0 }), trace.point)));
      const curve = new THREE.Line(new THREE.BufferGeometry().setFromPoints(points), this.paints.line(colour));
      const pen = new THREE.Mesh(new THREE.SphereGeometry(4 * this.px, 16, 12), this.paints.body(colour));
      this.traces.push(curve);
      this.pens.push(pen);
      this.world.add(curve, pen);
    }
  }

  private layGhosts(): void {
    this.ghosts.clear();
    const count = this.motion.times.length;
    if (!this.shown.ghosts || count < 2) return;
    for (let k = 0; k < GHOSTS; k += 1) {
      const place = { index: Math.round((k * (count - 1)) / GHOSTS), share: 0 };
      this.bodies.forEach((body, b) => {
        const ghost = body.clone();
        ghost.traverse((object) => {
          if (!(object instanceof THREE.Mesh)) return;
          const paint = (object.material as THREE.MeshStandardMaterial).clone();
          paint.transparent = true;
          paint.opacity = 0.12;
          paint.depthWrite = false;
          object.material = paint;
          object.castShadow = false;
        });
        setPose(ghost, this.motion.pose(b, place));
        this.ghosts.add(ghost);
      });
    }
  }

  /** One body by itself with what acts on it, or null for all of them. */
  choose(body: number | null): void {
    this.chosen = body;
    this.bodies.forEach((one, b) => (one.visible = body === null || b === body));
    for (const [span] of this.spans) span.object.visible = body === null;
    this.ghosts.visible = body === null;
    this.draw(this.time);
  }

  private drawLoads(place: { index: number; share: number }): void {
    this.loads.clear();
    this.values = [];
    const wanted = arrowsWanted(this.motion.scene, this.shown, this.chosen);
    const longest = LONGEST_ARROW * this.size;
    const scales = arrowScales(wanted, this.motion, place, longest, this.chosen);
    for (const one of wanted) {
      const { tail, way, words } = arrowNow(this.motion, one, scales, place);
      const foot = vec(tail);
      const points = one.load.isTorque ? arc(foot, vec(way)) : [foot, foot.clone().add(vec(way))];
      if (vec(way).length() < 3 * this.px) continue;
      const tip = this.arrow(points);
      if (wanted.length <= MOST_VALUED && vec(way).length() > 12 * this.px) this.values.push([words, tip.toArray()]);
    }
    const scale = forceScale(scales, longest);
    this.scale.hidden = scale === null;
    if (scale) {
      const bar = document.createElement("i");
      bar.style.width = `${scale.metres / this.metresAPixel}px`;
      this.scale.replaceChildren(scale.words, bar);
    }
  }

  /** A line with a head at its end; where the tip is. */
  private arrow(points: THREE.Vector3[]): THREE.Vector3 {
    const tip = points[points.length - 1] ?? new THREE.Vector3();
    const before = points[points.length - 2] ?? tip;
    const way = tip.clone().sub(before);
    const length = Math.max(way.length(), 1e-12);
    const straight = points.length === 2;
    const head = straight ? Math.min(11 * this.px, 0.6 * length) : 9 * this.px;
    const neck = tip.clone().addScaledVector(way, (straight ? -head : 0) / length);
    points.slice(0, -1).forEach((p, k) => {
      const q = k === points.length - 2 ? neck : points[k + 1];
      if (q && p.distanceTo(q) > 0) this.loads.add(rod(p, q, 1.4 * this.px, RED));
    });
    const cone = new THREE.Mesh(new THREE.ConeGeometry(4.5 * this.px, head, 16), RED);
    cone.position.copy(neck).addScaledVector(way, head / (2 * length));
    cone.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), way.clone().divideScalar(length));
    this.loads.add(cone);
    return tip;
  }

  private get metresAPixel(): number {
    return (this.camera.right - this.camera.left) / this.camera.zoom / Math.max(1, this.element.clientWidth);
  }

  private layNames(): void {
    this.labels.replaceChildren();
    this.names = this.motion.scene.bodies.map((body, b) => {
      const made = document.createElement("span");
      made.textContent = body.name;
      this.labels.append(made);
      const corners = body.shapes.flatMap((shape) => (shape.form === "disc" ? [shape.centre] : shape.points));
      const middle = [0, 1, 2].map((k) => corners.reduce((sum, p) => sum + (p[k as 0] ?? 0), 0) / (corners.length || 1));
      return [made, b, middle];
    });
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width || !height) return;
    this.renderer.setSize(width, height);
    // Metres a pixel, with room for symbols and the title around.
    const room = [Math.max(20, width - 2 * MARGIN), Math.max(20, height - 2 * MARGIN)] as const;
    const scale = Math.max(this.spread[0] / room[0], this.spread[1] / room[1], 1e-3 * this.size / width);
    const [right, top] = [0.5 * scale * width, 0.5 * scale * height];
    Object.assign(this.camera, { left: -right, right, top, bottom: -top, near: 0.01 * this.size, far: 3 * FAR * this.size });
    this.camera.updateProjectionMatrix();
    this.render();
  }

  /** Names of bodies and values of arrows beside their places, none on top of another. */
  private layWords(): void {
    const words: { kind: string; text: string; x: number; y: number; half: number; made: HTMLElement }[] = [];
    const put = (made: HTMLElement, point: readonly number[]) => {
      const [x, y] = this.project(point);
      const half = this.halfWidth(made);
      words.push({ kind: "name", text: "", x: x + half + BESIDE, y: y + BASELINE, half, made });
    };
    for (const [made, body, point] of this.names) {
      made.hidden = !this.shown.names || (this.chosen !== null && body !== this.chosen);
      if (!made.hidden) put(made, this.place(body, point));
    }
    this.layValues(put);
    const { clientWidth, clientHeight } = this.element;
    for (const { made, x, y } of keptApart(this.motion.scene, words, clientWidth, clientHeight)) {
      made.style.transform = `translate(${x.toFixed(1)}px, ${(y - BASELINE).toFixed(1)}px) translate(-50%, -50%)`;
    }
  }

  /** Half the width of a word, px, measured once. */
  private halfWidth(made: HTMLElement): number {
    const key = `${made.className} ${made.textContent ?? ""}`;
    const known = this.widths.get(key);
    if (known !== undefined) return known;
    const half = 0.5 * made.offsetWidth;
    if (half > 0 && this.widths.size < MOST_WIDTHS) this.widths.set(key, half);
    return half;
  }

  /** How much the arrows are, beside their tips. */
  private layValues(put: (made: HTMLElement, point: readonly number[]) => void): void {
    const old = [...this.labels.querySelectorAll<HTMLElement>(".load-value")];
    old.slice(this.values.length).forEach((made) => made.remove());
    this.values.forEach(([words, point], k) => {
      const made = old[k] ?? document.createElement("span");
      made.className = "load-value";
      made.textContent = words;
      if (!old[k]) this.labels.append(made);
      put(made, point);
    });
  }

  /** At most once a frame, however often something changed. */
  private render(): void {
    if (this.queued) return;
    this.queued = true;
    requestAnimationFrame(() => {
      this.queued = false;
      this.camera.updateMatrixWorld();
      this.renderer.render(this.world, this.camera);
      this.layWords();
      this.onChange();
    });
  }
}

const RED = new THREE.MeshStandardMaterial({ color: 0xc4122f, roughness: 0.6 });

/** Three quarters of a turn about a vector, by the right hand, at half its length. */
function arc(middle: THREE.Vector3, way: THREE.Vector3): THREE.Vector3[] {
  const axis = way.clone().normalize();
  const side = Math.abs(axis.z) > 0.9 ? new THREE.Vector3(1, 0, 0) : new THREE.Vector3(0, 0, 1);
  const first = side.cross(axis).normalize().multiplyScalar(0.5 * way.length());
  return Array.from({ length: 25 }, (_, k) => middle.clone().add(first.clone().applyAxisAngle(axis, (1.5 * Math.PI * k) / 24)));
}

/** The unit vector towards a reader at an azimuth and elevation in degrees. */
function outward(azimuth: number, elevation: number): THREE.Vector3 {
  const [a, e] = [azimuth / DEGREES, elevation / DEGREES];
  return vec([Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e)]);
}

function isWithin(object: THREE.Object3D | null, ancestor: THREE.Object3D): boolean {
  for (let one = object; one !== null; one = one.parent) if (one === ancestor) return true;
  return false;
}

function setPose(object: THREE.Object3D | undefined, { r, R }: BodyPose): void {
  if (!object) return;
  const m = object.matrix;
  const [a = 1, b = 0, c = 0, d = 0, e = 1, f = 0, g = 0, h = 0, i = 1] = R;
  m.set(a, b, c, r[0] ?? 0, d, e, f, r[1] ?? 0, g, h, i, r[2] ?? 0, 0, 0, 0, 1);
  object.matrixAutoUpdate = false;
  object.matrixWorldNeedsUpdate = true;
}

function paintsOf(dark: boolean): Paints {
  const theme = dark ? THEMES.dark : THEMES.light;
  const made = new Map<string, THREE.MeshStandardMaterial>();
  const lines = new Map<string, THREE.LineBasicMaterial>();
  const paint = (colour: string, roughness = 0.55) => {
    const old = made.get(colour);
    if (old) return old;
    const fresh = new THREE.MeshStandardMaterial({ color: colour, roughness, metalness: 0.05, side: THREE.DoubleSide });
    made.set(colour, fresh);
    return fresh;
  };
  const line = (colour: string) => {
    const old = lines.get(colour) ?? new THREE.LineBasicMaterial({ color: colour });
    lines.set(colour, old);
    return old;
  };
  const full = (colour: number | null) =>
    colour === null ? theme.steel : (theme.tones[colour % theme.tones.length] ?? theme.steel);
  // A little paper in every tone, as in the faces of solids in the plane: lit, it is as calm as they are.
  const tone = (colour: number | null) =>
    `#${new THREE.Color(full(colour)).lerp(new THREE.Color(theme.paper), dark ? 0 : SOFTENED).getHexString()}`;
  return {
    body: (colour) => paint(tone(colour)),
    line: (colour) => line(full(colour)),
    paper: paint(dark ? "#c9d0d8" : "#ffffff"),
    ink: paint(dark ? "#dfe5ec" : "#2a3340"),
    stand: paint(dark ? "#4a5663" : "#b8b2a4", 0.8),
    edge: line(dark ? "#e4e8ee" : "#1c2430"),
  };
}

function lights(middle: THREE.Vector3, size: number): THREE.Object3D[] {
  const sky = new THREE.HemisphereLight(0xffffff, 0x9a958a, 2.0);
  sky.position.set(0, 0, 1);
  const sun = new THREE.DirectionalLight(0xffffff, 2.2);
  sun.position.copy(middle).add(vec([-0.9 * size, -1.3 * size, 2.2 * size]));
  sun.target.position.copy(middle);
  sun.castShadow = true;
  sun.shadow.mapSize.set(2048, 2048);
  sun.shadow.radius = 6;
  sun.shadow.intensity = 0.5;
  Object.assign(sun.shadow.camera, { left: -size, right: size, top: size, bottom: -size, near: 0.1 * size, far: 5 * size });
  sun.shadow.bias = -0.0008;
  sun.shadow.normalBias = 0.004 * size;
  return [sky, sun, sun.target];
}

/** The floor in squares of a round length, and the shadows on it. */
function ground(middle: THREE.Vector3, size: number, floor: number, scene: SceneDocument, dark: boolean): THREE.Object3D[] {
  const theme = dark ? THEMES.dark : THEMES.light;
  const step = niceStep((size / 9) * scene.unit_scale) / scene.unit_scale;
  const count = Math.ceil((0.75 * size) / step);
  const points: THREE.Vector3[] = [];
  const [x0, y0] = [Math.round(middle.x / step) * step, Math.round(middle.y / step) * step];
  for (let k = -count; k <= count; k += 1) {
    const reach = count * step;
    points.push(vec([x0 + k * step, y0 - reach, floor]), vec([x0 + k * step, y0 + reach, floor]));
    points.push(vec([x0 - reach, y0 + k * step, floor]), vec([x0 + reach, y0 + k * step, floor]));
  }
  const grid = new THREE.LineSegments(new THREE.BufferGeometry().setFromPoints(points), new THREE.LineBasicMaterial({ color: theme.axis }));
  const shade = new THREE.Mesh(new THREE.PlaneGeometry(4 * size, 4 * size), new THREE.ShadowMaterial({ opacity: dark ? 0.5 : 0.22 }));
  shade.position.set(middle.x, middle.y, floor - 0.001 * size);
  shade.receiveShadow = true;
  return [grid, shade];
}
