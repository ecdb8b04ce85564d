// Scenes with baked physics: a cube that falls, and posts whose places, and so the bake, depend on the seed.
import type { SceneInput } from '#contract/documents/scene.ts';
import { flatGround, placed, type scenario } from './documents.ts';

export const physics = { file: 'scene.bake.csv', durationS: 2 };

/** A cube of 1 m that is dropped from `dropM` above level ground, 8 m ahead. */
export function falling(dropM: number, more: Partial<SceneInput> = {}): Partial<SceneInput> {
  return {
    models: { cube: { kind: 'box', sizeM: [1, 1, 1], material: 'grey' } },
    ground: flatGround(100),
    physics,
    motions: { cube: { kind: 'baked', shape: 'box', restitution: 0 } },
    instances: [placed('cube', [8, 0, 0.5 + dropM], { motion: 'cube' })],
    ...more,
  };
}

/** Three posts, placed by the seed. */
export const scatteredPosts: SceneInput['scatters'] = [
  {
    name: 'post',
    model: 'cube',
    count: 3,
    areaM: [
      [-20, -20],
      [-10, -20],
      [-10, -10],
    ],
  },
];

/** With a sensor and a mission. */
export function withDrive(scene: Partial<SceneInput>): Parameters<typeof scenario>[0] {
  return {
    ...scene,
    sensors: [{ name: 'lidar', sensor: 'vlp-16', mount: { positionM: [0, 0, 2] } }],
    mission: { startM: [0, 0], startYawDeg: 0, goalM: [0, 20] },
  };
}
