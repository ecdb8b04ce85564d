// A sensor as a file (assets/sensors/*.yaml): pure data in the units of a data sheet. A new sensor is a
// new file. domain/sensor turns it into the SI document that the worker traces (recipe.ts).
import { z } from 'zod';
import { count, finite, notNegative, positive, slug } from './quantities.ts';

const elevationRange = z.strictObject({
  fromDeg: finite.min(-90).max(90),
  toDeg: finite.min(-90).max(90),
  count: count.max(4096).describe('number of lasers, both ends included'),
});

const blockSchema = z.strictObject({
  name: slug,
  elevationsDeg: z
    .union([elevationRange, z.array(finite.min(-90).max(90)).min(1).max(4096)])
    .describe('elevation of each laser: a regular range, or a list'),
});

const rateRange = z
  .tuple([positive, positive])
  .refine(([from, to]) => from <= to, 'expected [lowest, highest]')
  .optional()
  .describe('rates the sensor can be set to');

const spinning = z
  .strictObject({
    kind: z
      .literal('spinning')
      .describe('turns without end, counter-clockwise, azimuth 0 at t = 0'),
    rateHz: positive.max(1000).describe('revolutions per second'),
    rateRangeHz: rateRange,
    slotsPerSecond: positive
      .optional()
      .describe('fixed firing rate; azimuth follows from the rate'),
    slotsPerRevolution: count.optional().describe('fixed azimuth step; firing rate follows'),
  })
  .refine(
    (scan) => (scan.slotsPerSecond === undefined) !== (scan.slotsPerRevolution === undefined),
    'expected either slotsPerSecond or slotsPerRevolution',
  );

const sweep = z.strictObject({
  kind: z
    .literal('sweep')
    .describe('less than a turn: from the least to the greatest azimuth, again and again'),
  rateHz: positive.max(10000).describe('scans per second'),
  rateRangeHz: rateRange,
  minAzimuthDeg: finite.min(-360).max(360),
  maxAzimuthDeg: finite.min(-360).max(360),
  slotsPerScan: count.describe('azimuths per scan, both ends included'),
});

/** Which echoes of a pulse are returned: PHYSICS.md, 1.3. */
export const returnModes = ['strongest', 'last', 'strongest-and-last', 'first', 'closest'] as const;
export type ReturnMode = (typeof returnModes)[number];

const beamSchema = z.strictObject({
  shape: z.enum(['circular', 'rectangular', 'elliptical']),
  divergenceHorizontalMrad: notNegative.max(500).describe('full angle'),
  divergenceVerticalMrad: notNegative.max(500).describe('full angle'),
  stencil: z
    .enum(['moment', 'goodin2018'])
    .default('moment')
    .describe("ring radius: 3/4 of the spot's (its second moment), or as printed in Goodin 2018"),
});

/** The whole document; what one field asks of another is checked with it. */
export const sensorSchema = z
  .strictObject({
    understorySensor: z.literal(1).describe('version of this format'),
    id: slug,
    name: z.string().min(1),
    source: z.string().min(1).describe('the document the values were read in'),
    recalled: z
      .array(z.string())
      .default([])
      .describe('paths of values that were not read in a document at hand'),
    scan: z.discriminatedUnion('kind', [spinning, sweep]),
    blocks: z.array(blockSchema).min(1).max(16).describe('lasers that fire together, by name'),
    firingOrder: z
      .array(slug)
      .min(1)
      .max(64)
      .optional()
      .describe('blocks by slot, repeated without end; default: the blocks in turn'),
    range: z.strictObject({
      minM: notNegative.describe('a surface nearer than this blocks the ray and yields nothing'),
      maxM: positive,
    }),
    beam: beamSchema,
    returns: z.strictObject({
      mode: z.enum(returnModes),
      signalCutoffM: notNegative.describe('length of the averaging window'),
      window: z.boolean().default(false).describe('average in strongest and last too (figure 2)'),
    }),
  })
  .superRefine(checkFiringOrder, whenSound('blocks', 'firingOrder'))
  .superRefine(checkRange, whenSound('range'))
  .superRefine(checkSweep, whenSound('scan'))
  .superRefine(checkSpot, whenSound('beam'));

/** A checked sensor, defaults filled in. Angles in the units of its field names. */
export type Sensor = z.output<typeof sensorSchema>;

type Issues = z.core.$RefinementCtx;

/** Runs a check although other fields have problems, so that a person learns of everything at once. */
function whenSound(...fields: string[]): z.core.$ZodSuperRefineParams {
  return {
    when: ({ issues }) =>
      !issues.some(({ code, path }) => {
        const field = path?.[0];
        return field === undefined ? code !== 'unrecognized_keys' : fields.includes(String(field));
      }),
  };
}

function checkFiringOrder(
  sensor: { blocks: { name: string }[]; firingOrder?: string[] | undefined },
  context: Issues,
): void {
  const names = sensor.blocks.map((block) => block.name);
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) === index) continue;
    report(context, ['blocks', index, 'name'], `expected a unique name, '${name}' is used before`);
  }
  for (const [index, name] of (sensor.firingOrder ?? []).entries()) {
    if (names.includes(name)) continue;
    const message = `expected the name of a block (${names.join(', ')}), found '${name}'`;
    report(context, ['firingOrder', index], message);
  }
}

function checkRange({ range }: { range: { minM: number; maxM: number } }, context: Issues): void {
  if (range.minM < range.maxM) return;
  const message = `expected less than maxM (${range.maxM}), found ${range.minM}`;
  report(context, ['range', 'minM'], message);
}

function checkSweep(
  { scan }: { scan: z.output<typeof spinning> | z.output<typeof sweep> },
  context: Issues,
): void {
  if (scan.kind !== 'sweep' || scan.minAzimuthDeg <= scan.maxAzimuthDeg) return;
  const message = `expected at most maxAzimuthDeg (${scan.maxAzimuthDeg}), found ${scan.minAzimuthDeg}`;
  report(context, ['scan', 'minAzimuthDeg'], message);
}

function checkSpot({ beam }: { beam: z.output<typeof beamSchema> }, context: Issues): void {
  const { shape, divergenceHorizontalMrad, divergenceVerticalMrad } = beam;
  if (shape !== 'circular' || divergenceHorizontalMrad === divergenceVerticalMrad) return;
  const message = `expected divergenceHorizontalMrad (${divergenceHorizontalMrad}) for a circular spot, found ${divergenceVerticalMrad}`;
  report(context, ['beam', 'divergenceVerticalMrad'], message);
}

function report(context: Issues, path: PropertyKey[], message: string): void {
  context.addIssue({ code: 'custom', path, message });
}
