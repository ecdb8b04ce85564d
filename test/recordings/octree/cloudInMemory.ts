// Clouds for octrees, in memory.
import { createRecords, setRecord } from '#recordings/octree/pointRecords.ts';
import type { CloudPoints } from '#recordings/octree/buildOctree.ts';
import type { OpenOctree } from '#recordings/octree/octreeReader.ts';
import { randomNumbers } from '#test/services/learning/beamsOfSite.ts';

export type PlaceM = readonly [number, number, number];

export const testKey = 'a'.repeat(64);

/** A source of the points, in blocks of `blockRows`; intensity is the number of a point, class that modulo 7. */
export function cloudOf(placesM: readonly PlaceM[], blockRows = 1000): CloudPoints {
  return {
    file: 'memory',
    key: testKey,
    originM: [500_000, 4_000_000, 300],
    classes: ['none', 'leaf'],
    maxPoints: placesM.length,
    async *blocks() {
      for (let from = 0; from < placesM.length; from += blockRows) {
        const rows = Math.min(blockRows, placesM.length - from);
        const points = createRecords(rows);
        for (let row = 0; row < rows; row += 1) {
          const order = from + row;
          const [xM, yM, zM] = placesM[order] ?? [0, 0, 0];
          const values = { intensity: order, classId: order % 7, rgb: 0, order };
          setRecord(points, row, { xM, yM, zM, ...values });
        }
        yield await Promise.resolve({ points, rows });
      }
    },
  };
}

/** Points on rough ground of 60 m, a dense trunk at its middle, and a few far away. */
export function forest(points: number): PlaceM[] {
  const random = randomNumbers(7);
  return Array.from({ length: points }, (_, index) => {
    if (index % 1000 === 999) return [900 * random(), 900 * random(), 40 * random()];
    if (index % 3 === 0) return [30 + 0.2 * random(), 30 + 0.2 * random(), 5 * random()];
    return [60 * random(), 60 * random(), 0.3 * random()];
  });
}

/** All points of an octree by their number. */
export async function pointsOf(
  octree: OpenOctree,
): Promise<Map<number, { node: number; placeM: PlaceM; classId: number }>> {
  const found = new Map<number, { node: number; placeM: PlaceM; classId: number }>();
  for (const [node, count] of octree.nodes.points.entries()) {
    const { position, intensity, class_id: classIds } = await octree.points(node);
    for (let row = 0; row < count; row += 1) {
      const order = intensity[row] ?? NaN;
      if (found.has(order)) throw new Error(`point ${order} is in two nodes`);
      const placeM = [0, 1, 2].map((axis) => position[3 * row + axis] ?? NaN) as unknown as PlaceM;
      found.set(order, { node, placeM, classId: classIds[row] ?? NaN });
    }
  }
  return found;
}
