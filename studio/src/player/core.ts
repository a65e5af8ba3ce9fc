// All that draws a scene, for the player, the live page, the notebook and the studio alike.

export type { LivePose, SceneDocument } from "../viewer/scene";
export type { AnyStage } from "./any_stage";
export { Camera, everything } from "./camera";
export { element } from "./element";
export { arrowNow, arrowScales, arrowsWanted, forceScale, LONGEST_ARROW, MOST_VALUED } from "./loads";
export { carry, Motion, planarTurn, spatialTurn } from "./motion";
export { keptApart, multiples, niceStep, shown } from "./paper";
export { tone } from "./picture";
export { Stage } from "./stage";
export type { BodyPose, Place, Point, Scales, Wanted, Word } from "./types";
