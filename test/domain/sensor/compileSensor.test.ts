// From a sensor's data sheet to what the worker traces: elevations, rings, firing order, rates.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import type { Sensor } from '#contract/documents/sensor.ts';
import { parseSensor } from '#domain/scenario/documentText.ts';
import { compileSensor } from '#domain/sensor/compileSensor.ts';
import { minimalSensor } from '#test/support/documents.ts';

const assets = new URL('../../../assets/sensors/', import.meta.url);

function sensorAsset(id: string): Sensor {
  const { value, problems } = parseSensor(readFileSync(new URL(`${id}.yaml`, assets), 'utf8'));
  expect(problems).toEqual([]);
  if (value === null) throw new Error('unreachable');
  return value;
}

function recipeOf(sensor: Sensor, settings = {}): SensorRecipe {
  const { value, problems } = compileSensor(sensor, settings);
  expect(problems).toEqual([]);
  if (value === null) throw new Error('unreachable');
  return value;
}

function degrees(radians: number | undefined): number {
  return ((radians ?? NaN) * 180) / Math.PI;
}

/** Mean over the pattern of lasers per slot, times slots per second. */
function pulsesPerSecond({ slotPattern, banks, slotsPerSecond }: SensorRecipe): number {
  const lasers = slotPattern.map((bank) => banks[bank]?.elevationsRad.length ?? 0);
  return (slotsPerSecond * lasers.reduce((sum, n) => sum + n, 0)) / slotPattern.length;
}

describe('compileSensor', () => {
  // Expected: slots per second, pulses per second, lowest and highest elevation (reference: the tables of
  // Goodin 2018 in PHYSICS.md).
  const sensors: [id: string, slots: number, pulses: number, lowDeg: number, highDeg: number][] = [
    ['lms-291-goodin2018', 201 * 37.5, 201 * 37.5, 0, 0],
    ['lms-291-75hz', 101 * 75, 101 * 75, 0, 0],
    ['hdl-32e-goodin2018', 22500, 720000, -30.6623, 10.67],
    ['hdl-64e-goodin2018', 31250, 1000000, -24.8, 2],
    ['vlp-16-goodin2018', 18000, 288000, -15, 15],
    ['grid-64x2083', 20830, 1333120, -24.8, 2],
  ];

  it.each(sensors)('resolves %s', (id, slots, pulses, lowDeg, highDeg) => {
    const recipe = recipeOf(sensorAsset(id));
    expect(recipe.slotsPerSecond).toBe(slots);
    expect(pulsesPerSecond(recipe)).toBe(pulses);
    const byRing: number[] = [];
    for (const { elevationsRad, rings } of recipe.banks) {
      expect(rings).toHaveLength(elevationsRad.length);
      rings.forEach((ring, laser) => (byRing[ring] = degrees(elevationsRad[laser])));
    }
    const lasers = recipe.banks.reduce((sum, bank) => sum + bank.elevationsRad.length, 0);
    expect(Object.keys(byRing)).toHaveLength(lasers);
    expect([...byRing].sort((a, b) => a - b)).toEqual(byRing);
    expect(byRing[0]).toBeCloseTo(lowDeg, 12);
    expect(byRing.at(-1)).toBeCloseTo(highDeg, 12);
  });

  it('gives the HDL-64E its two banks, in steps of 0.42540°, three slots to one', () => {
    const { banks, slotPattern } = recipeOf(sensorAsset('hdl-64e-goodin2018'));
    expect(slotPattern).toEqual([1, 1, 1, 0]);
    const [lower, upper] = banks;
    expect(degrees(lower?.elevationsRad[31])).toBeCloseTo(-11.6127, 10);
    expect(degrees(upper?.elevationsRad[0])).toBeCloseTo(-11.1873, 10);
    const step = degrees(upper?.elevationsRad[1]) - degrees(upper?.elevationsRad[0]);
    expect(step).toBeCloseTo(13.1873 / 31, 10);
    expect([lower?.rings[0], lower?.rings[31], upper?.rings[0], upper?.rings[31]]).toEqual([
      0, 31, 32, 63,
    ]);
  });

  it('keeps the step of the HDL-32E and the pulse rate of the HDL-64E when the rate changes', () => {
    expect(recipeOf(sensorAsset('hdl-32e-goodin2018'), { rateHz: 20 }).slotsPerSecond).toBe(45000);
    const slow = recipeOf(sensorAsset('hdl-64e-goodin2018'), { rateHz: 5 });
    expect(slow.slotsPerSecond).toBe(31250);
    expect(slow.scan.rateHz).toBe(5);
  });

  it('sweeps the LMS-291 over ±50° and lets it see what is nearer than 0.75 m', () => {
    const { scan, minRangeM, beam, returns } = recipeOf(sensorAsset('lms-291-goodin2018'));
    expect(scan).toEqual({
      kind: 'sweep',
      rateHz: 37.5,
      minAzimuthRad: (-50 * Math.PI) / 180,
      maxAzimuthRad: (50 * Math.PI) / 180,
      slotsPerScan: 201,
    });
    expect(minRangeM).toBeLessThan(0.75);
    expect(beam.divergenceHorizontalRad).toBeCloseTo(0.0129, 15);
    expect(returns).toEqual({
      mode: 'first',
      signalCutoffM: 1.6,
      window: false,
      rangeResolutionM: 0,
      maxReturns: 3,
      detectionThreshold: 0,
    });
  });

  it('refuses a rate that the sensor cannot be set to', () => {
    const sensor = sensorAsset('hdl-64e-goodin2018');
    for (const rateHz of [4.99, 15.01]) {
      const message = `expected 5 to 15 Hz for sensor 'hdl-64e-goodin2018', found ${rateHz}`;
      expect(compileSensor(sensor, { rateHz }).problems).toEqual([
        { path: 'rateHz', code: 'custom', message },
      ]);
    }
    const spoilt = { ...sensor, scan: { ...sensor.scan, rateHz: 40 } };
    expect(compileSensor(spoilt).problems[0]?.path).toBe('scan.rateHz');
  });

  it('refuses more slots than there are nanoseconds, by file or by rate', () => {
    const sensor = sensorAsset('lms-291-goodin2018');
    const absurd = { ...sensor, scan: { ...sensor.scan, slotsPerScan: 1e12 } };
    const message =
      'expected at most 1000000000 slots per second, one a nanosecond, found 37500000000000 at 37.5 Hz';
    expect(compileSensor(absurd).problems).toEqual([
      { path: 'scan.slotsPerScan', code: 'custom', message },
    ]);
    const quick = sensorAsset('tof-camera');
    expect(compileSensor(quick, { rateHz: 1e8 }).problems[0]?.path).toBe('scan.columns');
    expect(compileSensor(quick, { rateHz: 1e6 }).problems).toEqual([]);
  });

  it('replaces the mode', () => {
    expect(recipeOf(sensorAsset('vlp-16-goodin2018'), { mode: 'last' }).returns.mode).toBe('last');
  });

  it('ranks uneven elevations over banks and lets banks fire in turn', () => {
    const banks = '  - { name: b, elevationsDeg: [5, -3] }\n  - { name: a, elevationsDeg: [0] }';
    const text = minimalSensor.replace('  - { name: column, elevationsDeg: [0, 1] }', banks);
    const { value } = parseSensor(text);
    if (value === null) throw new Error('expected a sensor');
    const recipe = recipeOf(value);
    expect(recipe.banks.map((bank) => bank.rings)).toEqual([[2, 0], [1]]);
    expect(recipe.slotPattern).toEqual([0, 1]);
  });
});

