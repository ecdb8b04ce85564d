// A scenario: what to simulate, as one YAML or JSON file (*.understory.yaml). One schema gives the type,
// the checks and the JSON Schema. Lengths in metres, angles in degrees; world frame ENU (REP-103), yaw
// counter-clockwise from east. Relative file names are relative to the scenario's own folder.
import { z } from 'zod';
import {
  count,
  finite,
  fraction,
  notNegative,
  positive,
  seedNumber,
  slug,
  span,
  vector2,
  vector3,
} from './quantities.ts';
import { checkReferences } from './scenarioReferences.ts';
import { returnModes } from './sensorReturns.ts';
import { atmosphereSchema, materialSchema } from './optics.ts';
import { documentFormats } from './versions.ts';

const lengthUnits = ['m', 'cm', 'mm', 'in', 'ft'] as const;

const modelShared = {
  solid: z
    .boolean()
    .optional()
    .describe(
      'a vehicle cannot pass: its footprint below 1.5 m counts in collisions. Default: true, but false for grass and shrubs; of a tree only the wood counts',
    ),
};

const modelSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('mesh'),
    ...modelShared,
    file: z.string().min(1).describe('OBJ (with MTL), PLY (ascii or binary) or STL'),
    unit: z.enum(lengthUnits).describe('unit of the coordinates in the file'),
    upAxis: z.enum(['y', 'z']).describe('axis that points up in the file'),
    material: slug.describe("for every face that 'materials' does not name"),
    materials: z
      .record(z.string(), slug)
      .default({})
      .describe("material of the scene for each material name in the file's MTL"),
  }),
  z.strictObject({
    kind: z.literal('box'),
    ...modelShared,
    sizeM: z.tuple([positive, positive, positive]).describe('centred at the origin'),
    material: slug,
  }),
  z.strictObject({
    kind: z.literal('sphere'),
    ...modelShared,
    radiusM: positive,
    rings: z.int().min(2).max(4096).default(64).describe('facets from pole to pole'),
    material: slug,
  }),
  z.strictObject({
    kind: z.literal('cylinder'),
    ...modelShared,
    radiusM: positive,
    heightM: positive.describe('from z = 0 upwards'),
    sides: z.int().min(3).max(4096).default(64),
    caps: z.boolean().default(true),
    material: slug,
  }),
  z.strictObject({
    kind: z.literal('plane'),
    ...modelShared,
    sizeM: z.tuple([positive, positive]).describe('x and y, centred at the origin, facing z'),
    divisions: count.max(4096).default(1),
    material: slug,
  }),
  z.strictObject({
    kind: z.literal('plant'),
    ...modelShared,
    plant: z.string().min(1).describe('id of a plant in assets/plants, or a plant file'),
    seed: z
      .int()
      .nonnegative()
      .optional()
      .describe("another individual; default: the plant's own seed"),
  }),
]);

const instanceSchema = z.strictObject({
  name: slug.describe('unique; what the catalogue and reports call it'),
  model: slug,
  class: slug.optional().describe("default: the model's name"),
  positionM: vector3.describe('z is above the ground below unless onGround is false'),
  onGround: z.boolean().default(true),
  yawDeg: finite.default(0),
  pitchDeg: finite.default(0),
  rollDeg: finite.default(0),
  scale: positive.default(1),
});

const keepClearSchema = z.strictObject({ centreM: vector2, radiusM: positive });

const scatterSchema = z.strictObject({
  name: slug.describe('instances are called NAME-1, NAME-2, …'),
  model: slug,
  class: slug.optional().describe("default: the model's name"),
  count: count.max(20_000_000),
  pattern: z.enum(['uniform', 'poisson-disk']).default('uniform'),
  minSpacingM: positive.optional().describe('poisson-disk only'),
  areaM: z.array(vector2).min(3).describe('polygon, in order'),
  yawDeg: span.default([0, 360]),
  scale: span.default([1, 1]),
  tiltDeg: span.default([0, 0]),
  keepClear: z.array(keepClearSchema).default([]),
});

const groundSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('plane'),
    sizeM: z.tuple([positive, positive]),
    centreM: vector2.default([0, 0]),
    zM: finite.default(0),
    material: slug,
  }),
  z.strictObject({
    kind: z.literal('height-field'),
    file: z.string().min(1).describe('16-bit grey PNG, first row north'),
    sizeM: z.tuple([positive, positive]),
    centreM: vector2.default([0, 0]),
    zM: span.describe('heights of black and of white'),
    material: slug,
  }),
  z.strictObject({ kind: z.literal('none') }),
]);

const wallSchema = z.strictObject({
  name: slug,
  fromM: vector2,
  toM: vector2,
  heightM: positive,
  thicknessM: positive,
  material: slug,
});

