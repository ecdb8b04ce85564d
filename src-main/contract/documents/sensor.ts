// A sensor as a file (assets/sensors/*.yaml): pure data in the units of a data sheet. A new sensor is a
// new file. domain/sensor turns it into the SI document that the worker traces (recipe.ts).
import { z } from 'zod';
import { fraction, notNegative, positive, slug, title } from './quantities.ts';
import { beamSchema, radiometrySchema, wavelengthSchema } from './sensorBeam.ts';
import {
  intensitySchema,
  noiseSchema,
  quantisationSchema,
  rangeCellM,
  type ReturnMode,
  returnsSchema,
} from './sensorReturns.ts';
import { laserBankSchema, laserTables, tableValues } from './sensorBanks.ts';
import { hasBanks, hasLasers, scanPatternSchema, type ScanPattern } from './scan/scanPattern.ts';
import { documentFormats } from './versions.ts';

/** ROS 2 drivers whose fields a recorded cloud can have. */
export const driverSchema = z.enum([
  'velodyne',
  'ouster',
  'livox',
  'robosense',
  'hesai',
  'autoware',
]);
export type Driver = z.output<typeof driverSchema>;

/** Where recordings have sensor_msgs/LaserScan of a planar scanner. */
export const laserScanSchema = z.enum(['beside', 'instead']);
export type LaserScanChoice = z.output<typeof laserScanSchema>;

/** The whole document; what one field asks of another is checked with it. */
export const sensorSchema = z
  .strictObject({
    understorySensor: z.literal(documentFormats.sensor.version).describe('version of this format'),
    id: slug.describe("what scenarios and commands call it; a sample's file has this name"),
    name: title.describe('what people call it'),
    source: z.string().min(1).describe('the document the values were read in'),
    recalled: z
      .array(z.string())
      .default([])
      .describe('paths of values that were not read in a document at hand'),
    serial: title
      .max(100)
      .optional()
      .describe(
        'of the unit, the key of its biases, its dead lasers and the error of its mount, whatever the seed of a scenario; default: the id',
      ),
    driver: driverSchema
      .optional()
      .describe(
        'ROS 2 driver whose fields recorded clouds have: velodyne_pointcloud, ouster_ros, livox_ros_driver2, rslidar_sdk, HesaiLidar_ROS_2.0, or PointXYZIRCAEDT of Autoware. Default: velodyne',
      ),
    laserScan: laserScanSchema
      .optional()
      .describe(
        'recordings have sensor_msgs/LaserScan on /SENSOR/scan, beside the cloud of the driver or instead of it: for one laser that scans a plane. Default: none',
      ),
    scan: scanPatternSchema.describe('directions and times of the pulses'),
    banks: z
      .array(laserBankSchema)
      .max(16)
      .default([])
      .describe('groups of lasers that fire together, by name; an image and a panorama have none'),
    firingOrder: z
      .array(slug)
      .min(1)
      .max(64)
      .optional()
      .describe('names of banks, one a slot, repeated without end; default: the banks in turn'),
    deadLasers: z
      .union([fraction, z.array(z.int().min(0).max(65535)).max(4096)])
      .default([])
      .describe('lasers that return nothing: their rings, or a share, drawn for the serial'),
    range: z
      .strictObject({
        minM: notNegative.describe('a surface nearer than this blocks the ray and yields nothing'),
        maxM: positive.describe('nothing is seen farther away'),
        backfoldM: positive
          .optional()
          .describe(
            'ranges from here on are reported less this much: half of maxM in Gschwandtner 2011, eq. 3',
          ),
      })
      .describe('limits of ranges'),
    beam: beamSchema.describe('shape of a pulse and how it is sampled'),
    wavelengthNm: wavelengthSchema,
    radiometry: radiometrySchema,
    returns: returnsSchema.describe('how returns are formed'),
    noise: noiseSchema.prefault({}).describe('random errors; none by default'),
    intensity: intensitySchema
      .prefault({})
      .describe('errors and limits of reported intensities; none by default'),
    quantisation: quantisationSchema.prefault({}).describe('steps of reported values'),
  })
  .superRefine(checkBanks, whenSound('scan', 'banks'))
  .superRefine(checkLaserScan, whenSound('laserScan', 'scan', 'banks'))
  .superRefine(checkFiringOrder, whenSound('banks', 'firingOrder'))
  .superRefine(checkRange, whenSound('range'))
  .superRefine(checkFalseAlarms, whenSound('range', 'returns'))
  .superRefine(checkLimitSigma, whenSound('noise', 'returns'))
  .superRefine(checkSpot, whenSound('beam'))
  .superRefine(checkAperture, whenSound('beam'))
  .superRefine(checkRays, whenSound('beam'));

