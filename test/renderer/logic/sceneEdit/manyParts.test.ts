// Several parts at once: copies, deletions, moves, and lines that objects are brought into.
import { describe, expect, it } from 'vitest';
import type { DocumentEdit } from '#contract/host/documentMethods.ts';
import { parseScenario } from '#domain/scenario/documentText.ts';
import { documentData, editDocument } from '#domain/scenario/editDocument.ts';
import { alignmentShifts, minAligned } from '#renderer/logic/sceneEdit/alignment.ts';
import {
  deleteAll,
  duplicateAll,
  isEntry,
  isRemovable,
  liftEdit,
  moveEdits,
  titleOfParts,
} from '#renderer/logic/sceneEdit/manyParts.ts';

const text = `understory: 2
name: many
scene:
  materials:
    soil: { reflectance: 0.3 }
  models:
    cube: { kind: box, sizeM: [1, 1, 1], material: soil }
  walls:
    - { name: wall, fromM: [0, 0], toM: [4, 0], heightM: 2, thicknessM: 0.2, material: soil }
  instances:
    - { name: oak-a, model: cube, positionM: [0, 0, 0] } # first
    - { name: post, model: cube, positionM: [5, 0, 0] }
    - { name: oak-b, model: cube, positionM: [9, 1, 0.5] } # last
mission: { startM: [0, 5], goalM: [9, 5] }
`;
const data = documentData(text);
const [a, post, b] = [0, 1, 2].map((index) => ['scene', 'instances', index]);
const wall = ['scene', 'walls', 0];
function applied(edits: DocumentEdit[]): string {
  const result = editDocument(text, edits);
  expect(result.problems).toEqual([]);
  expect(parseScenario(result.text).problems).toEqual([]);
  return result.text;
}
const namesIn = (of: string): string[] =>
  [...of.matchAll(/- \{ name: ([\w-]+)/g)].map(([, name]) => name ?? '');

describe('several parts', () => {
  it('are duplicated behind themselves, each under a name of its own', () => {
    const { edits, paths } = duplicateAll(data, [a!, b!, wall]);
    const after = applied(edits);
    expect(namesIn(after)).toEqual(['wall', 'wall-b', 'oak-a', 'oak-c', 'post', 'oak-b', 'oak-d']);
    expect(paths).toEqual([
      ['scene', 'instances', 1],
      ['scene', 'instances', 4],
      ['scene', 'walls', 1],
    ]);
    expect(after).toContain('# first');
  });

  it('are deleted together, and what is deleted itself does not count as broken', () => {
    const { edits, breaks } = deleteAll(data, [a!, b!, wall]);
    expect(breaks).toEqual([]);
    expect(namesIn(applied(edits))).toEqual(['post']);
    const cube = ['scene', 'models', 'cube'];
    const plan = deleteAll(data, [cube, a!]);
    expect(plan.breaks).toEqual(['post', 'oak-b']);
    expect(namesIn(applied(plan.withUsers ?? []))).toEqual(['wall']);
    expect(deleteAll(data, [cube, a!, post!, b!]).breaks).toEqual([]);
    // A material that is used is no help to delete.
    expect(deleteAll(data, [['scene', 'materials', 'soil'], a!]).withUsers).toBeNull();
  });

  it('have a title, and say what can be done with them', () => {
    expect(titleOfParts(data, [a!])).toBe('oak-a');
    expect(titleOfParts(data, [['mission']])).toBe('Mission');
    expect(titleOfParts(data, [a!, wall])).toBe('2 parts');
    expect([a!, ['mission'], ['scene', 'ground']].map(isEntry)).toEqual([true, false, false]);
    expect([a!, ['mission'], ['scene', 'ground']].map(isRemovable)).toEqual([true, true, false]);
  });

  it('are moved by their shapes, and lifted where they have a height', () => {
    const move = { kind: 'move', byM: [1, 2] } as const;
    const edits = [wall, b!].flatMap((path) => moveEdits(data, path, move, () => 0));
    const after = applied(edits);
    expect(after).toContain('fromM: [1, 2], toM: [5, 2]');
    expect(after).toContain('positionM: [10, 3, 0.5]');
    expect(liftEdit(data, b!, -0.5)?.value).toEqual([9, 1, 0]);
    expect(liftEdit(data, wall, 1)).toBeNull();
  });
});

describe('objects in line', () => {
  const boxes = [
    { minM: [0, 0], maxM: [2, 2] },
    { minM: [10, 4], maxM: [11, 5] },
    { minM: [3, 8], maxM: [7, 9] },
  ] as const;

  it('have one side or centre in common', () => {
    expect(alignmentShifts(boxes, 'west')).toEqual([
      [0, 0],
      [-10, 0],
      [-3, 0],
    ]);
    expect(alignmentShifts(boxes, 'east')).toEqual([
      [9, 0],
      [0, 0],
      [4, 0],
    ]);
    expect(alignmentShifts(boxes, 'centreY')).toEqual([
      [0, 3.5],
      [0, 0],
      [0, -4],
    ]);
    expect(minAligned('west')).toBe(2);
  });

  it('are spread evenly between the first and the last', () => {
    expect(alignmentShifts(boxes, 'spreadX')).toEqual([
      [0, 0],
      [0, 0],
      [0.75, 0],
    ]);
    expect(minAligned('spreadX')).toBe(3);
  });
});
