// Notices about learned models whose logs another sensor has made.
import { describe, expect, it } from 'vitest';
import { learnedLimits } from '#domain/sensor/learnedLimits.ts';

const limit = { reflectance: 0.1, rangeM: 50, probability: 0.5, falseAlarmsPerPulse: 1e-6 };
type Arguments = Parameters<typeof learnedLimits>;

function notes(learnedSensor: unknown, detection: object | undefined, elements = 7): string[] {
  const summary = { models: [{ name: 'site', elements, learnedSensor }] } as unknown;
  const sensor = { name: 'lidar', recipe: { returns: { detection } } } as unknown;
  return learnedLimits(summary as Arguments[0], sensor as Arguments[1]);
}

describe('models that were learned with another sensor', () => {
  it('are named, with the limit that judges their hits', () => {
    const [note = ''] = notes({ id: 'hdl-64e', detection: { ...limit, rangeM: 90 } }, limit);
    expect(note).toContain("model 'site' was learned with 'hdl-64e'");
    expect(note).toContain("detection limit of 'lidar'");
    expect(notes({ id: 'hdl-64e', detection: null }, limit)).toHaveLength(1);
    expect(notes(null, limit)[0]).toContain('an unknown sensor');
  });

  it('are not where the sensor has the same limit, or none, or the model no elements', () => {
    expect(notes({ id: 'hdl-64e', detection: { ...limit } }, limit)).toEqual([]);
    expect(notes({ id: 'hdl-64e', detection: limit }, undefined)).toEqual([]);
    expect(notes(null, limit, 0)).toEqual([]);
  });
});
