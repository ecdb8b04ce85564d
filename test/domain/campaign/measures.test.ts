// Measures: values of expressions by hand, unknown values, and faults with their positions.
import { describe, expect, it } from 'vitest';
import type { RunMetrics, TickRecord } from '#contract/host/run.ts';
import { compileMeasure } from '#domain/campaign/measures.ts';
import { measureFields } from '#contract/host/runMetrics.ts';
import { scanKey, type MeasuredRun } from '#domain/campaign/measuredRun.ts';
import { publishedSchema } from '#contract/documents/publishedSchemas.ts';

const metrics: RunMetrics = {
  simSeconds: 0.4,
  wallSeconds: 9,
  realTimeFactor: 1,
  buildSeconds: 1,
  ticks: 2,
  pulses: 400,
  points: 90,
  goalReached: true,
  distanceToGoalM: 0.5,
  collisions: 2,
  movingCollisions: 1,
  collidedWith: ['oak-a'],
  pathLengthM: 24,
  clearanceM: 0.75,
  shortestLengthM: 20,
  energyJ: 100,
  groundCoverLengthM: 0,
  meanPositionErrorM: 0.1,
  peakRssMB: 1,
  coreSeconds: 1,
  plans: 1,
  planMedianMs: 1,
  planP95Ms: 1,
  planMostMs: 1,
};

const tick = (index: number, x: number): TickRecord => ({
  tick: index,
  timeNs: (index + 1) * 1e8,
  truth: { positionM: [x, 0, 0], rotation: [0, 0, 0, 1] },
  estimate: { positionM: [x + 3, 4, 0], rotation: [0, 0, 0, 1] },
  speedMPerS: x,
  distanceToGoalM: 10 - x,
  collisions: 0,
  activity: index === 0 ? 'waiting' : 'driving',
});

const scan = (index: number, sensor: string, tree: number, grass: number) => ({
  tick: index,
  sensor,
  timeS: (index + 1) / 10,
  pulses: 100,
  returns: tree + grass,
  classReturns: { tree, grass },
});

const run: MeasuredRun = {
  metrics,
  scans: () => [scan(0, 'front', 0, 10), scan(0, 'roof', 20, 0), scan(1, 'front', 40, 20)],
  ticks: () => [tick(0, 0), tick(1, 2)],
  instanceReturns: (name) =>
    new Map(name === 'oak-a' ? [[scanKey({ tick: 1, sensor: 'front' }), 35]] : []),
};

function valueOf(text: string): number | null | string {
  const { value, fault } = compileMeasure(text);
  return value === null ? `${fault.at}: ${fault.message}` : value(run);
}

describe('compileMeasure', () => {
  it.each([
    ['goal', 1],
    ['pathLengthM / shortestLengthM - 1', 0.2],
    ['2 + 3 * 4 - 6 / 2', 11],
    ['-2 * -(1 + 1)', 4],
    ['collisions > 1 and not goal', 0],
    ['collisions >= 2 or false', 1],
    ['collisions - movingCollisions', 1],
    ['goal = 1', 1],
    ['simSeconds in (0.4, 0.5)', 1],
    ['clearanceM', 0.75],
    ['returns()', 90],
    ["returns(class = 'tree')", 60],
    ["returns(class in ('tree', 'grass') and sensor = 'front')", 70],
    ["returns(instance = 'oak-a')", 35],
    ["returns(instance = 'oak-a' and sensor = 'roof')", 0],
    ["returns(class = 'wall')", 0],
    ['count(scans)', 3],
    ["count(scans, returns(class = 'tree') > 10)", 2],
    ["count(scans, sensor = 'roof')", 1],
    ["max(scans, returns(class = 'tree'))", 40],
    ['mean(scans, points / pulses)', 0.3],
    ["first(scans, returns(instance = 'oak-a') > 30)", 0.2],
    ['min(ticks, distanceToGoalM)', 8],
    ['mean(ticks, positionErrorM)', 5],
    ["count(ticks, activity = 'driving')", 1],
    ['max(1, 5, 3)', 5],
    ['abs(-3) + sqrt(16)', 7],
  ])('%s', (text, expected) => {
    expect(valueOf(text)).toBeCloseTo(expected, 12);
  });

  it('is null where nothing is known', () => {
    expect(valueOf('1 / 0')).toBeNull();
    expect(valueOf("first(scans, returns(instance = 'oak-b') > 0)")).toBeNull();
    expect(valueOf("mean(scans, points / returns(class = 'tree'))")).toBeCloseTo((1 + 1.5) / 2, 12);
    expect(valueOf("returns(class = 'wall') / returns(class = 'wall')")).toBeNull();
    expect(valueOf('sqrt(-1) > 0 or true')).toBe(1);
    expect(valueOf('sqrt(-1) > 0 and goal')).toBeNull();
  });

  it.each([
    ['', '0: expected a number, a text or a name, found the end'],
    ['goal +', '6: expected a number, a text or a name, found the end'],
    ['goall', '0: expected one of simSeconds, ticks'],
    ['1 + speed', '4: expected one of simSeconds'],
    ["returns(class = 'tree'", "22: expected ',' or ')', found the end"],
    ["returns(class = 'tree) > 3", '16: expected a closing quote'],
    ['returns(class = tree)', '16: expected the name of a class in quotes'],
    ["returns(model = 'tree')", '8: expected class, instance or sensor'],
    ["returns(class = 'a' and class = 'b')", "30: expected 'class' once"],
    ["returns(class = 'a' or class = 'b')", "20: expected class, instance or sensor with '='"],
    ['1 < 2 < 3', "6: expected 'and' between two comparisons"],
    ["goal + 'text'", '7: expected a number, found a text'],
    ["'text'", '0: expected a number, found a text'],
    ["count(scans, sensor > 'a')", "20: expected '=' or '!=' between texts"],
    ['count(scans, goal)', '13: expected one of time, tick'],
    ['sum(scans)', '0: expected sum(scans, expression)'],
    ['sqrt(1, 2)', '0: expected 1 values in sqrt(), found 2'],
    ['goal & 1', "5: expected an expression, found '&'"],
    ['constructor', '0: expected one of'],
    ['toString()', '0: expected one of'],
  ])('%s is refused', (text, expected) => {
    expect(valueOf(text)).toContain(expected);
  });

  it('refuses depth that would exhaust the stack', () => {
    expect(valueOf(`${'('.repeat(5000)}1${')'.repeat(5000)}`)).toContain('levels');
    expect(valueOf(Array(5000).fill('1').join('+'))).toContain('in a row');
    expect(valueOf(`${'-'.repeat(5000)}1`)).toContain('levels');
  });
});

it('has every metric in the reference of campaigns', () => {
  const { properties } = publishedSchema('campaign') as {
    properties: Record<string, { description: string }>;
  };
  const [, listed = ''] =
    /Metrics: ([^.]*)\./.exec(properties['measures']?.description ?? '') ?? [];
  expect(listed.split(', ').toSorted()).toEqual([...measureFields.keys()].toSorted());
});
