// Inverted poses, and quaternions with w first, against right ones: a room and a street with boxes, seen by 16 to 64
// lasers of a sensor that turns, drives straight or stands. Ranges have a noise of 15 mm.
import { describe, expect, it } from 'vitest';
import type { Pose } from '#contract/host/run.ts';
import { aFromB, compose, quaternionOf, rotate } from '#domain/shared/pose.ts';
import { statedSystem } from '#domain/shared/systemUnits.ts';
import { checkFrames } from '#services/logs/checkFrames.ts';
import type { LogSourceReader, SourceCloud } from '#services/ports/logSources.ts';
import { identity } from './importTo.ts';

type Box = [fromM: [number, number, number], toM: [number, number, number]];

const clouds = 12;
const columns = 120;
const sweepNs = 1e8;

/** A room of 50 m by 40 m at 30° to the axes of the world, by its walls. */
const room: Box[] = [
  [
    [-26, -21, 0],
    [-25, 21, 6],
  ],
  [
    [25, -21, 0],
    [26, 21, 6],
  ],
  [
    [-26, -21, 0],
    [26, -20, 6],
  ],
  [
    [-26, 20, 0],
    [26, 21, 6],
  ],
];

/** Two rows of parked cars before two rows of houses with gaps. */
const street: Box[] = Array.from({ length: 24 }, (_, at): Box[] => {
  const [row, side] = [at >> 1, at % 2 === 0 ? 1 : -1];
  const x = -60 + 11 * row;
  const y = side * 5;
  const house = side * 12;
  return [
    [
      [x, Math.min(y, y + 2 * side), 0],
      [x + 4.2, Math.max(y, y + 2 * side), 1.5],
    ],
    [
      [x, Math.min(house, house + 6 * side), 0],
      [x + 8, Math.max(house, house + 6 * side), 7],
    ],
  ];
}).flat();

const worldFromScene: Pose = {
  positionM: [0, 0, 0],
  rotation: quaternionOf({ yawRad: Math.PI / 6, pitchRad: 0, rollRad: 0 }),
};

/** Poses of the sensor in the scene. */
const motions: Record<string, (timeS: number) => Pose> = {
  turning: (timeS) => at(3 * timeS, 0.2 * timeS * timeS, 0.25 * timeS),
  straight: (timeS) => at(5 * timeS, 0, 0.4),
  stationary: () => at(3, 1, 0.4),
};

function at(x: number, y: number, yawRad: number): Pose {
  return { positionM: [x, y, 1.8], rotation: quaternionOf({ yawRad, pitchRad: 0, rollRad: 0 }) };
}

/** Range to the ground or a box; Infinity beyond 60 m. */
function rangeIn(boxes: readonly Box[], origin: readonly number[], direction: readonly number[]) {
  const [, , dz = 0] = direction;
  let rangeM = dz < 0 ? -(origin[2] ?? 0) / dz : Infinity;
  for (const [low, high] of boxes) {
    let [near, far] = [0, Infinity];
    for (const axis of [0, 1, 2] as const) {
      const [o, d] = [origin[axis] ?? 0, direction[axis] ?? 0];
      const [a, b] = [(low[axis] - o) / d, (high[axis] - o) / d];
      near = Math.max(near, Math.min(a, b));
      far = Math.min(far, Math.max(a, b));
    }
    if (near < far && near > 0) rangeM = Math.min(rangeM, near);
  }
  return rangeM > 60 ? Infinity : rangeM;
}

