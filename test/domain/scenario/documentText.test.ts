// Documents as people write them: defaults, and every problem at its path and line.
import { describe, expect, it } from 'vitest';
import { parseScenario, parseSensor } from '#domain/scenario/documentText.ts';
import { minimalScenario, minimalSensor } from '#test/support/documents.ts';

/** Problems as 'path: message' of the minimal scenario with one text replaced. */
function problemsAfter(from: string, to: string): string[] {
  expect(minimalScenario).toContain(from);
  return linesOf(parseScenario(minimalScenario.replace(from, to)).problems);
}

function sensorProblemsAfter(from: string, to: string): string[] {
  expect(minimalSensor).toContain(from);
  return linesOf(parseSensor(minimalSensor.replace(from, to)).problems);
}

function linesOf(problems: { path: string; message: string }[]): string[] {
  return problems.map(({ path, message }) => `${path}: ${message}`);
}

describe('parseScenario', () => {
  it('reads YAML and fills in defaults', () => {
    const { value, problems } = parseScenario(minimalScenario);
    expect(problems).toEqual([]);
    expect(value?.seed).toBe(1);
    expect(value?.vehicle.maxSpeedMPerS).toBe(2);
    expect(value?.scene.instances[0]?.onGround).toBe(true);
  });

  it('reads JSON to the same value', () => {
    const { value } = parseScenario(minimalScenario);
    expect(value).not.toBeNull();
    const indented = JSON.stringify(value, null, '\t');
    expect(parseScenario(indented)).toEqual({ value, problems: [] });
  });

  const faults: [what: string, from: string, to: string, expected: string[]][] = [
    ['a missing field', 'name: test\n', '', ['name: expected text, found nothing']],
    [
      'a wrong type',
      'reflectance: 0.3',
      'reflectance: bright',
      ["scene.materials.soil.reflectance: expected a number or a list, found 'bright' (line 5)"],
    ],
    [
      'a value out of range',
      'reflectance: 0.3',
      'reflectance: 1.5',
      ['scene.materials.soil.reflectance: expected at most 1, found 1.5 (line 5)'],
    ],
    [
      'an infinite number',
      'reflectance: 0.3',
      'reflectance: .inf',
      ['scene.materials.soil.reflectance: expected a finite number, found Infinity (line 5)'],
    ],
    [
      'an unknown key',
      'reflectance: 0.3',
      'reflectance: 0.3, albedo: 1',
      ["scene.materials.soil.albedo: expected only known keys, found 'albedo' (line 5)"],
    ],
    [
      'an unknown kind',
      'kind: box',
      'kind: cube',
      [
        "scene.models.cube.kind: expected one of 'mesh', 'box', 'sphere', 'cylinder', 'plane', 'root-step', 'leaf-discs', 'learned', 'voxels', 'plant', found 'cube' (line 7)",
      ],
    ],
    [
      'a list too short',
      'positionM: [0, 0, 0]',
      'positionM: [0, 0]',
      ['scene.instances[0].positionM: expected a list of at least 3, found a list of 2 (line 9)'],
    ],
    [
      'a name that cannot be one',
      'name: a,',
      'name: "a b",',
      [
        "scene.instances[0].name: expected letters, digits, dot, underscore and hyphen, found 'a b' (line 9)",
      ],
    ],
    [
      'a reference to nothing',
      'model: cube',
      'model: sphere',
      ["scene.instances[0].model: expected a model of the scene (cube), found 'sphere' (line 9)"],
    ],
    [
      'a material that is not there',
      'material: soil',
      'material: rock',
      [
        "scene.models.cube.material: expected a material of the scene (soil), found 'rock' (line 7)",
      ],
    ],
    [
      "the ground's name on something else",
      'name: a,',
      'name: ground,',
      ["scene.instances[0].name: expected another name, 'ground' is the ground's (line 9)"],
    ],
    [
      'an empty value',
      'name: test',
      'name:',
      ['name: expected text, found an empty value (line 2)'],
    ],
  ];
  it.each(faults)('reports %s at its path', (_, from, to, expected) => {
    expect(problemsAfter(from, to)).toEqual(expected);
  });

  it('reports everything at once, references included', () => {
    const text = `${minimalScenario}
    - { name: a, model: cone, positionM: [0, 0, 0], colour: red }
  scatters:
    - { name: tree, model: cube, count: 0, areaM: [[0, 0], [1, 0]], minSpacingM: 2 }
  walls:
    - { name: tree-3, fromM: [0, 0], toM: [0, 0], heightM: 1, thicknessM: 1, material: brick }
seed: -1
`;
    expect(linesOf(parseScenario(text.replace('\n\n', '\n')).problems).sort()).toEqual([
      "scene.instances[1].colour: expected only known keys, found 'colour' (line 10)",
      "scene.instances[1].model: expected a model of the scene (cube), found 'cone' (line 10)",
      "scene.instances[1].name: expected a unique name, 'a' is used before (line 10)",
      'scene.scatters[0].areaM: expected a list of at least 3, found a list of 2 (line 12)',
      'scene.scatters[0].count: expected more than 0, found 0 (line 12)',
      "scene.scatters[0].minSpacingM: expected only with pattern 'poisson-disk' (line 12)",
      "scene.walls[0].material: expected a material of the scene (soil), found 'brick' (line 14)",
      "scene.walls[0].name: expected another name, 'tree-3' is a copy of the scatter 'tree' (line 14)",
      'scene.walls[0].toM: expected another point than fromM (line 14)',
      'seed: expected at least 0, found -1 (line 15)',
    ]);
  });

  it('reports a start or goal that lies off the cost map', () => {
    const mission = 'mission: { startM: [0, 0], goalM: [30, 0] }\n';
    expect(parseScenario(minimalScenario + mission).problems).toEqual([]);
    const small = `${minimalScenario}${mission}navigation: { costMap: { cells: 40 } }\n`;
    expect(linesOf(parseScenario(small).problems)).toEqual([
      'mission.startM: expected a place on the cost map (x 5 to 25, y -10 to 10), found [0, 0]; see navigation.costMap (line 10)',
      'mission.goalM: expected a place on the cost map (x 5 to 25, y -10 to 10), found [30, 0]; see navigation.costMap (line 10)',
    ]);
    const moved = `${minimalScenario}${mission}navigation: { costMap: { originM: [10, -10] } }\n`;
    expect(parseScenario(moved).problems.map(({ path }) => path)).toEqual(['mission.startM']);
  });

  it('names line and column of broken YAML and of keys used twice', () => {
    const twice = minimalScenario.replace('name: test\n', 'name: test\nname: again\n');
    expect(parseScenario(twice).problems).toEqual([
      {
        path: '(document)',
        code: 'syntax',
        message: 'Map keys must be unique (line 3, column 1)',
      },
    ]);
    const [open] = parseScenario('name: [1, 2\nseed: 3\n').problems;
    expect(open?.code).toBe('syntax');
    expect(open?.message).toMatch(/\(line [23], column \d+\)$/);
  });

  it('refuses an alias to nothing and an alias bomb', () => {
    expect(parseScenario('name: *nothing\n').problems[0]?.code).toBe('syntax');
    const levels = 'abcdefghi'.split('');
    const bomb = levels.map((name, i) => {
      const inner = i === 0 ? '1' : `*${levels[i - 1]}`;
      return `${name}: &${name} [${Array<string>(9).fill(inner).join(', ')}]`;
    });
    expect(parseScenario(bomb.join('\n')).problems[0]?.code).toBe('syntax');
  });

  it('reports a document of another kind', () => {
    expect(linesOf(parseScenario('just a word').problems)).toEqual([
      "(document): expected a mapping, found 'just a word'",
    ]);
    expect(linesOf(parseScenario('').problems)).toEqual([
      '(document): expected a mapping, found an empty value',
    ]);
  });
});

