// Fog, smoke and dust: what they leave of a surface's signal, and the echo where beam and receiver begin to overlap.
import { mean } from '#domain/shared/statistics.ts';
import { about, closedForm, form, forms, type Measurement } from '../closedForm.ts';
import { formsPiece, greatest } from '../parts.ts';
import { grey, wall } from '../scenes.ts';
import { singleLaser } from '../simpleSensors.ts';

const [fromM, fullM, resolutionM] = [0.9, 1, 0.4];
const sensor = singleLaser({
  divergenceMrad: 1,
  range: { minM: 0.2, maxM: 200 },
  beam: { apertureHorizontalM: 0.01, apertureVerticalM: 0.01, overlapM: [fromM, fullM] },
  returns: {
    mode: 'all',
    maxReturns: 8,
    rangeResolutionM: resolutionM,
    detectionThreshold: 1e-7,
  },
});

/** The signal of a wall in smoke against that of a clear day, at several ranges. */
const extinction: Measurement = async (laboratory) => {
  const perM = 0.02;
  const off: number[] = [];
  for (const atM of [5, 20, 60, 120]) {
    const signals: number[] = [];
    for (const weather of [{}, { smoke: { extinctionPerM: perM } }]) {
      const fired = await laboratory.fire({
        scene: { ...wall(grey, atM), weather },
        sensor,
        columns: ['amplitude', 'object_id'],
      });
      signals.push(fired.amplitude[fired.object_id.findIndex((id) => id > 0)] ?? NaN);
    }
    const [clear = NaN, inSmoke = NaN] = signals;
    off.push(inSmoke / clear / Math.exp(-2 * perM * atM) - 1);
  }
  return [
    closedForm(
      {
        name: 'smoke of 0.02 /m, walls at 5 to 120 m: greatest relative error of what is left',
        expected: 0,
        tolerance: 5e-7,
        source: 'Bouguer 1729: exp(−2αR)',
      },
      greatest(off),
    ),
  ];
};

/** Half of the beam is seen where beam and receiver overlap by half. */
const overlap = form({
  name: 'wall where half of the beam is seen: its signal times R²',
  scene: wall(grey, (fromM + fullM) / 2),
  sensor,
  columns: ['amplitude', 'true_range_m'],
  statistic: ({ amplitude, true_range_m: rangesM }) =>
    (amplitude[0] ?? NaN) * (rangesM[0] ?? NaN) ** 2,
  // Rays to the edge of the spot are longer by a micrometre.
  expected: about(0.25, 1e-4),
  source: 'ρ·O(R), O linear',
});

const [visibilityM, lidarRatioSr] = [50, 18];
/** 3.912/V: Kim's law takes all wavelengths alike in dense fog. */
const fogPerM = 3.912 / visibilityM;
const sigmaM = 0.28 * resolutionM;

const fogEcho = forms({
  scene: { materials: { grey }, weather: { fog: { visibilityM, lidarRatioSr } } },
  sensor,
  columns: ['true_range_m', 'amplitude', 'class_id'],
  source: 'the greatest sum of pulses exp(−½(r − r′)²/σ²) of π β exp(−2αr′) O(r′)/r′²',
  laws: [
    { name: 'dense fog, no surfaces: returns', statistic: 'rows', expected: 1, source: 'one bump' },
    {
      name: 'dense fog, no surfaces: range of its echo',
      statistic: 'true_range_m',
      expected: about(bump().rangeM, 2e-3, 'm'),
    },
    {
      name: 'dense fog, no surfaces: signal of its echo',
      statistic: 'amplitude',
      expected: about(bump().signal, 2e-3 * bump().signal, '1/m²'),
    },
  ],
});

/** A wall inside the bump cuts it off. */
const cutFog: Measurement = async (laboratory) => {
  const endM = 1.2;
  const weather = { fog: { visibilityM, lidarRatioSr } };
  const fired = await laboratory.fire({
    scene: { ...wall(grey, endM), weather },
    sensor: { ...sensor, returns: { ...sensor.returns, rangeResolutionM: 0.1 } },
    columns: ['true_range_m', 'amplitude', 'object_id'],
  });
  const ofFog = fired.amplitude.filter((_, row) => fired.object_id[row] === 0);
  const expected = bump(0.028, endM).signal;
  return [
    closedForm(
      {
        name: `dense fog before a wall ${endM} m away: signal of its echo`,
        ...about(expected, 5e-3 * expected, '1/m²'),
        source: 'the same integral, to the wall',
      },
      mean(ofFog),
    ),
  ];
};

export const media = formsPiece({
  name: 'media',
  ours: `Fog, smoke and dust before a level laser whose beam the receiver sees from ${fromM} m on, and wholly from ${fullM} m.`,
  rows: [extinction, overlap, fogEcho, cutFog],
});

/** By quadrature, at steps of a hundredth of the pulse. */
function bump(pulseM = sigmaM, endM = 30): { rangeM: number; signal: number } {
  const stepM = pulseM / 100;
  const backscatterPerM = (Math.PI * fogPerM) / lidarRatioSr;
  const best = { rangeM: NaN, signal: 0 };
  for (let atM = fromM; atM < fullM + 3 * pulseM; atM += stepM) {
    let signal = 0;
    for (
      let m = Math.max(fromM, atM - 6 * pulseM);
      m < Math.min(endM, atM + 6 * pulseM);
      m += stepM
    ) {
      const seen = Math.min(1, (m - fromM) / (fullM - fromM));
      const sent = (backscatterPerM * Math.exp(-2 * fogPerM * m) * seen) / m ** 2;
      signal += sent * Math.exp(-0.5 * ((m - atM) / pulseM) ** 2) * stepM;
    }
    if (signal > best.signal) Object.assign(best, { rangeM: atM, signal });
  }
  return best;
}
