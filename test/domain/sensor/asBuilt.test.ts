// Sensors as built, from their files to their recipes: firing cycles, laser order, tables that repeat, serials.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tableValues } from '#contract/documents/sensorBanks.ts';
import type { Sensor } from '#contract/documents/sensor.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { parseSensor } from '#domain/scenario/documentText.ts';
import { compileSensor, type SensorSettings } from '#domain/sensor/compileSensor.ts';

function textOf(id: string): string {
  return readFileSync(new URL(`../../../assets/sensors/${id}.yaml`, import.meta.url), 'utf8');
}

function sensorOf(text: string): Sensor {
  const { value, problems } = parseSensor(text);
  if (value === null) throw new Error(JSON.stringify(problems));
  return value;
}

function recipeOf(text: string, settings: SensorSettings = {}): SensorRecipe {
  const { value, problems } = compileSensor(sensorOf(text), settings);
  if (value === null) throw new Error(JSON.stringify(problems));
  return value;
}

describe('firing cycles', () => {
  // The manuals: 55.296 µs for 16 lasers 2.304 µs apart, 46.080 µs for 32 lasers 1.152 µs apart.
  it.each([
    ['vlp-16', 289_352, 16, 2304],
    ['hdl-32e', 694_444, 32, 1152],
  ])('%s fires at one rate however fast it turns', (id, pulses, lasers, apartNs) => {
    for (const rateHz of [5, 10, 20]) {
      const { slotsPerSecond, banks, scan } = recipeOf(textOf(id), { rateHz });
      expect(Math.abs(slotsPerSecond * lasers - pulses)).toBeLessThan(1);
      expect(scan).toEqual({ kind: 'spinning', rateHz, direction: 'clockwise' });
      expect(banks[0]?.firingOffsetsNs).toEqual(
        Array.from({ length: lasers }, (_, laser) => laser * apartNs),
      );
    }
  });

  it('fire the lasers in the order of the manuals', () => {
    const degreesOf = (id: string): number[] =>
      recipeOf(textOf(id)).banks[0]?.elevationsRad.map((rad) => (rad * 180) / Math.PI) ?? [];
    const sixteen = [-15, 1, -13, 3, -11, 5, -9, 7, -7, 9, -5, 11, -3, 13, -1, 15];
    for (const [laser, deg] of degreesOf('vlp-16').entries()) {
      expect(deg).toBeCloseTo(sixteen[laser] ?? NaN, 9);
    }
    const thirtyTwo = degreesOf('hdl-32e');
    // Printed to hundredths.
    for (const [laser, deg] of [-30.67, -9.33, -29.33, -8.0].entries()) {
      expect(Math.abs((thirtyTwo[laser] ?? NaN) - deg)).toBeLessThan(0.006);
    }
    expect(Math.abs((thirtyTwo[30] ?? NaN) + 10.67)).toBeLessThan(0.006);
    expect(Math.abs((thirtyTwo[31] ?? NaN) - 10.67)).toBeLessThan(0.006);
  });

  it('are one of three statements of a firing rate', () => {
    const text = textOf('vlp-16').replace(/firingCycleUs: .*/, 'slotsPerRevolution: 1800');
    expect(recipeOf(text).slotsPerSecond).toBe(18_000);
    const both = text.replace('slotsPerRevolution', 'firingCycleUs: 10\n  slotsPerRevolution');
    const [problem] = parseSensor(both).problems;
    expect(problem?.path).toBe('scan');
    expect(problem?.message).toMatch(
      /^expected either slotsPerSecond, firingCycleUs or slotsPerRevolution/,
    );
  });
});

describe('tables', () => {
  it('repeat', () => {
    expect(tableValues([3, 1])).toEqual([3, 1]);
    expect(tableValues({ repeat: [4.23, -1.41], times: 2, step: 0 })).toEqual([
      ...[4.23, -1.41, 4.23, -1.41],
    ]);
    expect(tableValues({ repeat: [0], times: 4, step: 0.1 })).toEqual([0, 0.1, 0.2, 0.3]);
  });

  it('have one number for each laser', () => {
    const text = textOf('vlp-16').replace('times: 16', 'times: 15');
    const [problem] = parseSensor(text).problems;
    expect(problem?.path).toBe('banks[0].firingOffsetsUs');
    expect(problem?.message).toMatch(/^expected one number for each of the 16 lasers, found 15/);
  });

  it('of a calibration reach the recipe', () => {
    const tables = [
      'rangeOffsetsM: { repeat: [0.01, -0.02], times: 8 }',
      'horizontalOffsetsM: { repeat: [0.026], times: 16 }',
      'verticalOffsetsM: { repeat: [0.2], times: 16, step: 0.001 }',
    ];
    const text = textOf('vlp-16').replace('\nrange:', `    ${tables.join('\n    ')}\n\nrange:`);
    const [bank] = recipeOf(text).banks;
    expect(bank?.rangeOffsetsM?.slice(0, 3)).toEqual([0.01, -0.02, 0.01]);
    expect(bank?.horizontalOffsetsM).toEqual(Array.from({ length: 16 }, () => 0.026));
    expect(bank?.verticalOffsetsM?.[15]).toBeCloseTo(0.215, 12);
  });
});

describe('a unit', () => {
  it('is its serial number: of the mount, of the file, or none but the id', () => {
    const text = textOf('vlp-16');
    expect(recipeOf(text).serial).toBeUndefined();
    const numbered = text.replace('\nscan:', '\nserial: AB-12\n\nscan:');
    expect(recipeOf(numbered).serial).toBe('AB-12');
    expect(recipeOf(numbered, { serial: 'CD-34' }).serial).toBe('CD-34');
  });

  it('may have dead lasers, by ring or by share', () => {
    const dead = (value: string): SensorRecipe =>
      recipeOf(textOf('vlp-16').replace('\nscan:', `\ndeadLasers: ${value}\n\nscan:`));
    expect(dead('[3, 5]')).toMatchObject({ deadRings: [3, 5] });
    expect(dead('0.1')).toMatchObject({ deadShare: 0.1 });
    expect(dead('[]')).not.toHaveProperty('deadRings');
  });

  it('has no aperture where its beam does not spread', () => {
    const text = textOf('vlp-16').replace(
      'divergenceVerticalMrad: 1.5',
      'divergenceVerticalMrad: 0',
    );
    expect(parseSensor(text).problems).toMatchObject([{ path: 'beam.apertureVerticalM' }]);
  });
});
