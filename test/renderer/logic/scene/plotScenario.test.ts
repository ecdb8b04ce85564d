// A scenario from the list of a plot's trees is one that the host takes.
import { expect, test } from 'vitest';
import { plotScenario, type PlotForm } from '#renderer/logic/scene/plotScenario.ts';
import { parseScenario } from '#domain/scenario/documentText.ts';

const form: PlotForm = {
  treeList: '/data/my "plot".csv',
  name: 'my "plot"',
  centreM: [3, -4],
  sizeM: 30,
  season: 'winter',
  positions: 5,
};

function scenarioOf(change: Partial<PlotForm> = {}) {
  const { value, problems } = parseScenario(plotScenario({ ...form, ...change }));
  if (value === null) throw new Error(JSON.stringify(problems));
  return value;
}

test('it has the list, the season and five positions about the centre', () => {
  const { name, scene, survey } = scenarioOf();
  expect(name).toBe('my "plot"');
  expect(scene.stands).toMatchObject([{ kind: 'list', file: form.treeList, season: 'winter' }]);
  const positions = survey?.kind === 'positions' ? survey.positions : [];
  expect(positions.map(({ positionM }) => positionM)).toEqual([
    [3, -4, 0],
    [-6, -13, 0],
    [12, -13, 0],
    [12, 5, 0],
    [-6, 5, 0],
  ]);
});

test('far from zero it has an origin', () => {
  expect(scenarioOf().scene.origin).toBeUndefined();
  const far = scenarioOf({ centreM: [561_000, 5_932_000], positions: 1 });
  expect(far.scene.origin).toEqual([561_000, 5_932_000, 0]);
});
