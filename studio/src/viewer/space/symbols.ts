// Joints, springs and stands in space, from the same symbols that the plane draws.

import * as THREE from "three";
import type { Joint, SceneDocument } from "../scene";
import { ball, rod, vec, type Paints } from "./solids";

interface SymbolSolid {
  form: "drum" | "block" | "ball" | "stroke";
  radius?: number;
  half_length?: number;
  half?: number[];
  at?: number;
  fill?: "paper" | "body" | "ink";
  side: "i" | "j";
  points?: number[][];
}

export interface SymbolDocument {
  says: string;
  solids: SymbolSolid[];
  guide: "none" | "rail" | "slot" | "barrel" | "bore";
  span: [number, number][][];
  stand: boolean;
  wrap: "none" | "open" | "crossed";
  bar: boolean;
}

export function symbolOf(scene: SceneDocument, joint: Joint): SymbolDocument {
  return scene.symbols[joint.symbol] as SymbolDocument;
}

/** A joint's frame as a transform in the frame of its body. */
function frameMatrix(point: readonly number[], axes: readonly number[]): THREE.Matrix4 {
  const column = (k: number) => vec(axes.slice(3 * k, 3 * k + 3));
  return new THREE.Matrix4().makeBasis(column(0), column(1), column(2)).setPosition(vec(point));
}

function fillOf(solid: SymbolSolid, scene: SceneDocument, joint: Joint, paints: Paints): THREE.Material {
  if (solid.fill === "paper") return paints.paper;
  if (solid.fill === "ink") return paints.ink;
  const body = joint[solid.side].body;
  return paints.body(body === null ? null : (scene.bodies[body]?.colour ?? null));
}

/** The solids of one side of a joint, in the frame of that side's body. */
export function sideMesh(
  scene: SceneDocument,
  joint: Joint,
  side: "i" | "j",
  px: number,
  paints: Paints,
): THREE.Object3D {
  const group = new THREE.Group();
  for (const solid of symbolOf(scene, joint).solids) {
    if (solid.side !== side) continue;
    const paint = fillOf(solid, scene, joint, paints);
    // A little larger than in the plane: what is drawn on top there must look out of a link here.
    const scale = 1.25 * px;
    // At the ends of a bar that is no body, a ball must look out of the links that it joins.
    const swell = symbolOf(scene, joint).bar ? ROD_END : 1;
    if (solid.form === "ball") group.add(ball(new THREE.Vector3(), (solid.radius ?? 4) * swell * scale, paint));
    if (solid.form === "drum") {
      const [at, half] = [solid.at ?? 0, solid.half_length ?? 6];
      group.add(rod(vec([0, 0, (at - half) * scale]), vec([0, 0, (at + half) * scale]), (solid.radius ?? 4) * scale, paint));
    }
    if (solid.form === "block") {
      const [x = 5, y = 5, z = 5] = (solid.half ?? []).map((h) => 1.7 * h * px);
      const mesh = new THREE.Mesh(new THREE.BoxGeometry(x, y, z), paint);
      mesh.castShadow = true;
      mesh.receiveShadow = true;
      group.add(mesh);
    }
    if (solid.form === "stroke") {
      const points = (solid.points ?? []).map((p) => vec(p.map((x) => x * scale)));
      points.forEach((p, k) => {
        const q = points[k + 1];
        if (q) group.add(rod(p, q, 0.9 * px, paints.ink, true));
      });
    }
  }
  if (side === "i") for (const part of guideOf(scene, joint, px, paints)) group.add(part);
  group.applyMatrix4(frameMatrix(joint[side].point, joint[side].axes));
  return group;
}

const ROD_END = 1.9; // by which the balls of a rod are larger than in the plane
const GLASS = 0.2; // how much of what is behind a cylinder in space it hides

/** What guides a joint: a rail, a barrel that a rod comes out of, the glass cylinder of a piston. */
function guideOf(scene: SceneDocument, joint: Joint, px: number, paints: Paints): THREE.Object3D[] {
  const { guide } = symbolOf(scene, joint);
  if (guide === "none") return [];
  if (guide === "rail" || guide === "slot" || !joint.reach) return [rail(scene, joint, px, paints)];
  const [from, to, , wide] = joint.reach;
  const [back, mouth] = [vec([0, 0, from]), vec([0, 0, to])];
  if (guide === "bore") {
    const paint = paints.stand.clone();
    Object.assign(paint, { transparent: true, opacity: GLASS, depthWrite: false });
    const tube = rod(back, mouth, wide + (scene.sizes["wall"] ?? 2.5) * px, paint);
    tube.castShadow = false;
    return [tube];
  }
  const colour = joint.i.body === null ? null : (scene.bodies[joint.i.body]?.colour ?? null);
  const radius = 0.4 * (scene.sizes["barrel"] ?? 24) * px;
  const collar = mouth.clone().sub(back).setLength(0.8 * (scene.sizes["gland"] ?? 5) * px);
  return [
    rod(back, mouth, radius, paints.body(colour)),
    rod(mouth.clone().sub(collar), mouth, 1.1 * radius, paints.ink),
  ];
}

