// Panoramas as documents: rates and steps, the limits of the device, and what is refused at which path.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { sensorSchema, type SensorInput } from '#contract/documents/sensor.ts';
import { oneScanNs, traitsOf, type Lines } from '#contract/documents/scan/scanRecipe.ts';
import { compileSensor, type SensorSettings } from '#domain/sensor/compileSensor.ts';
import { summariseSensor } from '#domain/sensor/summary.ts';
import { projectRoot } from '#test/stages.ts';

const text = readFileSync(path.join(projectRoot, 'assets/sensors/vz-400i.yaml'), 'utf8');

/** The sample with other fields of its scan; undefined removes one. */
function sample(scan: Record<string, unknown> = {}): SensorInput {
  const document = parse(text) as SensorInput;
  return { ...document, scan: { ...document.scan, ...scan } };
}

function problemsOf(scan: Record<string, unknown>, settings: SensorSettings = {}): string[] {
  const parsed = sensorSchema.safeParse(sample(scan));
  if (!parsed.success) {
    return parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  }
  const { problems } = compileSensor(parsed.data, settings);
  return problems.map((problem) => `${problem.path}: ${problem.message}`);
}

function linesOf(scan: Record<string, unknown>, settings: SensorSettings = {}) {
  const { value } = compileSensor(sensorSchema.parse(sample(scan)), settings);
  return value === null ? null : traitsOf(value.scan).lines;
}

describe('a panorama', () => {
  it('takes its rates, or the steps that they make', () => {
    // 100° of 240° of a mirror's turn; "Panorama 40": 0.04° both ways at 1.2 MHz in 45 s.
    const steps = {
      pulseRateHz: 1_200_000,
      activeShare: 100 / 240,
      elevationStepDeg: 0.04,
      headStepDeg: 0.04,
    };
    const byStep = linesOf(steps);
    expect(byStep?.perSecond).toBeCloseTo(200, 9);
    expect(byStep?.pulsesPerLine).toBeCloseTo(2500, 9);
    expect(byStep?.perScan).toBeCloseTo(9000, 9);
    expect(((byStep?.headRadPerSecond ?? NaN) * 180) / Math.PI).toBeCloseTo(8, 12);
    const byRate = linesOf({
      ...steps,
      elevationStepDeg: undefined,
      headStepDeg: undefined,
      rateHz: 200,
      headDegPerSecond: 8,
    });
    const numbersOf = (lines: Lines | null): unknown[] =>
      Object.values<unknown>({ ...lines }).flat();
    expect(numbersOf(byRate)).toHaveLength(8);
    for (const [index, value] of numbersOf(byRate).entries()) {
      expect(value).toBeCloseTo(Number(numbersOf(byStep)[index]), 9);
    }
    // A rate of a command or mount is that of the lines; the head keeps its step.
    const slower = linesOf(steps, { rateHz: 100 });
    expect(slower?.pulsesPerLine).toBeCloseTo(5000, 9);
    expect(((slower?.headRadPerSecond ?? NaN) * 180) / Math.PI).toBeCloseTo(4, 12);
    const { value } = compileSensor(sensorSchema.parse(sample(steps)));
    expect(value === null ? null : oneScanNs(value.scan)).toBe(45e9);
  });

  it('is listed with lines per second and the ends of its lines', () => {
    const summary = summariseSensor(sensorSchema.parse(sample()));
    expect(summary).toMatchObject({ scan: 'panorama', channels: 1 });
    expect(summary?.rateHz).toBeCloseTo(100, 3);
    expect(summary?.elevationDeg[0]).toBeCloseTo(-40, 12);
    expect(summary?.elevationDeg[1]).toBeCloseTo(60, 12);
  });

  it.each<[string, Record<string, unknown>, SensorSettings?]>([
    ['scan.minElevationDeg: ', { minElevationDeg: undefined }],
    ['scan.maxElevationDeg: ', { maxElevationDeg: undefined }],
    ['scan.minElevationDeg: expected less than maxElevationDeg (60)', { minElevationDeg: 60 }],
    ['scan.headStepDeg: ', { headStepDeg: 0 }],
    ['scan.headDegPerSecond: expected either headDegPerSecond or', { headStepDeg: undefined }],
    ['scan.rateHz: expected either rateHz or elevationStepDeg', { rateHz: 100 }],
    ['scan.activeShare: ', { activeShare: 1.5 }],
    ['scan.pulseRateHz: expected one of 100000, 300000', { pulseRateHz: 250_000 }],
    ['scan.elevationStepDeg: expected 3 to 240 Hz', { elevationStepDeg: 0.2 }],
    ['rateHz: expected 3 to 240 Hz', {}, { rateHz: 300 }],
    ['scan.headToDeg: expected another azimuth', { headToDeg: 0 }],
    ['scan.headToDeg: expected another azimuth', { headFromDeg: -90 }],
    ['scan.headStepDeg: expected at most maxHeadDegPerSecond (150)', { headStepDeg: 2 }],
    ['scan.headStepDeg: expected at most 1000000 lines', { headStepDeg: 0.0001 }],
  ])('is refused: %s', (expected, scan, settings) => {
    const found = problemsOf(scan, settings);
    expect(
      found.some((problem) => problem.startsWith(expected)),
      found.join('\n'),
    ).toBe(true);
  });

  it('has no banks', () => {
    const banks = [{ name: 'column', elevationsDeg: [0] }];
    const parsed = sensorSchema.safeParse({ ...sample(), banks });
    expect(parsed.error?.issues.map(({ path: at }) => at.join('.'))).toEqual(['banks']);
  });
});
