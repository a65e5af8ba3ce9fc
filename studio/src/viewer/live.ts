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
  private isFitting = false;

  constructor(scene: SceneDocument) {
    super(scene);
  }

  hold(poses: readonly LivePose[] | null): void {
    this.held = poses === null ? null : poses.map(bodyPose);
  }

  /** Run something that looks at all samples as if the held pose were each of them. */
  asHeld<T>(look: () => T): T | null {
    if (this.held === null) return null;
    this.isFitting = true;
    try {
      return look();
    } finally {
      this.isFitting = false;
    }
  }

  override pose(body: number | null, place: Place): BodyPose {
    const held = this.isFitting && body !== null ? this.held?.[body] : undefined;
    return held ?? super.pose(body, place);
  }

  override poses(place: Place): BodyPose[] {
    return this.held ?? super.poses(place);
  }
}