/** A checked sensor, defaults filled in. Angles in the units of its field names. */
export type Sensor = z.output<typeof sensorSchema>;
/** As a person writes it: what has a default may be left out. */
export type SensorInput = z.input<typeof sensorSchema>;

/** A sensor in a list, at its own rate and mode. */
export interface SensorSummary {
  scan: ScanPattern['kind'];
  /** Lasers, or rows of pixels. */
  channels: number;
  /** Scans per second; lines of a panorama. */
  rateHz: number;
  /** The lowest and the highest laser, or the ends of a panorama's lines. */
  elevationDeg: [number, number];
  rangeM: [number, number];
  /** Full angles, horizontal and vertical. */
  divergenceMrad: [number, number];
  pulsesPerSecond: number;
  mode: ReturnMode;
}

type Issues = z.core.$RefinementCtx;
type BeamDocument = z.output<typeof beamSchema>;
type ReturnsDocument = z.output<typeof returnsSchema>;

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
  sensor: { banks: { name: string }[]; firingOrder?: string[] | undefined },
  context: Issues,
): void {
  const names = sensor.banks.map((bank) => bank.name);
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) === index) continue;
    report(context, ['banks', index, 'name'], `expected a unique name, '${name}' is used before`);
  }
  for (const [index, name] of (sensor.firingOrder ?? []).entries()) {
    if (names.includes(name)) continue;
    const message = `expected the name of a bank (${names.join(', ')}), found '${name}'`;
    report(context, ['firingOrder', index], message);
  }
}

function checkRange(
  { range }: { range: { minM: number; maxM: number; backfoldM?: number | undefined } },
  context: Issues,
): void {
  const { minM, maxM, backfoldM } = range;
  for (const [key, metres] of Object.entries({ minM, backfoldM })) {
    if (metres === undefined || metres < maxM) continue;
    report(context, ['range', key], `expected less than maxM (${maxM}), found ${metres}`);
  }
}

/** A false alarm in at most a hundredth of the range cells: with more, noise has no threshold to speak of. */
function checkFalseAlarms(
  { range, returns }: { range: { minM: number; maxM: number }; returns: ReturnsDocument },
  context: Issues,
): void {
  const { detection } = returns;
  if (detection === undefined || rangeCellM(returns) <= 0) return;
  const most = (range.maxM - range.minM) / rangeCellM(returns) / 100;
  if (detection.falseAlarmsPerPulse <= most) return;
  const message = `expected at most ${Number(most.toPrecision(3))}, one in a hundred range cells, found ${detection.falseAlarmsPerPulse}`;
  report(context, ['returns', 'detection', 'falseAlarmsPerPulse'], message);
}

function checkLimitSigma(
  { noise, returns }: { noise: { limitSigmaM: number }; returns: ReturnsDocument },
  context: Issues,
): void {
  if (noise.limitSigmaM === 0 || returns.detection !== undefined) return;
  const message = `expected 0 without returns.detection, found ${noise.limitSigmaM}`;
  report(context, ['noise', 'limitSigmaM'], message);
}

