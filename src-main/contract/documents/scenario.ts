// A scenario: what to simulate, as one YAML or JSON file (*.understory.yaml). One schema gives the type,
// the checks and the JSON Schema. Lengths in metres, angles in degrees; world frame ENU (REP-103), yaw
// counter-clockwise from east. Relative file names are relative to the scenario's own folder.
import { z } from 'zod';
import { form } from './formWords.ts';
import {
  finite,
  fraction,
  notNegative,
  positive,
  seedNumber,
  slug,
  title,
  vector2,
} from './quantities.ts';
import { isEpochText, lastEpochS } from './epoch.ts';
import { estimateSchema } from './estimate.ts';
import { checkReferences } from './scenarioReferences.ts';
import { returnModes } from './sensorReturns.ts';
import { sceneSchema } from './scene.ts';
import { mountSchema, surveySchema } from './survey.ts';
import { bodySchema, bodyViews } from './vehicleBody.ts';
import { documentFormats } from './versions.ts';

const vehicleSchema = z.strictObject({
  name: title
    .default('generic skid-steered vehicle')
    .describe('for reports')
    .meta(form({ isWide: true })),
  lengthM: positive.default(2.4).describe('outer length; collisions are counted for this box'),
  widthM: positive.default(1.6).describe('outer width'),
  heightM: positive.default(1.6).describe('outer height'),
  trackWidthM: positive.default(1.4).describe('between the wheels of the two sides'),
  massKg: positive.default(900).describe('with its load'),
  maxSpeedMPerS: positive.max(50).default(2).describe('of each side'),
  maxAccelerationMPerS2: positive.default(1.5).describe('of each side'),
  maxYawRateDegPerS: positive.default(60).describe('limit on commands'),
  turnSlip: fraction
    .default(0.25)
    .describe('share of the commanded turn that the skidding wheels lose'),
  gps: z
    .strictObject({
      rateHz: positive
        .max(1000)
        .default(10)
        .describe('position fixes a second')
        .meta(form({ label: 'GPS rate' })),
      sigmaM: notNegative
        .default(0.05)
        .describe('standard deviation of each coordinate')
        .meta(form({ label: 'GPS error', hint: 'σ' })),
    })
    .prefault({})
    .describe('position receiver'),
  compass: z
    .strictObject({
      rateHz: positive
        .max(1000)
        .default(50)
        .describe('readings a second')
        .meta(form({ label: 'Compass rate' })),
      sigmaDeg: notNegative
        .default(0.3)
        .describe('heading, roll and pitch')
        .meta(form({ label: 'Compass error', hint: 'σ' })),
    })
    .prefault({})
    .describe('compass and inclinometers'),
  body: bodySchema.optional().describe('what its own sensors meet of it; left out: nothing'),
});

const clockSchema = z.strictObject({
  phaseMs: notNegative
    .max(1e6)
    .default(0)
    .describe('when the sensor fires its first pulse')
    .meta(form({ label: 'Start offset' })),
  offsetMs: finite
    .min(-1e6)
    .max(1e6)
    .default(0)
    .describe('what its stamps add to simulated time')
    .meta(form({ label: 'Clock offset' })),
  driftPpm: finite
    .min(-1e4)
    .max(1e4)
    .default(0)
    .describe('how much faster its clock runs')
    .meta(form({ label: 'Clock drift' })),
});

const sensorMountSchema = z.strictObject({
  name: slug.describe('unique; also the TF frame'),
  sensor: z
    .string()
    .min(1)
    .describe('id of a sensor in assets/sensors, or a sensor file')
    .meta(form({ refersTo: 'sensors', hint: 'sample or file', isWide: true })),
  mount: mountSchema.prefault({}).describe('pose on the vehicle'),
  body: z
    .enum(bodyViews)
    .optional()
    .describe(
      "the vehicle's body returns, or pulses that meet it return nothing; only with vehicle.body. Default: seen",
    )
    .meta(form({ label: "Vehicle's body", fallback: 'seen' })),
  rateHz: positive
    .optional()
    .describe("default: the sensor's own")
    .meta(form({ hint: 'empty: sensor default' })),
  mode: z
    .enum(returnModes)
    .optional()
    .describe("default: the sensor's own")
    .meta(form({ label: 'Returns', hint: 'empty: sensor default' })),
  serial: title
    .max(100)
    .optional()
    .describe(
      "of this unit, instead of its file's: two sensors of one file have errors of their own",
    )
    .meta(form({ hint: 'empty: sensor default' })),
  clock: clockSchema.prefault({}).describe('time stamps of the sensor'),
});

const missionSchema = z.strictObject({
  startM: vector2.describe('where the vehicle starts'),
  startYawDeg: finite
    .default(0)
    .describe('counter-clockwise from east')
    .meta(form({ label: 'Start heading', slider: [-180, 180], hint: '0: east, 90: north' })),
  goalM: vector2.describe('where it is to go'),
  goalToleranceM: positive
    .default(1.5)
    .describe('distance at which the goal is reached')
    .meta(form({ label: 'Goal radius' })),
  timeoutS: positive.default(300).describe('simulated time after which the run ends'),
});

/** Along each side. */
export const costMapCells = { min: 10, max: 4000 };

