// The page about a sensor, decoded again, from made-up rays and pulses: what is drawn where.
import { decode } from 'fast-png';
import { describe, expect, it } from 'vitest';
import type { Replies } from '#contract/host/methods.ts';
import type { SensorDescriptionColumns } from '#contract/worker/sensorDescription.ts';
import { compileSensor } from '#domain/sensor/compileSensor.ts';
import { parseSensor } from '#domain/scenario/documentText.ts';
import { markColours, scaleColour } from '#domain/shared/colours.ts';
import { sensorSummary } from '#domain/shared/sensorSummary.ts';
import { drawSensor } from '#hosts/cli/pictures/sensorPicture.ts';

const document = `
understorySensor: 3
id: made-up
name: Made up
source: a test
scan: { kind: sweep, rateHz: 10, minAzimuthDeg: -10, maxAzimuthDeg: 10, slotsPerScan: 5 }
banks: [{ name: pair, elevationsDeg: [-4, 4] }]
range: { minM: 1, maxM: 50 }
beam: { shape: rectangular, divergenceHorizontalMrad: 40, divergenceVerticalMrad: 20 }
returns: { mode: all, maxReturns: 2, signalCutoffM: 1, rangeResolutionM: 0.75 }
noise: { laserBiasSigmaM: 0.025, dropOutShare: 0.01 }
quantisation: { rangeM: 0.002, azimuthDeg: 0.09 }
`;

/** Two rays, the right one heavier; two lasers at five azimuths. */
function shown(): { shown: Replies['sensor.show']; columns: SensorDescriptionColumns } {
  const { value: sensor, problems } = parseSensor(document);
  if (sensor === null) throw new Error(JSON.stringify(problems));
  const recipe = compileSensor(sensor).value;
  if (recipe === null) throw new Error('the sensor does not compile');
  const moments = { weight: 1, left: 0, up: 0, leftSquared: 1e-4, upSquared: 4e-6, leftUp: 0 };
  const slots = [-10, -5, 0, 5, 10].flatMap((azimuth) => [azimuth, azimuth]);
  const radian = Math.PI / 180;
  return {
    shown: {
      sensor,
      recipe,
      description: {
        raysPerPulse: 2,
        differsByPulse: false,
        beam: moments,
        profile: moments,
        pulsesPerSecond: 100,
        pulsesPerScan: 10,
        isWholeScan: true,
        rangeM: 5,
        spotM: { width: 0.2, height: 0.1 },
      },
      columnsPerTurn: null,
      pulsesPerSecond: 100,
      detection: null,
      raysPerSecond: 200,
      bytesPerSecond: 6600,
    },
    columns: {
      ray_left: Float64Array.of(0.01, -0.01),
      ray_up: Float64Array.of(0, 0.004),
      ray_weight: Float64Array.of(0.25, 0.75),
      pulse_ring: Uint16Array.from(slots, (_, i) => i % 2),
      pulse_time_ns: BigInt64Array.from(slots, (_, i) => BigInt(Math.floor(i / 2) * 20_000_000)),
      pulse_azimuth_rad: Float64Array.from(slots, (azimuth) => azimuth * radian),
      pulse_elevation_rad: Float64Array.from(slots, (_, i) => (i % 2 === 0 ? -4 : 4) * radian),
      pulse_reported_azimuth_rad: Float64Array.from(slots, (azimuth) => azimuth * radian),
      laser_ring: Uint16Array.of(0, 1),
      laser_elevation_rad: Float64Array.of(-4 * radian, 4 * radian),
      laser_azimuth_offset_rad: Float64Array.of(0, 0),
      laser_firing_offset_ns: BigInt64Array.of(0n, 0n),
      laser_range_bias_m: Float64Array.of(0.012, -0.03),
    },
  };
}

describe('the page about a sensor', () => {
  const { width, data, channels } = decode(drawSensor(shown()));
  const at = (x: number, y: number): number[] => {
    const from = channels * (Math.round(y) * width + Math.round(x));
    return [...data.slice(from, from + 3)];
  };

  it('shows rays where they are at the range, as seen from the sensor, heavier ones brighter', () => {
    // 200 mm fill 1/1.15 of the 590 pixels that begin at 130, 190; rays at 50 mm left, and at 50 mm right, 20 mm up.
    const perMm = 590 / (200 * 1.15);
    const [x, y] = [130 + 295, 190 + 295];
    expect(at(x - 50 * perMm, y)).toEqual([...scaleColour('viridis', 0)]);
    expect(at(x + 50 * perMm, y - 20 * perMm)).toEqual([...scaleColour('viridis', 0.88)]);
    expect(at(x + 50 * perMm + 7, y + 15 * perMm)).toEqual([255, 255, 255]);
    // The outline of the full angles.
    expect(at(x - 100 * perMm, y - 10)).toEqual([...markColours.skyBlue]);
    expect(at(x + 30, y - 50 * perMm)).toEqual([...markColours.skyBlue]);
  });

  it('shows the pulses of a scan in the colour of their time, left at the left', () => {
    // Azimuths -10 to 10° with 3 % more at both ends on 760 pixels from 130; elevations with 6 % on 380 from 1000.
    const xOf = (azimuth: number): number => 130 + (760 * (10.6 - azimuth)) / 21.2;
    const yOf = (elevation: number): number => 1000 + (380 * (4.48 - elevation)) / 8.96;
    for (const [slot, azimuth] of [-10, -5, 0, 5, 10].entries()) {
      const expected = scaleColour('viridis', (0.88 * slot) / 4);
      for (const elevation of [-4, 4]) {
        const found = at(xOf(azimuth) - 0.5, yOf(elevation) - 0.5);
        // Why not equal: the discs are scaled down.
        for (const [channel, value] of expected.entries()) {
          expect(Math.abs((found[channel] ?? 0) - value)).toBeLessThan(12);
        }
      }
    }
    expect(at(xOf(-7.4), yOf(3.7))).toEqual([255, 255, 255]);
  });
});

describe('the summary of a sensor', () => {
  it('says what it does, with units, and leaves out what it does not have', () => {
    const groups = sensorSummary(shown().shown);
    const linesOf = (title: string): string[] =>
      groups.find((group) => group.title === title)?.lines ?? [];
    expect(linesOf('Scan')).toEqual([
      'sweeps −10 to 10° at 10 Hz',
      '2 lasers, 5 azimuths; 10 pulses a scan',
    ]);
    expect(linesOf('Beam')).toEqual([
      'rectangular, 40 × 20 mrad, full angles',
      'at 5 m 200 × 100 mm',
      '2 rays a pulse: stencil moment',
      'rms of the rays 50 × 10 mm',
      'rms of the beam profile 50 × 10 mm',
    ]);
    expect(linesOf('Returns')).toEqual([
      'mode all, at most 2 a pulse',
      'no averaging',
      'echoes closer than 0.75 m merge',
    ]);
    expect(linesOf('Noise')).toEqual(['per-laser bias: σ 25 mm', 'drop-out: 1 % of the returns']);
    expect(linesOf('Range and intensity').slice(-2)).toEqual([
      'ranges in steps of 2 mm',
      'azimuths in steps of 0.09°',
    ]);
  });
});