/** Azimuth step of the lower bank at `rateHz` turns per second, as printed: both ends of a sweep included. */
function lowerBlockStepDeg(rateHz: number): number {
  return 360 / (250000 / (32 * rateHz) - 1); // Goodin 2018, eq. 6
}

/** The same for the upper bank. */
function upperBlockStepDeg(rateHz: number): number {
  return 360 / (250000 / (8 * rateHz) - 1); // Goodin 2018, eq. 7
}

describe('the azimuth steps of the HDL-64E', () => {
  it('has both ends of a sweep included, as printed', () => {
    // At 10 Hz eq. 7 has 3125 columns a turn for the upper bank, eq. 6 781.25 for the lower.
    expect(upperBlockStepDeg(10)).toBeCloseTo(360 / 3124, 12);
    expect(lowerBlockStepDeg(10)).toBeCloseTo(360 / 780.25, 12);
  });

  it.each([5, 10, 15])('agrees with the firing clock at %d Hz but for the -1', (rateHz) => {
    const { slotsPerSecond, slotPattern } = recipeOf(sensorAsset('hdl-64e-goodin2018'), { rateHz });
    const slotStepDeg = (360 * rateHz) / slotsPerSecond;
    // n columns a turn: 360 / (n - 1) against 360 / n, a relative difference of 1 / (n - 1).
    const columns = slotsPerSecond / rateHz;
    expect(upperBlockStepDeg(rateHz) / slotStepDeg - 1).toBeCloseTo(1 / (columns - 1), 12);
    const lowerStepDeg = slotPattern.length * slotStepDeg;
    expect(lowerBlockStepDeg(rateHz) / lowerStepDeg - 1).toBeCloseTo(1 / (columns / 4 - 1), 12);
  });
});
