// What bodies look like in space: real solids from the shapes of the scene, so that the depth
// buffer finds what hides what. One unit of length is a metre; `px` is what a pixel of the symbols
// stands for.

import * as THREE from "three";
import type { DiscShape, LineShape, PlateShape, Shape, SolidShape, Triple } from "../scene";

const ROUND = 20;

export interface Paints {
  body(colour: number | null): THREE.MeshStandardMaterial;
  line(colour: number | null): THREE.LineBasicMaterial;
  paper: THREE.MeshStandardMaterial;
  ink: THREE.MeshStandardMaterial;
  stand: THREE.MeshStandardMaterial;
  edge: THREE.LineBasicMaterial;
}

export function vec(p: readonly number[]): THREE.Vector3 {
  return new THREE.Vector3(p[0] ?? 0, p[1] ?? 0, p[2] ?? 0);
}

/** A cylinder from a to b. */
export function rod(
  a: THREE.Vector3,
  b: THREE.Vector3,
  radius: number,
  paint: THREE.Material,
  round = false,
): THREE.Object3D {
  const way = b.clone().sub(a);
  const length = Math.max(way.length(), 1e-12);
  const geometry = round
    ? new THREE.CapsuleGeometry(radius, length, 8, ROUND)
    : new THREE.CylinderGeometry(radius, radius, length, ROUND);
  const mesh = new THREE.Mesh(geometry, paint);
  mesh.position.copy(a).addScaledVector(way, 0.5);
  mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), way.divideScalar(length));
  return shadowed(mesh);
}

export function ball(at: THREE.Vector3, radius: number, paint: THREE.Material): THREE.Object3D {
  const mesh = new THREE.Mesh(new THREE.SphereGeometry(radius, 24, 16), paint);
  mesh.position.copy(at);
  return shadowed(mesh);
}

function shadowed<T extends THREE.Mesh>(mesh: T): T {
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  return mesh;
}

/** A flat outline with holes, made thick. */
function slab(outline: Triple[], holes: Triple[][], thick: number, paint: THREE.Material): THREE.Object3D {
  const centre = outline.reduce((sum, p) => sum.add(vec(p)), new THREE.Vector3()).divideScalar(outline.length);
  const normal = new THREE.Vector3();
  outline.forEach((p, k) => {
    const q = outline[(k + 1) % outline.length] ?? p;
    normal.add(vec(p).sub(centre).cross(vec(q).sub(centre)));
  });
  if (normal.lengthSq() === 0) normal.set(0, 0, 1);
  normal.normalize();
  const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
  const back = turn.clone().invert();
  const flat = (p: Triple) => {
    const q = vec(p).sub(centre).applyQuaternion(back);
    return new THREE.Vector2(q.x, q.y);
  };
  const shape = new THREE.Shape(outline.map(flat));
  shape.holes = holes.map((ring) => new THREE.Path(ring.map(flat)));
  const geometry = new THREE.ExtrudeGeometry(shape, { depth: thick, bevelEnabled: false });
  geometry.translate(0, 0, -thick / 2);
  const mesh = shadowed(new THREE.Mesh(geometry, paint));
  mesh.position.copy(centre);
  mesh.quaternion.copy(turn);
  return mesh;
}

/** The outline of the plate grown by half a link: its pins sit inside. */
function plate(shape: PlateShape, px: number, link: number, paint: THREE.Material): THREE.Object3D {
  const group = new THREE.Group();
  const radius = 0.5 * link * px;
  group.add(slab(shape.points, shape.holes ?? [], shape.rim ? radius : 0.6 * radius, paint));
  if (shape.rim) {
    shape.points.forEach((p, k) => {
      const q = shape.points[(k + 1) % shape.points.length] ?? p;
      group.add(rod(vec(p), vec(q), 0.7 * radius, paint, true));
    });
  }
  return group;
}

