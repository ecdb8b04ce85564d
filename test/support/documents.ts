// Scenarios and sensors as texts of files. The smallest ones are YAML: tests break one value at a time.
import type { z } from 'zod';
import type { scenarioSchema } from '#contract/documents/scenario.ts';
import type { SceneInput } from '#contract/documents/scene.ts';
import type { SensorInput } from '#contract/documents/sensor.ts';
import type { SceneReferences } from '#domain/scene/compileScene.ts';

type SceneFields = Partial<SceneInput>;
type OtherFields = Partial<Omit<z.input<typeof scenarioSchema>, 'understory' | 'scene'>>;

/** A scenario with these fields, those of its scene among them; its one material is `grey` unless it names others. */
export function scenario(fields: SceneFields & OtherFields = {}): string {
  const {
    name = 'test',
    description,
    seed,
    sensors,
    vehicle,
    mission,
    navigation,
    ...more
  } = fields;
  const { recording, survey, estimate, ...scene } = more;
  const ofRuns = { recording, survey, estimate };
  const others = { description, seed, sensors, vehicle, mission, navigation, ...ofRuns };
  const materials = { grey: { reflectance: 0.5 } };
  return JSON.stringify({ understory: 2, name, scene: { materials, ...scene }, ...others });
}

/** References of a scene without files. */
export const noReferences: SceneReferences = {
  plants: new Map(),
  meshes: new Map(),
  heightField: null,
  poses: new Map(),
  stands: { species: new Map(), lists: new Map() },
};

/** A level square of `sideM` about the origin. */
export function flatGround(
  sideM: number,
  material = 'grey',
): Extract<SceneInput['ground'], { kind: 'plane' }> {
  return { kind: 'plane', sizeM: [sideM, sideM], material };
}

/** An instance of the model of its own name, at a place in the world. */
export const placed = <More extends object>(
  model: string,
  positionM: [number, number, number],
  more?: More,
) => ({ name: model, model, positionM, onGround: false, ...more });

/** A model from a file in metres, z upwards, that no vehicle collides with. */
export const meshModel = (file: string, material = 'grey') =>
  ({ kind: 'mesh', file, unit: 'm', upAxis: 'z', material, solid: false }) as const;

/** A circular beam of this divergence in each direction; with `rays`, sampled by so many. */
export const circularBeam = (divergenceMrad: number, rays?: number) =>
  ({
    shape: 'circular',
    divergenceHorizontalMrad: divergenceMrad,
    divergenceVerticalMrad: divergenceMrad,
    ...(rays !== undefined && ({ stencil: 'rays', rays: { count: rays } } as const)),
  }) as const;

/** A sensor with these fields; without any, one level ray along x, ten times a second. */
export function sensor(fields: Partial<SensorInput> = {}): string {
  return JSON.stringify({
    understorySensor: 3,
    id: 'one',
    name: 'One',
    source: 'a test',
    scan: { kind: 'sweep', rateHz: 10, minAzimuthDeg: 0, maxAzimuthDeg: 0, slotsPerScan: 1 },
    // An image sensor has no banks.
    ...(fields.scan?.kind !== 'image' && { banks: [{ name: 'laser', elevationsDeg: [0] }] }),
    range: { minM: 0, maxM: 1000 },
    beam: circularBeam(1, 1),
    returns: { mode: 'strongest', signalCutoffM: 0 },
    ...fields,
  });
}

export const minimalScenario = `understory: 2
name: test
scene:
  materials:
    soil: { reflectance: 0.3 }
  models:
    cube: { kind: box, sizeM: [1, 1, 1], material: soil }
  instances:
    - { name: a, model: cube, positionM: [0, 0, 0] }
`;

export const minimalSensor = `understorySensor: 3
id: test
name: test
source: a test
scan: { kind: spinning, rateHz: 10, slotsPerRevolution: 100 }
banks:
  - { name: column, elevationsDeg: [0, 1] }
range: { minM: 1, maxM: 100 }
beam: { shape: rectangular, divergenceHorizontalMrad: 3, divergenceVerticalMrad: 1 }
returns: { mode: strongest, signalCutoffM: 1 }
`;
