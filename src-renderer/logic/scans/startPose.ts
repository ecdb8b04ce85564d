// Where a sensor of a scenario is when its vehicle starts, as far as the document says.
import { originOf, placeToScene } from '#contract/worldOrigin.ts';
import type { Scenario } from '#contract/documents/scenario.ts';
import { radians } from '#domain/shared/numbers.ts';

export interface StartPose {
  /** Relative to the origin of the scene. */
  xM: number;
  yM: number;
  /** Above the ground there. */
  mountM: number;
  yawDeg: number;
  pitchDeg: number;
}

/** Above the ground, where no sensor is mounted. */
export const defaultMountM = 2;

/**
 * The pose of the sensor of this name, or else of the first one. Without a mission the vehicle is at `middleM`;
 * without sensors the sensor is above its origin, looking ahead.
 */
export function startPose(
  { mission, sensors, scene }: Partial<Pick<Scenario, 'mission' | 'sensors' | 'scene'>>,
  name: string | null,
  middleM: readonly [number, number],
): StartPose {
  const [startX, startY] =
    mission === undefined ? middleM : placeToScene(originOf(scene ?? {}), mission.startM);
  const startYawDeg = mission?.startYawDeg ?? 0;
  const mount = (sensors?.find((one) => one.name === name) ?? sensors?.[0])?.mount;
  const [x, y, mountM] = mount?.positionM ?? [0, 0, defaultMountM];
  const [cos, sin] = [Math.cos(radians(startYawDeg)), Math.sin(radians(startYawDeg))];
  return {
    xM: startX + cos * x - sin * y,
    yM: startY + sin * x + cos * y,
    mountM,
    yawDeg: startYawDeg + (mount?.yawDeg ?? 0),
    pitchDeg: mount?.pitchDeg ?? 0,
  };
}