describe('parseSensor', () => {
  it('accepts the minimal sensor', () => {
    expect(parseSensor(minimalSensor).problems).toEqual([]);
  });

  const faults: [what: string, from: string, to: string, expected: string[]][] = [
    [
      'both a firing rate and an azimuth step',
      'slotsPerRevolution: 100',
      'slotsPerRevolution: 100, slotsPerSecond: 5',
      ['scan: expected either slotsPerSecond, firingCycleUs or slotsPerRevolution (line 5)'],
    ],
    [
      'a range of rates in reverse order',
      'rateHz: 10,',
      'rateHz: 10, rateRangeHz: [20, 5],',
      ['scan.rateRangeHz: expected [lowest, highest] (line 5)'],
    ],
    [
      'an elevation beyond the zenith, in a list',
      'elevationsDeg: [0, 1]',
      'elevationsDeg: [0, 91]',
      ['banks[0].elevationsDeg[1]: expected at most 90, found 91 (line 7)'],
    ],
    [
      'a fault in a regular range, as a fault of the range',
      'elevationsDeg: [0, 1]',
      'elevationsDeg: { fromDeg: 0, toDeg: 1 }',
      ['banks[0].elevationsDeg.count: expected a number, found nothing (line 7)'],
    ],
    [
      'a fault in a repeated list, as a fault of it',
      'elevationsDeg: [0, 1]',
      'elevationsDeg: { repeat: [0], times: 0 }',
      ['banks[0].elevationsDeg.times: expected more than 0, found 0 (line 7)'],
    ],
    [
      'elevations that are neither',
      'elevationsDeg: [0, 1]',
      'elevationsDeg: 3',
      ['banks[0].elevationsDeg: expected a mapping or a list, found 3 (line 7)'],
    ],
    [
      'a minimum range above the maximum',
      'minM: 1,',
      'minM: 200,',
      ['range.minM: expected less than maxM (100), found 200 (line 8)'],
    ],
    [
      'an uneven circular spot',
      'rectangular',
      'circular',
      [
        'beam.divergenceVerticalMrad: expected divergenceHorizontalMrad (3) for a circular spot, found 1 (line 9)',
      ],
    ],
    [
      'a firing order with an unknown bank, beside another fault',
      'range: { minM: 1, maxM: 100 }',
      'firingOrder: [column, upper]\nrange: { minM: -1, maxM: 100 }',
      [
        'range.minM: expected at least 0, found -1 (line 9)',
        "firingOrder[1]: expected the name of a bank (column), found 'upper' (line 8)",
      ],
    ],
  ];
  it.each(faults)('reports %s at its path', (_, from, to, expected) => {
    expect(sensorProblemsAfter(from, to)).toEqual(expected);
  });
});
