// A plane is one return at its energy mean, whatever its incidence: the beam and the receiver of every sample that
// separates echoes, in every mode, before inclined plates. The mean is an integral over a uniformly lit spot.
import { returnModes } from '#contract/documents/sensorReturns.ts';
import type { SensorRecipe } from '#contract/worker/recipe.ts';
import { radians } from '#domain/shared/numbers.ts';
import type { ValidationBench } from '../bench.ts';
import { closedForm, formsPart, type ClosedForm } from '../closedForm.ts';
import { atOrigin, buildPlates } from '../laboratory.ts';
import type { Piece } from '../parts.ts';
import { laserSlotNs, singleLaser } from '../simpleSensors.ts';
import { stationary } from '../trajectories.ts';

/** Those that separate echoes, of the sensors of Understory. */
export const grazedSensors = [
  'hdl-32e',
  'hdl-64e',
  'ibeo-lux',
  'lms-511',
  'os0-128',
  'os1-128',
  'os2-128',
  'pandar64',
  'tim571',
  'utm-30lx',
  'vlp-16',
  'vlp-32c',
  'vls-128',
  'vz-2000i',
  'vz-400',
  'vz-400i',
  'vz-600i',
  'xt32',
  'full-waveform',
];
const allDeg = [0, 30, 60, 70, 75, 80, 83, 85, 87, 88, 89];
const quickDeg = [0, 60, 85, 88];
const distanceM = 10;
/** To planes that are turned about the other axis: bars are long in it, and rays far from each other there. */
const otherDistanceM = 60;
const reflectance = 0.5;

export const grazingPlanes: Piece = {
  name: 'grazing-planes',
  async run(bench, { isQuick }) {
    const sensors = await Promise.all(
      (isQuick ? ['os1-128', 'vls-128'] : grazedSensors).map(async (id) => ({
        id,
        recipe: await bench.sensor(id),
      })),
    );
    const single = await bench.sensor(singleLaser({}));
    const forms: ClosedForm[] = [];
    for (const incidenceDeg of isQuick ? quickDeg : allDeg) {
      await buildPlane(bench, incidenceDeg, distanceM);
      for (const { id, recipe } of sensors) {
        const plane = { name: `${id}, ${incidenceDeg}°`, incidenceDeg, atM: distanceM };
        forms.push(...(await formsOf(bench, single, recipe, plane)));
      }
      await buildPlane(bench, incidenceDeg, otherDistanceM);
      for (const { id, recipe } of sensors.filter(isBar)) {
        const name = `${id}, ${incidenceDeg}° about the other axis`;
        const plane = { name, incidenceDeg, atM: otherDistanceM };
        forms.push(...(await formsOf(bench, single, onItsSide(recipe), plane)));
      }
    }
    return formsPart(
      `Grazing planes: one pulse of every sample that separates echoes, without noise and losses, at a plane ${distanceM} m away, in every mode; at ${otherDistanceM} m where the plane is turned about the other axis of a spot whose axes differ.`,
      forms,
    );
  },
};

/** A plane that is turned about the vertical. */
interface Plane {
  name: string;
  incidenceDeg: number;
  /** Ahead of the sensor. */
  atM: number;
}

async function buildPlane(bench: ValidationBench, yawDeg: number, atM: number): Promise<void> {
  await buildPlates(bench, { grey: { reflectance } }, [
    { material: 'grey', faceM: [atM, 0, 0], yawDeg, sizeM: [24_000, 24_000], isSheet: true },
  ]);
}

function isBar({ recipe: { beam } }: { recipe: SensorRecipe }): boolean {
  return beam.divergenceHorizontalRad !== beam.divergenceVerticalRad;
}

/** Rolled by 90°: a plane that is turned about the vertical is turned about the other axis of its spot. */
function onItsSide(sensor: SensorRecipe): SensorRecipe {
  const { apertureHorizontalM, apertureVerticalM, ...beam } = sensor.beam;
  return {
    ...sensor,
    beam: {
      ...beam,
      divergenceHorizontalRad: beam.divergenceVerticalRad,
      divergenceVerticalRad: beam.divergenceHorizontalRad,
      ...(apertureVerticalM !== undefined && { apertureHorizontalM: apertureVerticalM }),
      ...(apertureHorizontalM !== undefined && { apertureVerticalM: apertureHorizontalM }),
    },
  };
}