/** Whether a kind needs banks; calibration is given for every laser of a bank. */
function checkBanks(
  { scan, banks }: { scan: ScanPattern; banks: z.output<typeof laserBankSchema>[] },
  context: Issues,
): void {
  const needsBanks = hasBanks(scan.kind);
  if (needsBanks === (banks.length === 0)) {
    const expected = needsBanks
      ? 'at least one bank'
      : `no banks: ${hasLasers(scan.kind) ? 'a panorama has one laser' : 'an image has pixels'}`;
    report(context, ['banks'], `expected ${expected}, found ${banks.length}`);
  }
  for (const [index, bank] of banks.entries()) {
    const { elevationsDeg } = bank;
    const lasers =
      'count' in elevationsDeg ? elevationsDeg.count : tableValues(elevationsDeg).length;
    for (const key of laserTables) {
      const table = bank[key];
      const given = table === undefined ? lasers : tableValues(table).length;
      if (given === lasers) continue;
      const message = `expected one number for each of the ${lasers} lasers, found ${given}`;
      report(context, ['banks', index, key], message);
    }
  }
}

/** A LaserScan is ranges by angle in one plane. */
function checkLaserScan(
  {
    laserScan,
    scan,
    banks,
  }: {
    laserScan?: LaserScanChoice | undefined;
    scan: ScanPattern;
    banks: z.output<typeof laserBankSchema>[];
  },
  context: Issues,
): void {
  if (laserScan === undefined) return;
  const elevations = banks.flatMap(({ elevationsDeg }) =>
    'count' in elevationsDeg
      ? Array.from({ length: elevationsDeg.count }, () => elevationsDeg.fromDeg)
      : tableValues(elevationsDeg),
  );
  if (hasBanks(scan.kind) && elevations.length === 1 && elevations[0] === 0) return;
  const found = hasBanks(scan.kind)
    ? `${elevations.length} at ${elevations.slice(0, 3).join(', ')}${elevations.length > 3 ? ', …' : ''}°`
    : `scan.kind '${scan.kind}'`;
  report(
    context,
    ['laserScan'],
    `expected one laser at elevation 0, since a LaserScan is one plane, found ${found}`,
  );
}

/** Where a ray leaves the window follows from where it goes. */
function checkAperture({ beam }: { beam: BeamDocument }, context: Issues): void {
  for (const axis of ['Horizontal', 'Vertical'] as const) {
    if (beam[`aperture${axis}M`] === 0 || beam[`divergence${axis}Mrad`] > 0) continue;
    const message = `expected 0 for a beam without divergence${axis}Mrad, found ${beam[`aperture${axis}M`]}`;
    report(context, ['beam', `aperture${axis}M`], message);
  }
}

function checkSpot({ beam }: { beam: BeamDocument }, context: Issues): void {
  const { shape, divergenceHorizontalMrad, divergenceVerticalMrad } = beam;
  if (shape !== 'circular' || divergenceHorizontalMrad === divergenceVerticalMrad) return;
  const message = `expected divergenceHorizontalMrad (${divergenceHorizontalMrad}) for a circular spot, found ${divergenceVerticalMrad}`;
  report(context, ['beam', 'divergenceVerticalMrad'], message);
}

function checkRays({ beam }: { beam: BeamDocument }, context: Issues): void {
  const { stencil, rays } = beam;
  if ((stencil === 'rays') !== (rays !== undefined)) {
    const message =
      stencil === 'rays'
        ? "expected with stencil 'rays', found nothing"
        : "expected only with stencil 'rays'";
    report(context, ['beam', 'rays'], message);
  }
  if (rays?.sampling === 'random' && rays.dither) {
    report(
      context,
      ['beam', 'rays', 'dither'],
      'expected only with stratified sampling: random rays are new for each pulse',
    );
  }
  if (rays !== undefined && Array.isArray(rays.profile)) checkProfile(rays.profile, context);
}

function checkProfile(profile: [number, number][], context: Issues): void {
  const at = ['beam', 'rays', 'profile'];
  if (profile[0]?.[0] !== 0) report(context, [...at, 0], 'expected to begin at distance 0');
  if (profile.every(([, irradiance]) => irradiance === 0))
    report(context, at, 'expected an irradiance above 0');
  for (const [index, [distance]] of profile.entries()) {
    const before = profile[index - 1]?.[0];
    if (before === undefined || before < distance) continue;
    report(context, [...at, index], `expected a distance above ${before}, found ${distance}`);
  }
}

function report(context: Issues, path: PropertyKey[], message: string): void {
  context.addIssue({ code: 'custom', path, message });
}