/** The contents of a scene: materials, models, ground, walls, placed instances, scatters. */
export const sceneSchema = z.strictObject({
  materials: z.record(slug, materialSchema),
  models: z.record(slug, modelSchema).default({}),
  ground: groundSchema.default({ kind: 'none' }),
  walls: z.array(wallSchema).default([]),
  instances: z.array(instanceSchema).default([]),
  scatters: z.array(scatterSchema).default([]),
  atmosphere: atmosphereSchema.optional().describe('left out: a vacuum'),
  mirrorDepth: z
    .int()
    .min(0)
    .max(32)
    .default(4)
    .describe('most mirrors on the way of a ray; at one more it ends'),
});

const vehicleSchema = z.strictObject({
  name: z.string().min(1).default('generic skid-steered vehicle'),
  lengthM: positive.default(2.4),
  widthM: positive.default(1.6),
  heightM: positive.default(1.6),
  trackWidthM: positive.default(1.4).describe('between the wheels of the two sides'),
  massKg: positive.default(900),
  maxSpeedMPerS: positive.max(50).default(2),
  maxAccelerationMPerS2: positive.default(1.5).describe('of each side'),
  maxYawRateDegPerS: positive.default(60),
  turnSlip: fraction
    .default(0.25)
    .describe('share of the commanded turn that the skidding wheels lose'),
  gps: z
    .strictObject({
      rateHz: positive.max(1000).default(10),
      sigmaM: notNegative.default(0.05),
    })
    .prefault({}),
  compass: z
    .strictObject({
      rateHz: positive.max(1000).default(50),
      sigmaDeg: notNegative.default(0.3).describe('heading, roll and pitch'),
    })
    .prefault({}),
});

const mountSchema = z.strictObject({
  positionM: vector3
    .default([0, 0, 2])
    .describe('in the vehicle frame; its origin is on the ground'),
  yawDeg: finite.default(0),
  pitchDeg: finite.default(0).describe('positive: nose down (REP-103)'),
  rollDeg: finite.default(0),
});

const clockSchema = z.strictObject({
  phaseMs: notNegative.max(1e6).default(0).describe('when the sensor fires its first pulse'),
  offsetMs: finite.min(-1e6).max(1e6).default(0).describe('what its stamps add to simulated time'),
  driftPpm: finite.min(-1e4).max(1e4).default(0).describe('how much faster its clock runs'),
});

const sensorMountSchema = z.strictObject({
  name: slug.describe('unique; also the TF frame'),
  sensor: z.string().min(1).describe('id of a sensor in assets/sensors, or a sensor file'),
  mount: mountSchema.prefault({}),
  rateHz: positive.optional().describe("default: the sensor's own"),
  mode: z.enum(returnModes).optional().describe("default: the sensor's own"),
  clock: clockSchema.prefault({}),
});

const missionSchema = z.strictObject({
  startM: vector2,
  startYawDeg: finite.default(0),
  goalM: vector2,
  goalToleranceM: positive.default(1.5),
  timeoutS: positive.default(300),
});

const navigationSchema = z.strictObject({
  tickMs: z.int().min(10).max(1000).default(100).describe('one scan interval, one decision'),
  costMap: z
    .strictObject({
      cells: z.int().min(10).max(4000).default(400),
      cellM: z.number().min(0.01).max(1000).default(0.5),
      maxHeightM: positive.default(1.5).describe('h_max of Goodin 2018, eq. 8'),
      originM: vector2
        .optional()
        .describe('south-west corner; default: start and goal lie about its middle'),
    })
    .prefault({}),
});

/** The whole document, names that must exist or be unique included (scenarioReferences.ts). */
export const scenarioSchema = z
  .strictObject({
    understory: z.literal(documentFormats.scenario.version).describe('version of this format'),
    name: z.string().min(1),
    description: z.string().default(''),
    seed: seedNumber.default(1),
    scene: sceneSchema,
    vehicle: vehicleSchema.prefault({}),
    sensors: z.array(sensorMountSchema).default([]),
    mission: missionSchema.optional(),
    navigation: navigationSchema.prefault({}),
  })
  .superRefine(checkReferences, { when: () => true });

/** A checked scenario, defaults filled in. */
export type Scenario = z.output<typeof scenarioSchema>;
export type SceneDocument = z.output<typeof sceneSchema>;
/** As a person writes it: what has a default may be left out. */
export type SceneInput = z.input<typeof sceneSchema>;
export type Vehicle = z.output<typeof vehicleSchema>;
export type SensorMount = z.output<typeof sensorMountSchema>;
export type Mission = z.output<typeof missionSchema>;
export type Navigation = z.output<typeof navigationSchema>;
