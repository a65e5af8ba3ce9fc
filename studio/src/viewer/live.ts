// A scene's motion, or, while somebody drags, the pose that the server just answered with.

import { Motion, planarTurn, spatialTurn, type BodyPose, type Place } from "virtual:player";
import type { LivePose, SceneDocument } from "./scene";

/** A pose as the drawing takes it, from the numbers of the wire. */
export function bodyPose(pose: LivePose): BodyPose {
  if (pose.length === 3) {
    const [x = 0, y = 0, angle = 0] = pose;
    return { r: [x, y, 0], R: planarTurn(angle) };
  }
  return { r: [...pose.slice(0, 3)], R: spatialTurn(pose.slice(3, 7)) };
}

export class LiveMotion extends Motion {
  private held: BodyPose[] | null = null;

  constructor(scene: SceneDocument) {
    super(scene);
  }

  hold(poses: readonly LivePose[] | null): void {
    this.held = poses === null ? null : poses.map(bodyPose);
  }

  override poses(place: Place): BodyPose[] {
    return this.held ?? super.poses(place);
  }
}