const navigationSchema = z.strictObject({
  tickMs: z.int().min(10).max(1000).default(100).describe('one scan interval, one decision'),
  costMap: z
    .strictObject({
      cells: z
        .int()
        .min(costMapCells.min)
        .max(costMapCells.max)
        .default(400)
        .describe('cells along each side')
        .meta(form({ label: 'Cost map cells', hint: 'along a side' })),
      cellM: z
        .number()
        .min(0.01)
        .max(1000)
        .default(0.5)
        .describe('side of a cell')
        .meta(form({ label: 'Cell size' })),
      maxHeightM: positive
        .default(1.5)
        .describe('h_max of Goodin 2018, eq. 8')
        .meta(form({ label: 'Max obstacle height', hint: 'Goodin 2018, eq. 8' })),
      clearing: z
        .boolean()
        .optional()
        .describe(
          'obstacles that are seen low again are cleared, so that what moves leaves no trail. Default: false, a cell keeps its highest cost, as in the paper',
        )
        .meta(form({ label: 'Clear what moved on', fallback: false })),
      originM: vector2
        .optional()
        .describe('south-west corner; default: start and goal lie about its middle')
        .meta(
          form({
            label: 'South-west corner',
            parts: ['x', 'y'],
            hint: 'empty: around the mission',
          }),
        ),
    })
    .prefault({})
    .describe('map of costs on which paths are planned'),
});

const recordingSchema = z
  .strictObject({
    epoch: z
      .union([
        notNegative.max(lastEpochS),
        z
          .string()
          .refine(
            isEpochText,
            'expected a time with zone such as 2026-11-22T12:00:00Z, between 1970 and 2038, or seconds since 1970',
          ),
      ])
      .optional()
      .describe(
        'wall time of the first tick in stamps and log times, such as 2026-11-22T12:00:00Z, or seconds since 1970. Default: 0',
      )
      .meta(
        form({
          label: 'Recording epoch',
          control: 'text',
          hint: 'such as 2026-11-22T12:00:00Z',
        }),
      ),
    truth: z
      .boolean()
      .optional()
      .describe(
        'ground truth of every return, in a topic of its own beside the cloud of the driver. Default: true',
      )
      .meta(form({ label: 'Record ground truth', fallback: true })),
    organised: z
      .boolean()
      .optional()
      .describe(
        'clouds of the driver as grids: a row for each ring, a column for each firing, NaN where nothing returned. Default: false, points in the order of their times',
      )
      .meta(form({ label: 'Organised clouds', hint: 'a row for each ring' })),
    misses: z
      .boolean()
      .optional()
      .describe(
        'pulses without an echo too, in the topic with ground truth: for logs (`understory log import`). Default: false',
      )
      .meta(form({ label: 'Record pulses without an echo', hint: 'for logs' })),
  })
  .refine(({ truth, misses }) => truth !== false || misses !== true, {
    path: ['misses'],
    message: 'expected only with ground truth, whose topic holds them',
  });

/** The fields of the whole document. */
export const scenarioFields = z.strictObject({
  understory: z.literal(documentFormats.scenario.version).describe('version of this format'),
  name: title.describe('title of the scenario').meta(form({ isWide: true })),
  description: z
    .string()
    .max(100_000)
    .default('')
    .describe('free text')
    .meta(form({ control: 'long text', isWide: true })),
  seed: seedNumber.default(1).describe('of all random numbers'),
  scene: sceneSchema.describe('materials, models and where they are'),
  vehicle: vehicleSchema.prefault({}).describe('skid-steered vehicle with its instruments'),
  sensors: z.array(sensorMountSchema).default([]).describe('sensors on the vehicle'),
  mission: missionSchema.optional().describe('left out: the scenario cannot be driven'),
  navigation: navigationSchema.prefault({}).describe('mapping and planning'),
  recording: recordingSchema.optional().describe('how runs are recorded'),
  survey: surveySchema
    .optional()
    .describe('what `understory scan` does without a pose or trajectory of its own'),
  estimate: estimateSchema
    .optional()
    .describe(
      'leaf area density of voxels that runs estimate from the beams of their sensors, beside its truth, plants at rest (PHYSICS.md, 2.14); its errors are metrics of the run. Left out: none',
    ),
});

/** The whole document, names that must exist or be unique included (scenarioReferences.ts). */
export const scenarioSchema = scenarioFields.superRefine(checkReferences, { when: () => true });

/** A checked scenario, defaults filled in. */
export type Scenario = z.output<typeof scenarioSchema>;
export type Vehicle = z.output<typeof vehicleSchema>;
export type SensorMount = z.output<typeof sensorMountSchema>;
export type Mission = z.output<typeof missionSchema>;
export type Navigation = z.output<typeof navigationSchema>;

/** Whether recordings of a scenario have a row for each pulse without an echo, in the cloud with ground truth. */
export function recordsMisses({ recording }: Pick<Scenario, 'recording'>): boolean {
  return recording?.misses === true;
}

/** Whether recordings of a scenario have ground truth. */
export function recordsTruth({ recording }: Pick<Scenario, 'recording'>): boolean {
  return recording?.truth !== false;
}
