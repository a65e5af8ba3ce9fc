// What page and server say to each other. Written by tools/studio_types.py from the
// schema of the server: change src/kempe/studio/messages instead.

/** A force or a torque on a body. */
export interface ActingLoad {
  name: string;
  at: number[];
  force: number[];
  torque: number[];
}

/** Go on from another position: a branch just offered, an assembly, a place of a motion. */
export interface Adopt {
  id: number;
  type: "adopt";
  source: "branch" | "assembly" | "component" | "motion";
  number?: number;
  sample?: number;
}

/** The script that builds the same mechanism. */
export interface AsPython {
  id: number;
  type: "python";
}

/** Every way to put it together while measures are held. */
export interface Assemblies {
  id: number;
  type: "assemblies";
  held?: Record<string, number | string>;
}

/** The answer to `assemblies`. */
export interface AssemblyList {
  words: string;
  promise: string;
  members: AssemblyMember[];
}

/** One assembly: where everything is. */
export interface AssemblyMember {
  number: number;
  poses: number[];
  text: string;
  values: Record<string, number>;
}

/** The document is safe on disk up to that revision. */
export interface Autosaved {
  type: "autosaved";
  revision: number;
}

/** End a request that is under way; that one is answered with an error of kind `cancelled`. */
export interface Cancel {
  id: number;
  type: "cancel";
  of: number;
}

/** The answer to `cancel`: whether there was something to end. */
export interface Cancelled {
  was_running: boolean;
}

/** The answer to `centrodes`: pieces, each of points (x, y) one after the other, m. */
export interface CentrodePair {
  fixed: number[][][];
  moving: number[][][];
}

/** The fixed and the moving centrode of a body in the last motion. */
export interface Centrodes {
  id: number;
  type: "centrodes";
  body: string;
}

/** The answer to what changes the document; also an event to every other page. */
export interface Changed {
  document: Document;
  shown: Shown;
}

/** Freedoms, redundant joints, what cannot close; with proposals. */
export interface Check {
  id: number;
  type: "check";
}

/** The answer to `check`. */
export interface Checked {
  words: string;
  freedom: number | null;
  freedoms: string[];
  redundant: string[];
  problems: Problem[];
  fixes: Fix[];
}

/** One quantity, in SI; `shown` times a value is it in `shown_unit`, as people read it. */
export interface Column {
  name: string;
  unit: string;
  values: (number | null)[];
  shown_unit: string;
  shown: number;
}

/** The answer to `read`: columns over the samples, with units; None where there is no value. */
export interface Columns {
  times: number[];
  against: Column;
  columns: Column[];
}

/** Put a copy of a named member beside it, moved by `by` where it is a body with a place. */
export interface Copy {
  op: "copy";
  path: (string | number)[];
  to: string;
  by?: number[] | null;
}

/** Take a value out of the document, with all members that refer to it where `cascade` is. */
export interface Delete {
  op: "delete";
  path: (string | number)[];
  cascade?: boolean;
}

/** Four-bars whose coupler point draws nearly the closed path that was sketched. */
export interface Design {
  id: number;
  type: "design";
  path: number[][];
  count?: number;
}

/** A mechanism that draws nearly the path, laid over it; places in the scene's axes, m. */
export interface DesignCandidate {
  number: number;
  text: string;
  distance: number;
  point: string;
  curve: number[][];
  bars: number[][][];
}

/** The answer to `design`, nearest first; `take` makes one of them the document. */
export interface DesignList {
  words: string;
  candidates: DesignCandidate[];
}

/** The document as it is: data, text, and what can be done with its history. */
export interface Document {
  revision: number;
  name: string;
  file: string | null;
  is_saved: boolean;
  data: Record<string, unknown>;
  text: string;
  undo: string | null;
  redo: string | null;
}

/** Another page changed the document. */
export interface DocumentChanged {
  type: "changed";
  change: Changed;
}

/** An answer; `result` is of the type that belongs to the request. */
export interface Done {
  type: "done";
  re: number;
  result: unknown;
}

/** Pull a point towards a target; drives are let go. It goes on from where it stands. */
export interface Drag {
  id: number;
  type: "drag";
  point: string;
  target: number[];
}

/** Set driven measures, as with a slider; it goes there on its branch. */
export interface Drive {
  id: number;
  type: "drive";
  values: Record<string, number | string>;
}

/** A measure that a drive holds, or that a slider may set. */
export interface DrivenMeasure {
  name: string;
  unit: string;
  value: number;
  low: number | null;
  high: number | null;
}

/** Change the document: all operations or none. A document that means nothing is refused. */
export interface Edit {
  id: number;
  type: "edit";
  operations: (Set | Delete | Rename | Copy | Move | Lay | Join | KeepPlace)[];
  label?: string;
  merge?: string;
  revision?: number | null;
}

/** An ending that can be written, and what of. */
export interface Export {
  ending: string;
  of: "document" | "motion";
  words: string;
  missing: string;
}

/** Instead of an answer; `re` is None where the message's id could not be read. */
export interface Failed {
  type: "error";
  re: number | null;
  error: Mistake;
}

