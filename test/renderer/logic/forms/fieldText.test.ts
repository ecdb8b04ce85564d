// Rows of numbers as text, names for files, and commands of a scenario.
import { describe, expect, it } from 'vitest';
import {
  circlesText,
  numberText,
  parseCircles,
  parseRows,
  rowsText,
} from '#renderer/logic/forms/fieldText.ts';
import { proposedFile } from '#renderer/logic/frame/proposedFile.ts';
import { sceneCommands } from '#renderer/logic/scene/sceneCommands.ts';

describe('rows of numbers', () => {
  it('are read as they are written, and as YAML has them', () => {
    const rows = [
      [0, -1.5],
      [2, 3],
    ];
    expect(parseRows(rowsText(rows), 2)).toEqual(rows);
    expect(parseRows('[0, -1.5],\n\n  2 3  \n', 2)).toEqual(rows);
    expect(parseRows('1, 2, 3', 2)).toBeNull();
    expect(parseRows('1, x', 2)).toBeNull();
    expect(parseRows('', 2)).toEqual([]);
    expect(parseRows('1, 2, 3\n4', null)).toEqual([[1, 2, 3], [4]]);
  });

  it('may be circles', () => {
    const circles = [{ centreM: [1, 2], radiusM: 3 }];
    expect(parseCircles(circlesText(circles))).toEqual(circles);
    expect(parseCircles('1, 2')).toBeNull();
  });

  it('lose the digits of binary fractions only', () => {
    expect(numberText(0.1 + 0.2)).toBe('0.3');
    expect(numberText(-80.4)).toBe('-80.4');
    expect(numberText('x')).toBe('');
  });
});

describe('a name to save under', () => {
  it.each([
    ['/app/clearing.understory.yaml', true, '/data/scenarios/my-clearing.understory.yaml'],
    ['/home/me/yard.understory.yaml', false, '/home/me/yard-copy.understory.yaml'],
    ['/home/me/yard-copy.understory.yaml', false, '/home/me/yard-copy-2.understory.yaml'],
    ['/home/me/yard-copy-2.yaml', false, '/home/me/yard-copy-3.yaml'],
  ])('of %s', (file, isSample, expected) => {
    expect(proposedFile(file, isSample, '/data')).toBe(expected);
  });
});

describe('commands', () => {
  it('look and scan from the start of the mission', () => {
    const data = { mission: { startM: [-9, -7], startYawDeg: 37 }, sensors: [{ sensor: 'lux' }] };
    expect(sceneCommands(data, '/my files/a.understory.yaml')).toEqual([
      {
        text: 'Picture',
        command:
          "npx understory render '/my files/a.understory.yaml' --camera -9,-7,3,37,5 --out a.png",
      },
      {
        text: 'Scan',
        command:
          "npx understory scan '/my files/a.understory.yaml' --sensor lux --pose -9,-7,2,37,0 --seconds 0.1 --out a.pcd",
      },
      { text: 'Drive', command: "npx understory drive '/my files/a.understory.yaml'" },
    ]);
    expect(sceneCommands({}, 'box').map(({ text }) => text)).toEqual(['Picture', 'Scan']);
  });
});
