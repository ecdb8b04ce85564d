// A plane is one return at its energy mean, whatever its incidence: the beam and the receiver of every sample that
// separates echoes, in every mode, before inclined plates. The mean is an integral over a uniformly lit spot.
import type { SceneInput } from '#contract/documents/scene.ts';
import { returnModes } from '#contract/documents/sensorReturns.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { radians } from '#domain/shared/numbers.ts';
import type { Vector3 } from '#domain/shared/pose.ts';
import { closedForm, worst, type ClosedForm } from '../closedForm.ts';
import type { Laboratory } from '../laboratory.ts';
import { formsPiece } from '../parts.ts';
import { grey, plates } from '../scenes.ts';
import { singleLaser } from '../simpleSensors.ts';

/** Sensors of Understory that separate echoes. */
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

export const grazingPlanes = formsPiece({
  name: 'grazing-planes',
  catches: ['echoes-in-slices'],
  ours: `Grazing planes: one pulse of every sample that separates echoes, without noise and losses, at a plane ${distanceM} m away, in every mode; at ${otherDistanceM} m where the plane is turned about the other axis of a spot whose axes differ.`,
  rows: ({ isQuick }) => [
    async (laboratory) => {
      const { bench } = laboratory;
      const sensors: { id: string; recipe: SensorRecipe }[] = [];
      for (const id of isQuick ? ['os1-128', 'vls-128'] : grazedSensors) {
        sensors.push({ id, recipe: await bench.sensor(id) });
      }
      const single = await bench.sensor(singleLaser({}));
      const forms: ClosedForm[] = [];
      for (const incidenceDeg of isQuick ? quickDeg : allDeg) {
        const plane = planeAt(incidenceDeg, distanceM);
        for (const { id, recipe } of sensors) {
          const name = `${id}, ${incidenceDeg}°`;
          forms.push(...(await formsOf(laboratory, single, recipe, name, plane)));
        }
        const other = planeAt(incidenceDeg, otherDistanceM);
        for (const { id, recipe } of sensors.filter(isBar)) {
          const name = `${id}, ${incidenceDeg}° about the other axis`;
          forms.push(...(await formsOf(laboratory, single, onItsSide(recipe), name, other)));
        }
      }
      return forms;
    },
  ],
});

/** A plane that is turned about the vertical, ahead of the sensor. */
interface Plane {
  incidenceDeg: number;
  atM: number;
  scene: SceneInput;
}

function planeAt(incidenceDeg: number, atM: number): Plane {
  const sheet = { faceM: [atM, 0, 0] as Vector3, yawDeg: incidenceDeg, isSheet: true };
  const scene = plates([{ ...sheet, material: grey, sizeM: [24_000, 24_000] }]);
  return { incidenceDeg, atM, scene };
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
  { fire }: Laboratory,
  single: SensorRecipe,
  { beam, radiometry, returns }: SensorRecipe,
  name: string,
  { incidenceDeg, atM, scene }: Plane,
): Promise<ClosedForm[]> {
  const [counts, rangesM]: [number[], number[]] = [[], []];
  const { rangeResolutionM = 0, waveform, signalCutoffM } = returns;
  for (const mode of returnModes) {
    const sensor: SensorRecipe = {
      ...single,
      beam,
      ...(radiometry !== undefined && { radiometry }),
      returns: {
        ...single.returns,
        mode,
        signalCutoffM,
        rangeResolutionM,
        maxReturns: 8,
        ...(waveform !== undefined && { waveform }),
      },
    };
    const fired = await fire({ scene, sensor, columns: ['range_m'] });
    counts.push(fired.rows);
    rangesM.push(...fired.range_m);
  }
  const one = {
    name: `${name}: most returns of a pulse in any mode`,
    expected: 1,
    source: 'a plane is one surface',
  };
  const { meanM, extentM } = energyMean(beam, radians(incidenceDeg), atM);
  const range = {
    name: `${name}: range, of the mode farthest from it`,
    // Nine rays represent the spot: they have its second moments, not its higher ones.
    tolerance: 0.02 * extentM + 1e-5,
    unit: 'm',
    source: 'mean of the range over a uniformly lit spot, by what comes back',
  };
  // Random rays have a mean of their own, and a waveform's peak is not the mean.
  const hasMean = beam.rays === undefined && waveform === undefined && extentM <= atM / 2;
  const ofModes = [meanM, ...rangesM].map((measured) => ({ measured, expected: meanM }));
  return [
    closedForm(one, Math.max(...counts)),
    ...(hasMean ? [closedForm(range, worst(ofModes))] : []),
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
