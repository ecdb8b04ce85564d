// Where a sensor is when its vehicle starts.
import { describe, expect, it } from 'vitest';
import type { Mission, SensorMount } from '#contract/documents/scenario.ts';
import { defaultMountM, startPose } from '#renderer/logic/scans/startPose.ts';

const mission = { startM: [10, 20], startYawDeg: 90 } as unknown as Mission;

function mounted(name: string, positionM: [number, number, number], yawDeg = 0): SensorMount {
  return { name, sensor: 'vlp-16', mount: { positionM, yawDeg, pitchDeg: 5 } } as SensorMount;
}

describe('the pose of a sensor at the start', () => {
  it('turns the mount with the vehicle', () => {
    const sensors = [mounted('front', [1, 0, 2], 30)];
    const { xM, yM, mountM, yawDeg, pitchDeg } = startPose({ mission, sensors }, null, [0, 0]);
    // A metre ahead of a vehicle that heads north.
    expect(xM).toBeCloseTo(10, 12);
    expect(yM).toBeCloseTo(21, 12);
    expect([mountM, yawDeg, pitchDeg]).toEqual([2, 120, 5]);
  });

  it('is that of the named sensor, or else of the first', () => {
    const sensors = [mounted('front', [0, 0, 1]), mounted('top', [0, 0, 3])];
    expect(startPose({ mission, sensors }, 'top', [0, 0]).mountM).toBe(3);
    expect(startPose({ mission, sensors }, 'gone', [0, 0]).mountM).toBe(1);
  });

  it('is above the middle without a mission and a rig', () => {
    expect(startPose({}, null, [4, -3])).toEqual({
      xM: 4,
      yM: -3,
      mountM: defaultMountM,
      yawDeg: 0,
      pitchDeg: 0,
    });
  });
});
