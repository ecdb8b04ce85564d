// Columns of a recording beyond those of every recording: only where there is something to record.
import { describe, expect, it } from 'vitest';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { parseSensor } from '#domain/scenario/documentText.ts';
import { compileSensor } from '#domain/sensor/compileSensor.ts';
import { autonomyColumns } from '#domain/autonomy/signals.ts';
import {
  hashedColumnsOf,
  recordedColumns,
  recordedColumnsOf,
} from '#domain/sensor/recordedColumns.ts';
import { minimalSensor } from '#test/support/documents.ts';

const cleanColumns = ['range_clean_m', 'x_clean_m', 'y_clean_m', 'z_clean_m'];

function sensorWith(lines = '', clock = { phaseMs: 0, offsetMs: 0, driftPpm: 0 }): SensorRecipe {
  const { value } = parseSensor(minimalSensor + lines);
  const recipe = value && compileSensor(value, { clock }).value;
  if (!recipe) throw new Error('expected a sensor');
  return recipe;
}

/** Columns of a rig beyond those of every rig. */
function more(
  sensors: SensorRecipe[],
  surfaces: SceneRecipe['materials'] = [],
  models: SceneRecipe['models'] = [],
  moves: Pick<SceneRecipe, 'wind'> = {},
): string[] {
  const recipe = { materials: surfaces, models, ...moves };
  const rig = { recipe, sensors: sensors.map((sensor) => ({ recipe: sensor })) };
  const columns = recordedColumnsOf(rig);
  expect(columns.slice(0, recordedColumns.length)).toEqual(recordedColumns);
  expect(new Set(hashedColumnsOf(rig))).toEqual(new Set([...columns, ...autonomyColumns]));
  return columns.slice(recordedColumns.length);
}

describe('a recording', () => {
  it('keeps no clean values of a sensor without noise', () => {
    expect(more([sensorWith()])).toEqual([]);
    // Clean values have its losses, pointing errors and rounding of azimuths as well.
    const lines =
      'noise: { dropOutShare: 0.5, pointingSigmaMrad: 1 }\nquantisation: { azimuthDeg: 1 }\n';
    expect(more([sensorWith(lines)])).toEqual([]);
  });

  it.each([
    'noise: { laserBiasSigmaM: 0.01 }',
    'noise: { rangeSigmaM: 0.01 }',
    'noise: { incidenceSigmaM: 0.01 }',
    'noise: { rangeSigmaPerM: 0.01 }',
    'noise: { signalSigmaM: 0.01 }',
    'quantisation: { rangeM: 0.01 }',
  ])('keeps clean values with %s, of every sensor of the rig', (line) => {
    expect(more([sensorWith(), sensorWith(`${line}\n`)])).toEqual(cleanColumns);
  });

  it('keeps stamps of clocks that are off, not of those that only begin later', () => {
    expect(more([sensorWith('', { phaseMs: 5, offsetMs: 0, driftPpm: 0 })])).toEqual([]);
    for (const off of [{ offsetMs: 1 }, { driftPpm: -1 }]) {
      const clock = { phaseMs: 0, offsetMs: 0, driftPpm: 0, ...off };
      expect(more([sensorWith(), sensorWith('', clock)])).toEqual(['sensor_time_ns']);
    }
  });

  it('keeps what was hit of a learned model, and clean values: its surfaces have noise', () => {
    const source = {
      ...({ kind: 'mesh', format: 'learned', file: 'site.ply', unitM: 1, upAxis: 'z' } as const),
      material: 0,
      materials: {},
    };
    expect(more([sensorWith()], [], [{ name: 'site', solid: 'none', source }])).toEqual([
      ...cleanColumns,
      ...['triangle_id', 'learned_part', 'support'],
    ]);
  });

  it('keeps velocities where plants sway', () => {
    const wind = {
      speedMPerS: 8,
      towardsRad: 0,
      topM: 0.1,
      maxLean: 0.3,
      gusts: 0.5,
      frequencyHz: 2.1,
    };
    expect(more([sensorWith()], [], [], { wind })).toEqual([
      'is_moving',
      'velocity_x_m_per_s',
      'velocity_y_m_per_s',
      'velocity_z_m_per_s',
      'radial_velocity_m_per_s',
    ]);
  });

  it('keeps mirrors passed where there is one', () => {
    const paint = {
      name: 'paint',
      reflectance: 0.5,
      colourRgb: [0, 0, 0] as [number, number, number],
    };
    expect(more([sensorWith()], [paint])).toEqual([]);
    const mirror = { ...paint, surface: { kind: 'mirror' as const } };
    expect(more([sensorWith()], [paint, mirror])).toEqual(['mirrors']);
  });
});
