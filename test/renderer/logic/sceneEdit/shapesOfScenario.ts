// Scenarios with every shape on the ground, and edits of them.
import { expect } from 'vitest';
import { editDocument, documentData } from '#domain/scenario/editDocument.ts';
import {
  groundShapes,
  type GroundShape,
  type PlaceM,
} from '#renderer/logic/sceneEdit/groundShapes.ts';
import { shapeEdits, type ShapeChange } from '#renderer/logic/sceneEdit/shapeEdits.ts';
import type { DocumentEdit } from '#contract/host/documentMethods.ts';

export const text = `understory: 2
name: shapes
scene:
  origin: [1000, 2000, 0]
  materials:
    soil: { reflectance: 0.3 } # dry
  models:
    cube: { kind: box, sizeM: [1, 1, 1], material: soil }
  ground:
    kind: terrain
    sizeM: [200, 100]
    centreM: [1000, 2000]
    material: soil
    roads:
      - pointsM: [[950, 2000], [1050, 2000]] # east
  walls:
    - { name: wall, fromM: [1000, 2010], toM: [1004, 2010], heightM: 2, thicknessM: 0.2, material: soil } # old
  instances:
    - { name: one, model: cube, positionM: [1001, 2002, 0.5] }
    - { name: high, model: cube, positionM: [1001, 2002, 7], onGround: false }
    - { name: carried, model: cube, positionM: [0, 0, 0], motion: way }
  scatters:
    - name: many
      model: cube
      count: 3
      # the yard
      areaM: [[1000, 2000], [1010, 2000], [1010, 2004]] # m
      keepClear:
        - { centreM: [1002, 2001], radiusM: 3 } # the well
  stands:
    - kind: trees
      name: wood
      trees:
        - { species: norway-spruce, positionM: [1020, 2000], heightM: 12 }
  motions:
    way: { kind: path, pointsM: [[1000, 2000, 5], [1010, 2000, 5]], speedMPerS: 1, closed: true }
    keys: { kind: keyframes, keyframes: [{ timeS: 0, positionM: [1000, 2000, 0] }, { timeS: 1, positionM: [1001, 2000, 0] }] }
    spin: { kind: rotating, pivotM: [1000, 2000, 1], rateDegPerS: 10 }
mission: { startM: [990, 2000], goalM: [1010, 2000] } # there
survey:
  kind: positions
  above: zero
  positions:
    - { positionM: [1000, 2000, 3], headStepDeg: 1 }
    - { name: north, positionM: [1000, 2010, 3] }
sensors: []
estimate: { voxelM: 1, boxM: [[1000, 2000, 0], [1010, 2004, 8]] } # plot
`;
export const forest = `understory: 2
name: forest
scene:
  origin: [1000, 2000, 0]
  materials:
    soil: { reflectance: 0.3 }
  models:
    cube: { kind: box, sizeM: [1, 1, 1], material: soil }
  landscapes:
    - name: forest
      areaM: [[1000, 2100], [1200, 2100], [1150, 2300]] # far
      sideM: 50 # metres
      stands:
        - kind: trees
          name: oaks
          trees:
            - { species: norway-spruce, positionM: [10, 20], heightM: 12 }
      scatters:
        - name: fern
          model: cube
          count: 3
          areaM: [[0, 0], [50, 0], [50, 20]] # below
`;
export const data = documentData(text);
export const all = groundShapes(data, () => true);
export const shapeAt = (key: string): GroundShape => {
  const found = all.find((one) => one.key === key);
  if (found === undefined) throw new Error(`no shape ${key}`);
  return found;
};
/** Rises by 10 % to the east. */
export const slope = ([x]: PlaceM): number => 0.1 * x;
/** The text after a change of a shape, read back whole. */
export function changed(key: string, change: ShapeChange): string {
  return applied(shapeEdits(data, shapeAt(key), change, slope));
}
export function applied(edits: DocumentEdit[]): string {
  const result = editDocument(text, edits);
  expect(result.problems).toEqual([]);
  return result.text;
}
