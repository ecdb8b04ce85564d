// Learned models in scenarios: edits that add one pass the checks of scenarios; names of files lead back.
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { scenarioSchema } from '#contract/documents/scenario.ts';
import { fileFrom, fileSeenFrom, slugOf, stemOf } from '#domain/shared/fileNames.ts';
import { addModelEdits, isInScene, otherSystem } from '#domain/shared/modelInScene.ts';
import { withEdit } from '#renderer/logic/forms/schemaForm.ts';

const withModel = `
understory: 2
name: site
scene:
  materials: { soil: { reflectance: 0.25, colour: '#6e5a41' } }
  models: { site: { kind: learned, file: ../models/a.ply, material: soil } }
  ground: { kind: plane, sizeM: [400, 400], material: soil }
  instances: [{ name: site, model: site, positionM: [0, 0, 0], onGround: false }]
sensors: [{ name: lidar, sensor: vlp-16, mount: { positionM: [0, 0, 2] } }]
mission: { startM: [0, 0], goalM: [10, 0] }
`;

describe('a model that is added to a scenario', () => {
  it('is of the same coordinate reference system, where both state one', () => {
    const scene = (crs?: string): unknown => ({ scene: { ...(crs !== undefined && { crs }) } });
    expect(otherSystem(scene('EPSG:25832'), 'EPSG:25833')).toBe(
      'The model is in EPSG:25833, the scene in EPSG:25832',
    );
    expect(otherSystem(scene('EPSG:25832'), 'EPSG:25832')).toBeNull();
    expect(otherSystem(scene('EPSG:25832'), null)).toBeNull();
    expect(otherSystem(scene(), 'EPSG:25832')).toBeNull();
  });

  it('is placed where its log was, once', () => {
    const [scenario, dataFolder] = ['/d/scenarios/x.understory.yaml', '/d'];
    const own = { scenario, dataFolder, model: '/d/models/a.ply' };
    const site = { scenario, dataFolder, model: '/elsewhere/Site.ply' };
    const before: unknown = parse(withModel);
    expect(isInScene(before, own)).toBe(true);
    expect(addModelEdits(before, own)).toBeNull();
    const change = addModelEdits(before, site);
    const after = (change?.edits ?? []).reduce<unknown>(withEdit, before);
    const { data, error } = scenarioSchema.safeParse(after);
    expect(error).toBeUndefined();
    expect(isInScene(after, site)).toBe(true);
    expect(change?.path).toEqual(['scene', 'instances', 1]);
    expect(data?.scene.models['site-2']).toMatchObject({
      file: '/elsewhere/Site.ply',
      material: 'soil',
    });
    expect(data?.scene.instances[1]).toMatchObject({
      name: 'site-2',
      model: 'site-2',
      positionM: [0, 0, 0],
      onGround: false,
    });
  });
});

describe('names of files', () => {
  it('are relative within the data folder and the folder of the scenario', () => {
    expect(fileFrom('/d/scenarios/x.understory.yaml', '/d/models/a.ply', '/d')).toBe(
      '../models/a.ply',
    );
    expect(fileFrom('/home/x.understory.yaml', '/d/models/a.ply', '/d')).toBe('/d/models/a.ply');
    expect(fileFrom('/d/scenarios/x.understory.yaml', '/home/a.ply', '/d')).toBe('/home/a.ply');
    expect(fileFrom('/home/x.understory.yaml', '/home/models/a.ply', '/d')).toBe('models/a.ply');
  });

  it('lead back from the scenario that names them', () => {
    const scenario = '/d/scenarios/x.understory.yaml';
    for (const file of ['/d/models/a.ply', '/d/scenarios/b.ply', '/home/a.ply']) {
      expect(fileSeenFrom(scenario, fileFrom(scenario, file, '/d'))).toBe(file);
    }
    expect(fileSeenFrom(scenario, './b.ply')).toBe('/d/scenarios/b.ply');
  });

  it('are of letters that every file system takes', () => {
    expect(stemOf('/d/logs/First drive.log')).toBe('First drive');
    expect(slugOf('Clearing, seed 1!')).toBe('clearing-seed-1');
    expect(slugOf('—')).toBe('site');
  });
});