function disc(shape: DiscShape, px: number, link: number, paints: Paints, colour: number | null): THREE.Object3D {
  const thick = Math.min(0.6 * link * px, 0.5 * shape.radius);
  const group = new THREE.Group();
  const [a, z] = [vec(shape.centre), vec(shape.axis)];
  if (shape.points.length) {
    group.add(slab(shape.points, [], thick, paints.body(colour)));
  } else {
    group.add(rod(a.clone().addScaledVector(z, -thick / 2), a.clone().addScaledVector(z, thick / 2), shape.radius, paints.body(colour)));
  }
  for (const side of [-1, 1]) {
    const off = z.clone().multiplyScalar(side * 0.52 * thick);
    const points = [a.clone().add(off), vec(shape.mark).add(off)];
    group.add(new THREE.Line(new THREE.BufferGeometry().setFromPoints(points), paints.edge));
  }
  return group;
}

function solid(shape: SolidShape, paints: Paints, colour: number | null): THREE.Object3D {
  const numbers: number[] = [];
  const normals: number[] = [];
  shape.faces.forEach((face, f) => {
    const n = shape.normals[f] ?? [0, 0, 1];
    for (let k = 2; k < face.length; k += 1) {
      for (const corner of [face[0], face[k - 1], face[k]]) {
        numbers.push(...(shape.points[corner ?? 0] ?? [0, 0, 0]));
        normals.push(...n);
      }
    }
  });
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(numbers, 3));
  geometry.setAttribute("normal", new THREE.Float32BufferAttribute(normals, 3));
  const group = new THREE.Group();
  group.add(shadowed(new THREE.Mesh(geometry, paints.body(colour))));
  const sharp = shape.edges.filter((edge) => edge[4]).flatMap(([a, b]) => [a, b].map((k) => vec(shape.points[k] ?? [0, 0, 0])));
  group.add(new THREE.LineSegments(new THREE.BufferGeometry().setFromPoints(sharp), paints.line(colour)));
  return group;
}

function line(shape: LineShape, px: number, paints: Paints, colour: number | null): THREE.Object3D {
  const points = shape.points.map(vec);
  if (shape.closed && points[0]) points.push(points[0]);
  const paint = paints.body(shape.colour ?? colour);
  const [a, b] = points;
  // One straight line is an axle, as the arm of a cross between the tips of its fork.
  return a && b && points.length === 2 ? rod(a, b, 2.4 * px, paint, true) : wire(points, 0.9 * px, paint);
}

/** A thin wire along many points, drawn at two strokes: surfaces have hundreds of such pieces. */
function wire(points: THREE.Vector3[], radius: number, paint: THREE.Material): THREE.Object3D {
  const pieces = points.flatMap((p, k) => {
    const q = points[k + 1];
    return q && p.distanceTo(q) > 0 ? [[p, q] as const] : [];
  });
  const straight = new THREE.InstancedMesh(new THREE.CylinderGeometry(1, 1, 1, 8, 1, true), paint, pieces.length);
  const corners = new THREE.InstancedMesh(new THREE.SphereGeometry(1, 8, 6), paint, points.length);
  const place = new THREE.Matrix4();
  const turn = new THREE.Quaternion();
  pieces.forEach(([p, q], k) => {
    const way = q.clone().sub(p);
    const length = way.length();
    turn.setFromUnitVectors(new THREE.Vector3(0, 1, 0), way.divideScalar(length));
    straight.setMatrixAt(k, place.compose(p.clone().lerp(q, 0.5), turn, new THREE.Vector3(radius, length, radius)));
  });
  turn.identity();
  points.forEach((p, k) => corners.setMatrixAt(k, place.compose(p, turn, new THREE.Vector3(radius, radius, radius))));
  const group = new THREE.Group();
  group.add(shadowed(straight), shadowed(corners));
  return group;
}

/** One shape of a body, in the body's frame. */
export function shapeMesh(shape: Shape, px: number, link: number, paints: Paints, colour: number | null): THREE.Object3D {
  if (shape.form === "bar") {
    const [a, b] = shape.points;
    return rod(vec(a ?? [0, 0, 0]), vec(b ?? [0, 0, 0]), 0.5 * link * px, paints.body(colour), true);
  }
  if (shape.form === "plate") return plate(shape, px, link, paints.body(colour));
  if (shape.form === "disc") return disc(shape, px, link, paints, colour);
  if (shape.form === "solid") return solid(shape, paints, colour);
  return line(shape, px, paints, colour);
}