function cloudsOf(boxes: readonly Box[], lasers: number, poseAt: (timeS: number) => Pose) {
  let seed = 1;
  const random = (): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  return Array.from({ length: clouds }, (_, sweep): SourceCloud => {
    const [xM, yM, zM, timeNs]: [number[], number[], number[], number[]] = [[], [], [], []];
    for (let column = 0; column < columns; column++) {
      const time = sweepNs * (sweep + column / columns);
      const pose = poseAt(time / 1e9);
      for (let laser = 0; laser < lasers; laser++) {
        const elevation = -0.43 + (0.6 * laser) / (lasers - 1);
        const azimuth = (2 * Math.PI * column) / columns;
        const level = Math.cos(elevation);
        const own = [level * Math.cos(azimuth), level * Math.sin(azimuth), Math.sin(elevation)];
        const [dx = 0, dy = 0, dz = 0] = own;
        const clean = rangeIn(boxes, pose.positionM, rotate(pose.rotation, [dx, dy, dz]));
        if (clean === Infinity) continue;
        // Three uniform numbers: a standard deviation of 15 mm.
        const rangeM = clean + 0.03 * (random() + random() + random() - 1.5);
        xM.push(rangeM * dx);
        yM.push(rangeM * dy);
        zM.push(rangeM * dz);
        timeNs.push(time);
      }
    }
    return {
      sweep,
      stampNs: sweep * sweepNs,
      frameId: 'sensor',
      points: xM.length,
      xM: Float64Array.from(xM),
      yM: Float64Array.from(yM),
      zM: Float64Array.from(zM),
      timeNs: Float64Array.from(timeNs),
      timeField: null,
      intensity: null,
      laser: null,
      classId: null,
      isOrganised: false,
    };
  });
}

function sourceOf(poseAt: (timeS: number) => Pose): LogSourceReader {
  const timesNs = Array.from({ length: 300 }, (_, row) => row * 1e7);
  const poses = timesNs.map((timeNs) => poseAt(timeNs / 1e9));
  return {
    kind: 'folder',
    streams: [{ name: 'files', layout: 'files' }],
    baseNs: 0n,
    originM: [0, 0, 0],
    system: statedSystem(null),
    classes: [],
    volumeClasses: null,
    poses: [
      {
        name: 'trajectory',
        kind: 'file',
        parent: 'world',
        child: 'sensor',
        isStatic: false,
        timesNs,
        poses,
      },
    ],
    traits: { isWorld: false, isCompensated: false, hasTimes: true, elevationsRad: null },
    notes: [],
    async *clouds() {
      // The clouds are handed over as samples.
    },
    close: () => Promise.resolve(),
  };
}

/** Title of the refusal; null: the poses are taken. */
function verdict(
  samples: SourceCloud[],
  poseAt: (timeS: number) => Pose,
  isInverse = false,
): string | null {
  try {
    checkFrames(sourceOf(poseAt), samples, { isInverse });
  } catch (error) {
    return error instanceof Error ? error.message : 'unknown';
  }
  return null;
}

const scenes = [
  ['room', room],
  ['street', street],
] as const;
const cases = scenes.flatMap(([name, boxes]) =>
  [16, 32, 64].flatMap((lasers) =>
    Object.entries(motions).map(([motion, poseAt]) => ({ name, boxes, lasers, motion, poseAt })),
  ),
);

describe('frames of poses', () => {
  it.each(cases)('$name, $lasers lasers, $motion', ({ boxes, lasers, motion, poseAt }) => {
    const samples = cloudsOf(boxes, lasers, poseAt);
    const inWorld = (timeS: number): Pose => compose(worldFromScene, poseAt(timeS));
    const inverse = (timeS: number): Pose => aFromB(inWorld(timeS), identity);
    const scalarFirst = (timeS: number): Pose => {
      const { positionM, rotation } = inWorld(timeS);
      const [x, y, z, w] = rotation;
      return { positionM, rotation: [w, x, y, z] };
    };
    expect(verdict(samples, inWorld)).toBeNull();
    expect(verdict(samples, inverse, true)).toBeNull();
    // A sensor at rest shows nothing of its frames.
    const isAtRest = motion === 'stationary';
    const swapped = isAtRest ? null : 'the frames of the poses are swapped';
    expect(verdict(samples, inverse)).toBe(swapped);
    expect(verdict(samples, inWorld, true)).toBe(swapped);
    const order = isAtRest ? null : 'the quaternions of the poses begin with w';
    expect(verdict(samples, scalarFirst)).toBe(order);
  });
});
