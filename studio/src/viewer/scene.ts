// The scene as Python writes it (kempe.draw.scene): results only. Lengths in m, times in s.

export type Triple = [number, number, number];

export interface BarShape { form: "bar"; points: Triple[] }
export interface LineShape { form: "line"; points: Triple[]; closed: boolean; colour?: number }
export interface PlateShape { form: "plate"; points: Triple[]; rim: boolean; holes?: Triple[][] }
export interface DiscShape {
  form: "disc";
  centre: Triple;
  radius: number;
  outer: number;
  axis: Triple;
  mark: Triple;
  points: Triple[];
}
export interface SolidShape {
  form: "solid";
  points: Triple[];
  faces: number[][];
  normals: Triple[];
  edges: [number, number, number, number, boolean][];
}
export type Shape = BarShape | LineShape | PlateShape | DiscShape | SolidShape;

export interface Body {
  name: string;
  colour: number | null;
  shapes: Shape[];
  points: [string, Triple][];
  position: number[];
  rotation: number[];
}

export interface JointFrame { body: number | null; point: Triple; axes: number[] }

export interface Joint {
  name: string;
  symbol: string;
  i: JointFrame;
  j: JointFrame;
  travel: [number, number];
  radii: [number, number];
  reach?: [number, number, number, number];
}

export interface Load { name: string; values: number[]; newtons: number; isTorque: boolean; body: number | null; back: number | null }
export interface Series { name: string; unit: string; values: number[] }
export interface Mark { time: number; name: string }

export interface BallPart { form: "ball"; radius: number }
export interface BlockPart { form: "block"; half: Triple }
export interface DrumPart { form: "drum"; radius: number; half_length: number; at: number }
export type SymbolPart = (BallPart | BlockPart | DrumPart) & { ink?: boolean; frame?: string };

export interface SceneDocument {
  kempe: "scene";
  version: number;
  title: string;
  names?: boolean;
  plane: boolean;
  world?: number[][];
  unit: string;
  unit_scale: number;
  times: number[];
  bodies: Body[];
  joints: Joint[];
  ground: { pivots: Triple[]; lines: Triple[][] };
  traces: { body: number; point: Triple; name: string }[];
  series: Series[];
  marks: Mark[];
  loads: Load[];
  reactions: Load[];
  free: number[];
  symbols: Record<string, unknown>;
  stand: { foot: [number, number][]; outline: [number, number][] }; // under a pivot, px
  sizes: Record<string, number>;
}

/** A live pose: x, y, angle in the plane; x, y, z and a quaternion w, x, y, z in space. */
export type LivePose = readonly number[];
