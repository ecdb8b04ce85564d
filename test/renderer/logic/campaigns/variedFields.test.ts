// The fields that a campaign can vary: made from the real schemas and samples; each path is one that `--set` takes.
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { formSchema } from '#contract/documents/publishedSchemas.ts';
import { parseSettings, withSettings } from '#domain/scenario/settings.ts';
import {
  boundsText,
  findFields,
  variedFields,
  type VariedField,
} from '#renderer/logic/campaigns/variedFields.ts';

const assets = new URL('../../../../assets/', import.meta.url);
const scenarioFiles = readdirSync(new URL('scenarios/', assets)).filter((name) =>
  name.endsWith('.understory.yaml'),
);

function text(file: string): string {
  return readFileSync(new URL(file, assets), 'utf8');
}

function fieldsOf(file: string): VariedField[] {
  return variedFields(formSchema('scenario'), parse(text(file), { merge: true }));
}

const clearing = fieldsOf('scenarios/clearing.understory.yaml');
const at = (path: string, fields = clearing): VariedField => {
  const found = fields.find((field) => field.path === path);
  if (found === undefined) throw new Error(`no field ${path}`);
  return found;
};

describe('the fields of a scenario', () => {
  it.each(scenarioFiles)('%s: each path is one that a setting can have, once', (name) => {
    const paths = fieldsOf(`scenarios/${name}`).map(({ path }) => path);
    expect(paths.length).toBeGreaterThan(50);
    expect(new Set(paths).size).toBe(paths.length);
    expect(parseSettings(paths.map((path) => `${path}=1`)).problems).toEqual([]);
  });

  it('have paths at which a document can be changed', () => {
    const document = text('scenarios/clearing.understory.yaml');
    for (const [index, { path, value }] of clearing.entries()) {
      if (value === null || index % 3 !== 0) continue;
      const { value: settings } = parseSettings([`${path}=${JSON.stringify(value)}`]);
      expect(withSettings(document, settings ?? []).problems, path).toEqual([]);
    }
  });

  it('say where they are, in which unit, within which bounds, and what holds', () => {
    expect(at('scene.scatters[grass].count')).toMatchObject({
      label: 'Count',
      place: 'Scene › Scatters › grass',
      unit: '',
      kind: 'number',
      value: 350,
      bounds: { least: 0, isLeastExcluded: true, most: 20_000_000, isInteger: true },
    });
    const discs = fieldsOf('scenarios/leaf-discs.understory.yaml');
    expect(at('estimate.voxelM', discs)).toMatchObject({
      label: 'Voxel size',
      unit: 'm',
      kind: 'number',
      value: 0.4,
      bounds: { least: 0, isLeastExcluded: true, most: 1000 },
    });
    expect(at('scene.models.canopy.leafAreaDensity', discs)).toMatchObject({
      label: 'Leaf area density',
      unit: 'm²/m³',
      value: 1,
    });
    expect(at('mission.goalM[1]')).toMatchObject({ label: 'Goal, y', unit: 'm', value: 5 });
    expect(at('scene.scatters[tree].scale[0]')).toMatchObject({ label: 'Scale, from', value: 0.7 });
    expect(at('scene.materials.leaf.reflectance')).toMatchObject({ value: 0.5 });
    expect(boundsText(at('vehicle.turnSlip'))).toBe('0 to 1');
    expect(boundsText(at('sensors[lidar].mount.yawDeg'))).toBe('');
    expect(boundsText(at('mission.timeoutS'))).toBe('above 0');
  });

  it('include those that only hold by default, and leave out the seed, names and versions', () => {
    expect(at('vehicle.maxSpeedMPerS')).toMatchObject({ value: 2, unit: 'm/s' });
    expect(at('sensors[lidar].mount.pitchDeg').value).toBe(0);
    expect(at('sensors[lidar].rateHz').value).toBeNull();
    const paths = clearing.map(({ path }) => path);
    for (const absent of ['seed', 'name', 'understory', 'sensors[lidar].name']) {
      expect(paths).not.toContain(absent);
    }
  });

  it('are found by words of label, path and help, those by their label first', () => {
    expect(findFields(clearing, 'grass count')[0]?.path).toBe('scene.scatters[grass].count');
    expect(findFields(clearing, 'yaw')[0]?.label).toBe('Yaw');
    expect(findFields(clearing, 'no such field')).toEqual([]);
    expect(findFields(clearing, '')).toHaveLength(clearing.length);
  });
});

describe('the fields of a sensor', () => {
  const data: unknown = parse(text('sensors/lms-291.yaml'));
  const fields = variedFields(formSchema('sensor'), data, 'sensor', 'Sensor');

  it('have the prefix of a sensor', () => {
    expect(at('sensor.noise.rangeSigmaM', fields)).toMatchObject({
      label: 'Range sigma',
      place: 'Sensor › Noise',
      unit: 'm',
      value: 0.01,
    });
    for (const { path } of fields) expect(parseSettings([`${path}=1`]).problems, path).toEqual([]);
  });
});
