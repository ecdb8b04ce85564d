// The vehicle of a scenario where its drive starts, and the mounts of its sensors; from any text, whatever of it is
// right. Without a mission it is at the origin.
import { placeToScene } from '#contract/worldOrigin.ts';
import { field, items } from '#contract/documents/unknownData.ts';
import { documentOrigin } from '#renderer/logic/scene/documentOrigin.ts';
import { radians } from '#domain/shared/numbers.ts';

export interface Rig {
  /** Length, width, height. */
  sizeM: [number, number, number];
  /** On the ground, relative to the origin of the scene. */
  placeM: [number, number];
  yawRad: number;
  /** In the vehicle's frame. */
  mountsM: [number, number, number][];
}

export function rigOf(data: unknown): Rig {
  const vehicle = field(data, 'vehicle');
  const mission = field(data, 'mission');
  const [x, y] = items(field(mission, 'startM'));
  return {
    // The defaults of the schema.
    sizeM: [
      numberOf(field(vehicle, 'lengthM'), 2.4),
      numberOf(field(vehicle, 'widthM'), 1.6),
      numberOf(field(vehicle, 'heightM'), 1.6),
    ],
    placeM:
      mission === undefined
        ? [0, 0]
        : placeToScene(documentOrigin(data), [numberOf(x, 0), numberOf(y, 0)]),
    yawRad: radians(numberOf(field(mission, 'startYawDeg'), 0)),
    mountsM: items(field(data, 'sensors')).map((sensor) => {
      const [mountX, mountY, mountZ] = items(field(field(sensor, 'mount'), 'positionM'));
      return [numberOf(mountX, 0), numberOf(mountY, 0), numberOf(mountZ, 2)];
    }),
  };
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}
