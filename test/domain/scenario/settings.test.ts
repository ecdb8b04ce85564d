// Settings: what a text means, what it does to a document, and one clear problem for each mistake.
import { describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { parseScenario, parseScenarioWith } from '#domain/scenario/documentText.ts';
import {
  mountProblems,
  parseSettings,
  settingsOfSensor,
  withSettings,
  type Setting,
} from '#domain/scenario/settings.ts';
import { projectRoot } from '#test/stages.ts';

const scenario = `
scene:
  atmosphere: { visibilityKm: 20 } # clear
  scatters:
    - { name: grass, count: 10 }
    - { name: tree, count: 2 }
sensors:
  - { name: front, sensor: vlp-16 }
`;

function edited(...texts: string[]): unknown {
  const { value, problems } = parseSettings(texts);
  if (value === null) throw new Error(JSON.stringify(problems));
  const result = withSettings(scenario, value);
  if (result.problems.length > 0) throw new Error(JSON.stringify(result.problems));
  return parse(result.text);
}

function problemOf(...texts: string[]): { path: string; message: string } {
  const { value, problems } = parseSettings(texts);
  const found = value === null ? problems : withSettings(scenario, value).problems;
  expect(found).toHaveLength(1);
  const [problem] = found;
  if (problem === undefined) throw new Error('unreachable');
  return { path: problem.path, message: problem.message };
}

describe('settings of a document', () => {
  it('replace, add and remove fields, by index and by name; the rest stays as it is written', () => {
    expect(edited('scene.atmosphere.visibilityKm=0.5', 'seed=7', 'mission.goalM=[1, 2]')).toEqual({
      ...(parse(scenario) as object),
      scene: { ...(parse(scenario) as { scene: object }).scene, atmosphere: { visibilityKm: 0.5 } },
      seed: 7,
      mission: { goalM: [1, 2] },
    });
    expect(edited('scene.scatters[1].count=0', 'scene.scatters[grass].count=3')).toMatchObject({
      scene: { scatters: [{ count: 3 }, { count: 0 }] },
    });
    expect(edited('scene.atmosphere=null', 'scene.wind=null')).toMatchObject({ scene: {} });
    expect(edited('scene.atmosphere=null')).not.toHaveProperty('scene.atmosphere');
    const { value } = parseSettings(['seed=7']);
    expect(withSettings(scenario, value ?? []).text).toContain('{ visibilityKm: 20 } # clear');
  });

  it('are made in their order', () => {
    expect(edited('seed=1', 'seed=2')).toMatchObject({ seed: 2 });
  });

  it.each([
    ['no value', 'seed', 'set', "expected path=value, found 'seed'"],
    ['an empty value', 'seed=', 'set', "expected a value after 'seed=', found nothing"],
    ['no path', '=3', 'set', "expected a path before '=', found ''"],
    ['a path that is none', 'a..b=3', 'set', "expected a path before '=', found 'a..b'"],
    ['a value that is no YAML', 'seed=[1', 'set', "expected YAML after 'seed=': "],
    [
      'an index beyond the list',
      'scene.scatters[2].count=1',
      'scene.scatters',
      'the list has 2 items, there is no item 2',
    ],
    [
      'a name that is not in the list',
      'scene.scatters[oak].count=1',
      'scene.scatters',
      "the list has 2 items, there is no item named 'oak'",
    ],
    ['an index of a mapping', 'scene[0]=1', 'scene', 'expected a list, found another value'],
    ['an index of nothing', 'scene.walls[0]=1', 'scene.walls', 'expected a list, found nothing'],
    [
      'a key of a number',
      'scene.atmosphere.visibilityKm.x=1',
      'scene.atmosphere.visibilityKm',
      "expected a mapping with 'x', found another value",
    ],
    [
      'a sensor without a field',
      'sensor=1',
      'set',
      "expected a field of the sensor, as in sensor.noise.rangeSigmaM, found 'sensor'",
    ],
  ])('refuse %s', (_, text, path, message) => {
    const problem = problemOf(text);
    expect(problem.path).toBe(path);
    expect(problem.message.startsWith(message)).toBe(true);
  });

  it('of sensors belong to all, or to the one mounted by a name', () => {
    const { value } = parseSettings([
      'sensor.range.maxM=5',
      'sensor[front].range.minM=1',
      'seed=1',
    ]);
    const settings = value ?? [];
    expect(settingsOfSensor(settings, 'front').map(({ path }) => path)).toEqual([
      ['range', 'maxM'],
      ['range', 'minM'],
    ]);
    expect(settingsOfSensor(settings, 'rear').map(({ path }) => path)).toEqual([['range', 'maxM']]);
    expect(mountProblems(settings, ['front'])).toEqual([]);
    expect(mountProblems(settings, ['rear'])[0]).toMatchObject({
      path: 'sensor[front]',
      message: "expected the name of a sensor (rear), found 'front'",
    });
  });
});

describe('a scenario with settings', () => {
  const clearing = readFileSync(
    join(projectRoot, 'assets/scenarios/clearing.understory.yaml'),
    'utf8',
  );
  /** By the text, edited and parsed. */
  function byText(text: string, settings: Setting[]): ReturnType<typeof parseScenario> {
    const written = withSettings(text, settings);
    if (written.problems.length > 0) return { value: null, problems: written.problems };
    return parseScenario(written.text);
  }

  it.each([
    [['scene.scatters[grass].count=77']],
    [['sensors[0].mount.pitchDeg=-4', 'sensors[0].mount.yawDeg=1e-7']],
    [['scene.atmosphere.visibilityKm=0.3', 'scene.atmosphere.visibilityLaw=kim', 'seed=9']],
    [['recording.truth=false', 'name="on"', 'description="a: b # c"']],
    [['scene.atmosphere=null', 'mission.timeoutS=null']],
    [['scene.models.stone={kind: box, sizeM: [1, 1, 1], material: soil}', 'vehicle.turnSlip=0.1']],
    [['scene.instances=[]', 'mission.goalM=[3, 4]']],
    [['mission.timeoutS=soon', 'seed=-1']],
    [['scene.scatters[moss].count=3']],
    [['mission.goalM.x=3']],
    [['understory=1']],
  ])('is the same by its data as by its text: %j', (texts) => {
    const { value: settings } = parseSettings(texts);
    const expected = byText(clearing, settings ?? []);
    const found = parseScenarioWith(clearing, settings ?? []);
    expect(found).toEqual(expected);
    // The order of keys too: compiled lists follow it.
    expect(JSON.stringify(found)).toBe(JSON.stringify(expected));
  });

  it('is that of the first text again, whatever came between', () => {
    const { value } = parseSettings(['scene.scatters[grass].count=5']);
    const before = JSON.stringify(parseScenario(clearing));
    parseScenarioWith(clearing, value ?? []);
    expect(JSON.stringify(parseScenario(clearing))).toBe(before);
  });
});
