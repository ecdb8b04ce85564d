// Columns of a return about its echo: range, width, amplitude and signal-to-noise ratio of two plates within the range
// resolution, of which one of nine rays meets the near one: so that no two rays tie for the strongest.
import { closedForm, formsPart } from '../closedForm.ts';
import { buildPlates, fire } from '../laboratory.ts';
import type { Piece } from '../parts.ts';
import { singleLaser } from '../simpleSensors.ts';
import { fiveSigmaReceiver } from './detectionLimit.ts';

const [nearM, farM] = [10, 10.4];
const [bright, dark] = [0.6, 0.3];
/** So narrow that rays off the axis are 1e-6 longer. */
const divergenceMrad = 4;

export const echoShape: Piece = {
  name: 'echo-shape',
  async run(bench) {
    await buildPlates(bench, { bright: { reflectance: bright }, dark: { reflectance: dark } }, [
      { material: 'bright', faceM: [nearM, 2.0125, 0], sizeM: [4, 4] },
      { material: 'dark', faceM: [farM, 0, 0] },
    ]);
    const sensor = singleLaser({ ...fiveSigmaReceiver, divergenceMrad });
    // Alone: rows without the shape of an echo come from packets of rays.
    const { range_m: rangesM } = await fire(bench, sensor, ['range_m']);
    const columns = await fire(bench, sensor, [
      'range_m',
      'echo_width_m',
      'amplitude',
      'snr',
      'beam_share',
    ]);
    const [near, far] = [(1 / 9) * (bright / nearM ** 2), (8 / 9) * (dark / farM ** 2)];
    const signal = near + far;
    const share = near / signal;
    const spreadM = Math.sqrt(share * (1 - share)) * (farM - nearM);
    const pulseM = 0.28 * fiveSigmaReceiver.returns.rangeResolutionM;
    const { reflectance, rangeM } = fiveSigmaReceiver.returns.detection;
    const form = (
      name: string,
      values: ArrayLike<number>,
      expected: number,
      source: string,
      unit = '1',
    ): ReturnType<typeof closedForm> =>
      closedForm(`one echo of two plates: ${name}`, {
        measured: values[0] ?? NaN,
        expected,
        tolerance: 5e-6 * expected,
        unit,
        source,
      });
    return formsPart(
      `Echo of two plates: reflectance ${bright} at ${nearM} m in one of nine rays, ${dark} at ${farM} m in eight, less than the range resolution apart.`,
      [
        form('range', rangesM, share * nearM + (1 - share) * farM, centroid, 'm'),
        form(
          'range beside its shape',
          columns.range_m,
          share * nearM + (1 - share) * farM,
          centroid,
          'm',
        ),
        form('width', columns.echo_width_m, Math.hypot(spreadM, pulseM), width, 'm'),
        form('amplitude', columns.amplitude, signal, 'radar equation: Σ w·ρ/R²', '1/m²'),
        form('signal-to-noise ratio', columns.snr, (5 * signal) / (reflectance / rangeM ** 2), snr),
        form('share of the beam', columns.beam_share, 1, 'each ray ends in the one return'),
      ],
    );
  },
};

const centroid = 'centroid of the received power';
const width = 'variance of two values, √(pq)·d, in quadrature with that of the pulse';
const snr = 'the limit, detected with probability 0.5 by a threshold of 5 σ, has 5';
