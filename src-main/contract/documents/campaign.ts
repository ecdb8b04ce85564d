// A campaign: what a set of runs varies, as one YAML or JSON file (*.campaign.yaml). One schema gives the type, the
// checks and the JSON Schema. Paths of fields are written as `--set` takes them. Relative file names are relative to the
// campaign's own folder. The runs follow from the file alone (domain/campaign/planRuns.ts).
import { measureFields } from '../host/runMetrics.ts';
import { z } from 'zod';
import { checkCampaign } from './campaignRules.ts';
import { count, finite, positive, seedNumber, slug, span } from './quantities.ts';
import { documentFormats } from './versions.ts';
import { isas } from '../worker/worker.ts';

/** Names of axes and measures: identifiers, so that expressions can contain them. */
const identifier = z
  .string()
  .regex(/^[a-z][a-z0-9_]*$/i, 'expected a letter, then letters, digits and underscores')
  .max(40);

const fieldPath = z
  .string()
  .min(1)
  .max(1000)
  .describe('a path as --set takes it, such as sensors[lidar].mount.pitchDeg');

const set = z
  .union([fieldPath, z.array(fieldPath).min(1).max(100)])
  .describe('the field that varies, as --set takes it; or several that get the same value');

const whole = z.boolean().default(false).describe('values are rounded to whole numbers');

const axisSchema = z.union([
  z.strictObject({
    set,
    values: z
      .array(z.union([finite, z.string().max(1000), z.boolean(), z.null()]))
      .min(1)
      .max(10_000)
      .describe(
        'numbers, texts, true, false, or null: the field is left out; with a sampling design each is as likely',
      ),
  }),
  z.strictObject({
    set,
    range: span.describe('[from, to]; with a sampling design a uniform distribution between them'),
    scale: z
      .enum(['linear', 'log'])
      .default('linear')
      .describe('of the steps; log with a sampling design is a log-uniform distribution'),
    steps: z
      .int()
      .min(2)
      .max(10_000)
      .optional()
      .describe('values of a grid, both ends included; not with a sampling design'),
    whole,
  }),
  z.strictObject({
    set,
    normal: z
      .strictObject({
        mean: finite.describe('of the distribution before it is truncated'),
        sigma: positive.describe('standard deviation before it is truncated'),
      })
      .describe('a normal distribution; only with a sampling design'),
    min: finite.optional().describe('the distribution is truncated below it'),
    max: finite.optional().describe('the distribution is truncated above it'),
    whole,
  }),
]);

const samples = count.max(1_000_000).describe('points in the space of the axes');
const designSeed = seedNumber.default(1).describe('of the random numbers that choose the points');

const designSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('grid').describe('every combination of the values of all axes'),
  }),
  z.strictObject({
    kind: z.literal('random').describe('independent points'),
    samples,
    seed: designSeed,
  }),
  z.strictObject({
    kind: z
      .literal('latin-hypercube')
      .describe('one point in each of as many equal intervals of every axis'),
    samples,
    seed: designSeed,
  }),
  z.strictObject({
    kind: z
      .literal('sobol')
      .describe('a low-discrepancy sequence; best with a power of two of samples'),
    samples,
    seed: designSeed.describe('of the digital shift that scrambles the sequence'),
  }),
]);

const limitsSchema = z.strictObject({
  simSeconds: positive
    .optional()
    .describe(
      "simulated time after which a run ends; left out: at the goal or the mission's timeout",
    ),
  wallSeconds: positive
    .optional()
    .describe('wall time of one run; a run that needs more is stopped and has failed'),
  diskMB: positive
    .optional()
    .describe('recordings of the campaign together; runs do not start beyond it'),
  failures: count.optional().describe('failed runs after which the campaign stops'),
});

const saveSchema = z.strictObject({
  recording: z
    .boolean()
    .default(false)
    .describe(
      'recordings stay on disk, to be opened. The catalogue has the metrics of every run and the measures that it was ' +
        'executed for: another measure of returns, scans or ticks executes finished runs again, recorded or not',
    ),
  truth: z.boolean().default(true).describe('recordings have ground truth'),
});

const defaultMeasures = {
  goal: 'goal',
  simSeconds: 'simSeconds',
  pathLengthM: 'pathLengthM',
  collisions: 'collisions',
  points: 'points',
};

export const campaignSchema = z
  .strictObject({
    understoryCampaign: z
      .literal(documentFormats.campaign.version)
      .describe('version of this format'),
    name: slug.describe('by which commands and the catalogue know the campaign'),
    description: z.string().default('').describe('free text'),
    scenarios: z
      .array(z.string().min(1))
      .min(1)
      .max(1000)
      .describe(
        'ids of samples, or files; several are the axis `scenario`, crossed with the design',
      ),
    sensors: z
      .array(z.string().min(1))
      .min(1)
      .max(1000)
      .optional()
      .describe(
        "ids of samples, or files, each alone at the scenario's first mount; several are the axis `sensor`, crossed with the design. Left out: the scenario's own sensors",
      ),
    design: designSchema.prefault({ kind: 'grid' }).describe('how the axes are combined'),
    vary: z.record(identifier, axisSchema).default({}).describe('the axes, by name'),
    replicates: count
      .max(100_000)
      .optional()
      .describe('runs of every combination, with the seeds 1, 2, …; left out: 1'),
    seeds: z
      .array(seedNumber)
      .min(1)
      .max(100_000)
      .optional()
      .describe('instead of replicates: the seeds of every combination'),
    measures: z
      .record(identifier, z.string().min(1).max(2000))
      .default(defaultMeasures)
      .describe(
        `columns of the results, by name. Metrics: ${[...measureFields.keys()].join(', ')}. Returns: returns(class = 'tree'), returns(instance = 'oak-a' and sensor = 'lidar'). Over scans or ticks: count, sum, mean, min, max, first, last, as in first(scans, returns(class = 'tree') > 50), which is a time. Arithmetic, comparisons, and, or, not, in, abs, sqrt, min, max`,
      ),
    limits: limitsSchema.prefault({}).describe('when runs and the campaign end'),
    save: saveSchema.prefault({}).describe('what of each run stays on disk'),
    isa: z
      .enum(isas)
      .default('avx2')
      .describe('kernel instruction set of every run; a machine without it refuses the campaign'),
  })
  .superRefine(checkCampaign, { when: () => true });

/** A checked campaign, defaults filled in. */
export type Campaign = z.output<typeof campaignSchema>;
export type CampaignAxis = z.output<typeof axisSchema>;
export type CampaignDesign = z.output<typeof designSchema>;
/** A value of an axis; null: the field is left out. */
export type AxisValue = number | string | boolean | null;
