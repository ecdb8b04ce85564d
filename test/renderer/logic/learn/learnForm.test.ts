// Forms of the Learn page: requests that the contract takes, and commands with the same content.
import { describe, expect, it } from 'vitest';
import { requests } from '#contract/host/methods.ts';
import { learnPresets } from '#domain/shared/learnPresets.ts';
import { formOf } from '#renderer/logic/forms/schemaForm.ts';
import {
  emptyImportForm,
  importProblems,
  importRequestOf,
} from '#renderer/logic/learn/importForm.ts';
import { learnRequestsOf, parameterSchema } from '#renderer/logic/learn/learnForm.ts';
import { kindsByUse } from '#renderer/logic/learn/learnKinds.ts';

const form = {
  logs: ['/d/logs/a.log'],
  kinds: ['voxel', 'surface'] as const,
  preset: 'browning-2012' as const,
  changed: { volume: { voxelM: 0.2, minPoints: 5 }, surface: { gridM: 0.1 } },
  seed: 1,
  outStem: '/d/models/a',
};

describe('the form of learning', () => {
  it('asks once for each kind, without what the kind does not use or the preset has', () => {
    const asked = learnRequestsOf(form);
    expect(asked.map(({ model, out, parameters }) => [model, out, parameters])).toEqual([
      ['voxel', '/d/models/a-voxel.ply', { volume: { voxelM: 0.2 } }],
      ['surface', '/d/models/a-surface.ply', { surface: { gridM: 0.1 } }],
    ]);
    for (const one of asked) expect(requests['learn.start'].safeParse(one).success).toBe(true);
  });

  it('shows the values of the preset with the bounds of the contract', () => {
    for (const preset of ['browning-2012', 'deschaud-2012'] as const) {
      const [elements] = formOf(parameterSchema(['voxel'], preset), {});
      expect(elements?.kind).toBe('group');
      const fields = elements?.kind === 'group' ? elements.fields : [];
      const voxel = fields.find(({ path }) => path.at(-1) === 'voxelM');
      const { voxelM } = learnPresets[preset].volume;
      const control = { unit: 'm', fallback: voxelM, bounds: { least: 0.001, most: 100 } };
      expect(voxel).toMatchObject({ control, value: undefined });
    }
  });

  it('has parameters for every kind, all of them known to the contract', () => {
    for (const kind of kindsByUse) {
      const schema = parameterSchema([kind], 'browning-2012');
      const changed = Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([part, { properties = {} }]) => [
          part,
          Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, one.default])),
        ]),
      );
      expect(Object.keys(changed).length).toBeGreaterThan(0);
      const asked = { logs: ['/a.log'], model: kind, out: '/a.ply', parameters: changed };
      expect(requests['learn.start'].safeParse(asked).error).toBeUndefined();
    }
  });
});

describe('the form of an import', () => {
  it('asks for a run with its cuts', () => {
    const filled = {
      ...emptyImportForm(),
      runId: 'r1',
      azimuthFrom: -95,
      azimuthTo: 95,
      rangeFrom: 1,
      rangeTo: 60,
      toS: 3,
    } as const;
    expect(importProblems(filled)).toEqual({});
    const asked = importRequestOf(filled, '/d/logs/a.log');
    expect(requests['log.import'].safeParse(asked).success).toBe(true);
    expect(asked).toEqual({
      source: 'r1',
      out: '/d/logs/a.log',
      azimuthDeg: [-95, 95],
      rangeM: [1, 60],
      toS: 3,
      body: 'vehicle',
    });
  });

  it('asks for a file with a box', () => {
    const filled = {
      ...emptyImportForm(),
      kind: 'file' as const,
      file: ' /x.mcap ',
      box: '-1,-1,0, 1,1,2',
    };
    expect(importRequestOf(filled, '/d/logs/x.log')).toEqual({
      source: '/x.mcap',
      out: '/d/logs/x.log',
      body: [
        [-1, -1, 0],
        [1, 1, 2],
      ],
    });
  });

  it('asks for what a file does not state, by the options of the command', () => {
    const filled = {
      ...emptyImportForm(),
      kind: 'file' as const,
      file: '/x.mcap',
      trajectory: '/t.tum',
      cloud: '/velodyne points',
      poses: '/odom',
      frame: 'map',
      crs: 'EPSG:25832',
      isInverse: true,
      infersMisses: false,
      returns: 'last' as const,
      maxM: 120 as const,
      intensityOfWhite: 255 as const,
    };
    expect(importProblems(filled)).toEqual({});
    const asked = importRequestOf(filled, '/x.log');
    expect(requests['log.import'].safeParse(asked).error).toBeUndefined();
    // A run states its frames and its sensor.
    const ofRun = importRequestOf({ ...filled, kind: 'run', runId: 'r1' }, '/x.log');
    expect(ofRun).toEqual({
      source: 'r1',
      out: '/x.log',
      returns: 'last',
      infersMisses: false,
      body: 'vehicle',
    });
    expect(importProblems({ ...filled, maxM: 0 })).toEqual({ maxM: 'expected above 0' });
  });

  it('names what is missing', () => {
    const half = {
      ...emptyImportForm(),
      azimuthFrom: 10 as const,
      rangeFrom: 9 as const,
      rangeTo: 3 as const,
    };
    expect(importProblems(half)).toEqual({
      azimuthDeg: 'enter both, or neither',
      rangeM: 'expected from below to',
    });
    const wrong = { ...emptyImportForm(), kind: 'file' as const, box: '1,2,3', out: 'a.txt' };
    expect(Object.keys(importProblems(wrong))).toEqual(['body', 'out']);
  });
});