/** A proposal that one click carries out. */
export interface Fix {
  text: string;
  operations: (Set | Delete | Rename | Copy | Move | Lay | Join | KeepPlace)[];
}

/** A component of `motions` that has been certified, before all are; drawn over `axes`. */
export interface Found {
  type: "found";
  re: number;
  axes: string[];
  units: string[];
  component: MotionComponent;
}

/** Several positions, each as `poses` of a stance. */
export interface Frames {
  frames: number[][];
}

/** The forces that act on one body at a sample of the last motion. */
export interface FreeBody {
  id: number;
  type: "free_body";
  body: string;
  sample?: number;
}

/** The answer to `free_body`: places and loads in the scene's axes, N and N m. */
export interface FreeBodyDiagram {
  body: string;
  loads: ActingLoad[];
  is_all: boolean;
}

/** The first request of a page. */
export interface Hello {
  id: number;
  type: "hello";
}

/** The answer to a dropped file: the change, and in words all that was left out of it. */
export interface Imported {
  change: Changed;
  report: string[];
}

/** Join two bodies of space, as they stand, by a joint at a place of the scene. */
export interface Join {
  op: "join";
  path: (string | number)[];
  type: string;
  first: string;
  second: string;
  at: number[] | string;
  axis?: number[];
}

/** First guesses of all bodies as they stand now, after a drag or at a sample of a motion. */
export interface KeepPlace {
  op: "place";
  frame?: number | null;
}

/** Lay a body of space so that its origin is at a place of the scene, its x axis to another. */
export interface Lay {
  op: "lay";
  path: (string | number)[];
  at: number[] | string;
  to: number[] | string;
}

/** What can be started from. */
export interface Library {
  id: number;
  type: "library";
}

/** A mechanism of the gallery, or a model file of the folder. */
export interface LibraryEntry {
  name: string;
  source: "gallery" | "file";
  words: string;
}

/** The answer to `library`. */
export interface LibraryList {
  entries: LibraryEntry[];
}

/** Why there is no answer. */
export interface Mistake {
  kind: "mistake" | "refused" | "limit" | "cancelled" | "fault";
  text: string;
  problems: Problem[];
}

/** One mode: its frequency and a cycle of it, drawn large. */
export interface Mode {
  number: number;
  frequency: number | null;
  damping: number | null;
  text: string;
  frames: number[][];
}

/** The answer to `modes`. */
export interface ModeList {
  words: string;
  modes: Mode[];
}

/** Small motions about where it rests. */
export interface Modes {
  id: number;
  type: "modes";
}

/** One curve of the motions: where it runs over the axes, and positions along it. */
export interface MotionComponent {
  number: number;
  kind: string;
  text: string;
  across: number[];
  up: number[];
  frames: number[][];
  singular: number[];
  turning: number[];
}

/** The answer to `motions`; components come as events before it, as they are certified. */
export interface MotionCurves {
  words: string;
  promise: string;
  axes: string[];
  units: string[];
  components: MotionComponent[];
}

/** Every way it can move, as curves over two quantities. */
export interface Motions {
  id: number;
  type: "motions";
  held?: Record<string, number | string>;
  axes?: string[];
}

/** Move a body of space by a vector, and turn it about its own origin, in the scene's axes. */
export interface Move {
  op: "move";
  path: (string | number)[];
  by?: number[];
  turn?: number[];
}

/** A parameter of the document. */
export interface NamedParameter {
  name: string;
  given: number | string;
  value: number;
  unit: string;
}

/** A point that can be named and grabbed. */
export interface NamedPoint {
  name: string;
  body: string;
  at: number[];
  is_draggable: boolean;
}

/** Start from nothing; undo leads back. */
export interface New {
  id: number;
  type: "new";
  name?: string;
  plane?: boolean;
  units?: string;
}

/** Start from an entry of the gallery or a file of the folder; undo leads back. */
export interface Open {
  id: number;
  type: "open";
  source: "gallery" | "file";
  name: string;
}

/** Another position with the same values, of another branch. */
export interface OtherBranch {
  number: number;
  text: string;
  poses: number[];
}

/** A motion as a scene that plays, and what can be read off it. */
export interface Played {
  scene: Record<string, unknown>;
  outcome: string;
  text: string;
  advice: string;
  notes: string[];
  names: string[];
  summary: string;
  is_simulated: boolean;
}

/** Velocity and acceleration of a point at every frame, in the scene's axes, m and s. */
export interface PointVectors {
  name: string;
  velocity: number[][];
  acceleration: number[][];
}

/** Something wrong with the document, where it is known: line and column count from 1. */
export interface Problem {
  text: string;
  advice: string;
  line: number;
  column: number;
  path: (string | number)[];
  bodies: string[];
}

/** A request is under way; `part` (0 ... 1) is done, or None where nobody knows. */
export interface Progress {
  type: "progress";
  re: number;
  part: number | null;
  text: string;
}

/** Quantities of the last motion, by name or formula. */
export interface Read {
  id: number;
  type: "read";
  names: string[];
  against?: string;
}