function rail(scene: SceneDocument, joint: Joint, px: number, paints: Paints): THREE.Object3D {
  const over = (scene.sizes["overhang"] ?? 34) * px;
  const [low, high] = joint.travel;
  const radius = 0.5 * (scene.sizes["rod"] ?? 3.2) * px * 1.6;
  return rod(vec([0, 0, low - over]), vec([0, 0, high + over]), radius, paints.stand);
}

const HOUSED = new Set(["cylinder", "damper", "spring_damper"]); // a barrel and its rod
const BARREL = [0.1, 0.66] as const; // shares of the least distance where a barrel begins and ends

/** What spans the two frames of a joint: a bar, a coil, a dashpot; redrawn as they move. */
export class Span {
  readonly object = new THREE.Group();
  private readonly symbol: SymbolDocument;
  private readonly stick: number;

  /** `shortest`: how near to each other the two frames ever come, m. */
  constructor(
    scene: SceneDocument,
    private readonly joint: Joint,
    private readonly px: number,
    private readonly paints: Paints,
    private readonly shortest: number,
  ) {
    this.symbol = symbolOf(scene, joint);
    this.stick = 0.5 * (scene.sizes["stick"] ?? 9) * px;
  }

  get isEmpty(): boolean {
    return !this.symbol.bar && !this.symbol.span.length && this.symbol.wrap === "none";
  }

  set(a: THREE.Vector3, b: THREE.Vector3): void {
    for (const child of [...this.object.children]) {
      this.object.remove(child);
      if (child instanceof THREE.Mesh) (child.geometry as THREE.BufferGeometry).dispose();
    }
    if (this.symbol.bar) {
      this.object.add(rod(a, b, this.stick, this.paints.body(null), true));
      return;
    }
    const way = b.clone().sub(a);
    const length = way.length();
    if (!(length > 0)) return;
    const u = way.clone().divideScalar(length);
    const v = new THREE.Vector3(0, 0, 1).cross(u);
    if (v.lengthSq() < 1e-6) v.set(1, 0, 0);
    v.normalize();
    const w = u.clone().cross(v);
    if (this.joint.symbol === "spring" || this.joint.symbol === "spring_damper") this.object.add(this.coil(a, way, v, w));
    if (HOUSED.has(this.joint.symbol)) this.housing(a, b, u, length);
    if (this.joint.symbol === "spring" || HOUSED.has(this.joint.symbol)) return;
    for (const path of this.symbol.span) {
      const points = path.map(([along, across]) => a.clone().addScaledVector(way, along).addScaledVector(v, across * this.px));
      points.forEach((p, k) => {
        const q = points[k + 1];
        if (q && p.distanceTo(q) > 0) this.object.add(rod(p, q, 0.9 * this.px, this.paints.ink, true));
      });
    }
  }

  /** A barrel at I that keeps its length, and the rod that comes out of it to J. */
  private housing(a: THREE.Vector3, b: THREE.Vector3, u: THREE.Vector3, length: number): void {
    const at = (way: number) => a.clone().addScaledVector(u, way);
    const shortest = Math.min(this.shortest, length);
    const [back, front] = [BARREL[0] * shortest, BARREL[1] * shortest];
    const radius = Math.min((this.joint.symbol === "cylinder" ? 6.5 : 5) * this.px, 0.12 * length);
    const collar = Math.min(2.5 * this.px, 0.1 * shortest);
    const barrel = this.paints.body(null);
    this.object.add(
      rod(a, at(back), 0.55 * radius, barrel),
      rod(at(back), at(front), radius, barrel),
      rod(at(front - collar), at(front), 1.18 * radius, this.paints.ink),
      rod(at(0.5 * (back + front)), b, 0.42 * radius, this.paints.paper),
    );
  }

  private coil(a: THREE.Vector3, way: THREE.Vector3, v: THREE.Vector3, w: THREE.Vector3): THREE.Object3D {
    const points: THREE.Vector3[] = [];
    const [turns, steps] = [8, 160];
    for (let k = 0; k <= steps; k += 1) {
      const s = k / steps;
      const inside = Math.min(1, Math.max(0, (s - 0.1) / 0.8));
      const swell = Math.min(1, 10 * Math.min(inside, 1 - inside) + (inside > 0 && inside < 1 ? 0.15 : 0));
      const radius = (this.joint.symbol === "spring" ? 7 : 10) * this.px * swell;
      const angle = 2 * Math.PI * turns * inside;
      points.push(a.clone().addScaledVector(way, s).addScaledVector(v, radius * Math.cos(angle)).addScaledVector(w, radius * Math.sin(angle)));
    }
    const tube = new THREE.TubeGeometry(new THREE.CatmullRomCurve3(points), 200, 1.1 * this.px, 6);
    return new THREE.Mesh(tube, this.paints.ink);
  }
}

/** A post from a ground pivot down to a round foot. */
export function post(point: readonly number[], floor: number, px: number, paints: Paints): THREE.Object3D {
  const group = new THREE.Group();
  const top = vec(point);
  const foot = vec([point[0] ?? 0, point[1] ?? 0, floor]);
  if (top.z - foot.z > px) group.add(rod(foot, top, 3.4 * px, paints.stand));
  group.add(rod(foot, foot.clone().add(vec([0, 0, 2 * px])), 13 * px, paints.stand));
  return group;
}
