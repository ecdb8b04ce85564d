// Places of pulses in their firings against the times that a description of the sensor states.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { sensorSchema } from '#contract/documents/sensor.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { compileSensor } from '#domain/sensor/compileSensor.ts';
import { firingsOf } from '#domain/sensor/firings.ts';
import { projectRoot } from '#test/stages.ts';

function recipeOf(id: string): SensorRecipe {
  const text = readFileSync(path.join(projectRoot, `assets/sensors/${id}.yaml`), 'utf8');
  const { value } = compileSensor(sensorSchema.parse(parse(text)));
  if (value === null) throw new Error(`${id} does not compile`);
  return value;
}

/** Times of the first pulses by number, slot by slot and laser by laser, in exact nanoseconds. */
function timesOf({ slotPattern, banks, slotsPerSecond }: SensorRecipe, slots: number): number[] {
  return Array.from({ length: slots }, (_, slot) => {
    const bank = banks[slotPattern[slot % slotPattern.length] ?? 0];
    return (bank?.rings ?? []).map(
      (_, laser) => (slot * 1e9) / slotsPerSecond + (bank?.firingOffsetsNs?.[laser] ?? 0),
    );
  }).flat();
}

it.each(['os1-128', 'vlp-16', 'hdl-32e', 'hdl-64e', 'hdl-64e-s2', 'vls-128', 'vz-400i', 'lms-511'])(
  'pulses of %s have times of their own',
  (id) => {
    const recipe = recipeOf(id);
    const { placeOf, pulses, gapNs } = firingsOf(recipe);
    const times = timesOf(recipe, 8 * recipe.slotPattern.length);
    const stepNs = Math.min(100, gapNs / pulses);
    const own = times.map((timeNs, pulse) => timeNs + stepNs * placeOf(pulse));
    // A hundredth of a nanosecond: rounding.
    const sorted = own.toSorted((a, b) => a - b);
    const gaps = sorted.slice(1).map((timeNs, index) => timeNs - (sorted[index] ?? NaN));
    expect(Math.min(...gaps)).toBeGreaterThan(stepNs - 0.01);
    // In the order of firings: a step never moves a pulse beyond one of a later time.
    for (const [pulse, timeNs] of times.entries()) {
      const later = times.filter((other) => other > timeNs + 0.5);
      const next = later.reduce((least, other) => Math.min(least, other), Infinity);
      expect(own[pulse]).toBeLessThan(next);
    }
  },
);

it('pixels of an image follow one another in the order of their numbers', () => {
  const { placeOf, pulses } = firingsOf(recipeOf('tof-camera'));
  expect(pulses).toBe(176 * 144);
  expect([0, 1, 144, pulses - 1, pulses].map(placeOf)).toEqual([0, 1, 144, pulses - 1, 0]);
});