/** Go forth in the history of the document. */
export interface Redo {
  id: number;
  type: "redo";
  steps?: number;
}

/** Lead parameters of the document until a point comes by the places of a path. */
export interface Refine {
  id: number;
  type: "refine";
  point: string;
  path: number[][];
  vary?: string[];
  share?: number;
  until?: number | string | null;
  seconds?: number;
}

/** The answer to `refine`: how near it comes, m, and the change that would do it. */
export interface Refined {
  words: string;
  rms: number | null;
  worst: number | null;
  fix: Fix | null;
}

/** Give a body, point, joint or other named member another name, wherever it is said. */
export interface Rename {
  op: "rename";
  path: (string | number)[];
  to: string;
}

export type Reply = Done | Failed | Progress | Found | DocumentChanged | Autosaved;

export type Request = Hello | Library | Open | New | Edit | Text | Undo | Redo | Save | AsPython | Drag | Drive | Wiggle | Rest | Adopt | Check | Sweep | Simulate | Read | FreeBody | Centrodes | Vectors | Assemblies | Motions | Design | Take | Refine | Statics | Modes | Write | Cancel;

/** Back to where the document says that it starts. */
export interface Rest {
  id: number;
  type: "rest";
}

/** The answer to `statics`. */
export interface RestPosition {
  stance: Stance;
  words: string;
  is_stable: boolean | null;
}

/** Write the document to its file, or to another one below the folder. */
export interface Save {
  id: number;
  type: "save";
  path?: string | null;
}

/** The answer to `save`. */
export interface Saved {
  file: string;
  document: Document;
}

/** The answer to `python`. */
export interface Script {
  text: string;
}

/** Put a value at a path of the document, replacing what is there; parents come by themselves. */
export interface Set {
  op: "set";
  path: (string | number)[];
  value: unknown;
}

/** The mechanism of a document as it stands: scene, points to grab, drives to set. */
export interface Shown {
  revision: number;
  scene: Record<string, unknown> | null;
  is_assembled: boolean;
  points: NamedPoint[];
  drives: DrivenMeasure[];
  parameters: NamedParameter[];
  problems: Problem[];
  fixes: Fix[];
}

/** The motion under forces. */
export interface Simulate {
  id: number;
  type: "simulate";
  until: number | string;
  steps?: number;
  trace?: string[];
  plots?: string[];
}

/** Where everything is now. */
export interface Stance {
  poses: number[];
  outcome: string;
  text: string;
  advice: string;
  distance: number;
  values: Record<string, number>;
  others: OtherBranch[];
  skipped: boolean;
}

/** Where it rests under its forces. */
export interface Statics {
  id: number;
  type: "statics";
}

/** The motion as the drives turn, or one measure does. */
export interface Sweep {
  id: number;
  type: "sweep";
  until?: number | string | null;
  over?: (number | string)[] | null;
  steps?: number;
  through?: string[];
  trace?: string[];
  plots?: string[];
}

/** Make a mechanism that `design` found the document; undo leads back. */
export interface Take {
  id: number;
  type: "take";
  number: number;
}

/** Replace the document by a text; where it means nothing, the problems say where and why. */
export interface Text {
  id: number;
  type: "text";
  text: string;
  merge?: string;
}

/** Go back in the history of the document. */
export interface Undo {
  id: number;
  type: "undo";
  steps?: number;
}

/** The answer to `vectors`. */
export interface VectorList {
  points: PointVectors[];
}

/** Velocities and accelerations of points in the last motion. */
export interface Vectors {
  id: number;
  type: "vectors";
  points: string[];
}

/** What a page starts with. */
export interface Welcome {
  version: string;
  folder: string;
  document: Document;
  shown: Shown;
  recovered: string;
  imports: string[];
  exports: Export[];
}

/** Small motions along one of the freedoms, back and forth, as frames. */
export interface Wiggle {
  id: number;
  type: "wiggle";
  freedom: number;
}

/** Write an export; the answer says from where it is fetched. */
export interface Write {
  id: number;
  type: "export";
  ending: string;
}

/** The answer to `export`: fetch `url` with GET. */
export interface Written {
  url: string;
  name: string;
  size: number;
  report: string[];
}

/** The answer to each request. */
export interface Answers {
  hello: Welcome;
  library: LibraryList;
  open: Changed;
  new: Changed;
  edit: Changed;
  text: Changed;
  undo: Changed;
  redo: Changed;
  save: Saved;
  python: Script;
  drag: Stance;
  drive: Stance;
  wiggle: Frames;
  rest: Stance;
  adopt: Stance;
  check: Checked;
  sweep: Played;
  simulate: Played;
  read: Columns;
  free_body: FreeBodyDiagram;
  centrodes: CentrodePair;
  vectors: VectorList;
  assemblies: AssemblyList;
  motions: MotionCurves;
  design: DesignList;
  take: Changed;
  refine: Refined;
  statics: RestPosition;
  modes: ModeList;
  export: Written;
  cancel: Cancelled;
}
