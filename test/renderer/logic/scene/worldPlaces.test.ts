// Coordinates on screen at UTM values: what is shown is within 0.1 mm, what is typed comes back.
import { expect, it } from 'vitest';
import {
  mapEdges,
  placedInScene,
  placedInWorld,
  worldTexts,
} from '#renderer/logic/scene/worldPlaces.ts';
import { numberText } from '#renderer/logic/forms/fieldText.ts';
import { gridLines } from '#renderer/logic/plots/gridLines.ts';

const utm = [500_000, 5_400_000, 300] as const;
const zero = [0, 0, 0] as const;

it('shows places to a tenth of a millimetre where the scene has an origin', () => {
  expect(worldTexts(utm, [1.2345, -2.3456, 0.00006], 2)).toEqual([
    '500001.2345',
    '5399997.6544',
    '300.0001',
  ]);
  expect(worldTexts(zero, [1.2345, -2.3456, 0], 2)).toEqual(['1.23', '-2.35', '0.00']);
  // A thousand places: what is read back is the place, to half a step.
  for (let step = 0; step < 1000; step += 1) {
    const place = [step * 0.987_654_3, -step * 0.123_456_7, step * 0.01] as const;
    for (const [axis, text] of worldTexts(utm, place, 2).entries()) {
      expect(Math.abs(Number(text) - (utm[axis] ?? 0) - (place[axis] ?? 0))).toBeLessThan(0.51e-4);
    }
  }
});

it('takes what is typed, and shows it again', () => {
  const typed = { xM: 500_001.2345, yM: 5_400_002.137, zM: 300.1 };
  const placed = placedInScene(utm, typed);
  expect(placed).toEqual({ xM: 1.2345, yM: 2.137, zM: 0.1 });
  const { xM, yM, zM } = placedInWorld(utm, placed);
  expect([xM, yM, zM].map(numberText)).toEqual(['500001.2345', '5400002.137', '300.1']);
  expect(placedInScene(utm, { yM: 5_399_999.5, yawDeg: 90 })).toEqual({ yM: -0.5, yawDeg: 90 });
  expect(placedInScene(zero, typed)).toEqual(typed);
});

it('names the edges of a map in the world', () => {
  const map = { cells: 640, cellM: 0.1, originM: [-32.3, 8] as [number, number] };
  expect(mapEdges(utm, map)).toEqual(['x 499967.7 … 500031.7 m', 'y 5400008 … 5400072 m']);
  expect(mapEdges(zero, map)).toEqual(['x -32.3 … 31.7 m', 'y 8 … 72 m']);
});

it('has grid lines at round numbers of the world', () => {
  const { stepM, xM, yM } = gridLines([499_980.7, 5_399_979.3], [500_020.1, 5_400_021]);
  expect(stepM).toBe(5);
  expect(xM[0]).toBe(499_980);
  expect(yM.at(-1)).toBe(5_400_025);
  for (const m of [...xM, ...yM]) expect(m % 5).toBe(0);
});