/** One pulse of the sample's beam and receiver in all modes: the worst of them. */
async function formsOf(
  bench: ValidationBench,
  single: SensorRecipe,
  { beam, radiometry, returns }: SensorRecipe,
  { name, incidenceDeg, atM }: Plane,
): Promise<ClosedForm[]> {
  const [rows, rangesM]: [number[], number[]] = [[], []];
  for (const mode of returnModes) {
    const { rangeResolutionM = 0, waveform, signalCutoffM } = returns;
    const recipe: SensorRecipe = {
      ...single,
      beam,
      ...(radiometry !== undefined && { radiometry }),
      returns: {
        ...single.returns,
        ...{ mode, signalCutoffM, rangeResolutionM, maxReturns: 8 },
        ...(waveform !== undefined && { waveform }),
      },
    };
    const scanned = await bench.scan({
      sensor: recipe,
      ...{ trajectory: stationary(atOrigin), toNs: laserSlotNs, seed: 1 },
      columns: ['range_m'],
    });
    rows.push(scanned.rows);
    rangesM.push(...scanned.columns.range_m);
  }
  const one = closedForm(`${name}: most returns of a pulse in any mode`, {
    measured: Math.max(...rows),
    expected: 1,
    source: 'a plane is one surface',
  });
  const { meanM, extentM } = energyMean(beam, radians(incidenceDeg), atM);
  // Random rays have a mean of their own, and a waveform's peak is not the mean.
  if (beam.rays !== undefined || returns.waveform !== undefined || extentM > atM / 2) return [one];
  const worstM = rangesM.reduce(
    (a, b) => (Math.abs(b - meanM) > Math.abs(a - meanM) ? b : a),
    meanM,
  );
  return [
    one,
    closedForm(`${name}: range, of the mode farthest from it`, {
      measured: worstM,
      expected: meanM,
      // Nine rays represent the spot: they have its second moments, not its higher ones.
      tolerance: 0.02 * extentM + 1e-5,
      unit: 'm',
      source: 'mean of the range over a uniformly lit spot, by what comes back',
    }),
  ];
}

/** Over a spot on a plane that is turned about the vertical: by cos θ/R², of a fine grid of directions. */
function energyMean(
  {
    shape,
    divergenceHorizontalRad,
    divergenceVerticalRad,
    apertureHorizontalM = 0,
  }: SensorRecipe['beam'],
  turnRad: number,
  distanceM: number,
): { meanM: number; extentM: number } {
  const cells = 200;
  let [power, powerTimesRange, nearestM, farthestM] = [0, 0, Infinity, 0];
  for (let column = 0; column < cells; column += 1) {
    for (let row = 0; row < cells; row += 1) {
      const u = (2 * (column + 0.5)) / cells - 1;
      const v = (2 * (row + 0.5)) / cells - 1;
      if (shape !== 'rectangular' && u * u + v * v > 1) continue;
      const left = u * Math.tan(divergenceHorizontalRad / 2);
      const up = v * Math.tan(divergenceVerticalRad / 2);
      const length = Math.hypot(1, left, up);
      // The plane has the normal (cos, sin, 0) and passes through (distance, 0, 0).
      const along = (Math.cos(turnRad) + left * Math.sin(turnRad)) / length;
      const startM = (u * apertureHorizontalM * Math.sin(turnRad)) / 2;
      const rangeM = (distanceM * Math.cos(turnRad) - startM) / along;
      if (rangeM <= 0) continue;
      const back = along / rangeM ** 2;
      power += back;
      powerTimesRange += back * rangeM;
      nearestM = Math.min(nearestM, rangeM);
      farthestM = Math.max(farthestM, rangeM);
    }
  }
  return { meanM: powerTimesRange / power, extentM: farthestM - nearestM };
}
