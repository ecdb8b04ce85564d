// Where a body is and how it is turned.

/** A pose: worldFromBody, ENU, quaternion x, y, z, w. */
export interface Pose {
  positionM: [number, number, number];
  rotation: [number, number, number, number];
}
