// The octree of a cloud: each point once, samples with the spacing that the format states, the same bytes however the
// cloud is divided, and the refusal of files that are not whole.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildOctree, type OctreeOptions } from '#recordings/octree/buildOctree.ts';
import { openOctree, type OpenOctree } from '#recordings/octree/octreeReader.ts';
import { afterwards } from '#test/support/afterwards.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { cloudOf, forest, pointsOf, testKey, type PlaceM } from './cloudInMemory.ts';

const small = { chunkPoints: 4000, leafPoints: 300 };
/** Files of octrees, in folders with nothing else. */
async function build(
  placesM: readonly PlaceM[],
  options: OctreeOptions = {},
  blockRows?: number,
): Promise<string> {
  const folder = temporaryFolder();
  const file = join(folder, 'a.octree');
  let spills = 0;
  await buildOctree(cloudOf(placesM, blockRows), file, () => `${file}-${(spills += 1)}`, options);
  expect(readdirSync(folder)).toEqual(['a.octree']);
  return file;
}

async function opened(file: string): Promise<OpenOctree> {
  const octree = await openOctree(file);
  afterwards(() => octree.close());
  return octree;
}

/** The cube of a node. */
function cubeOf({ head, nodes }: OpenOctree, node: number) {
  const edgeM = head.edgeM / 2 ** (nodes.level[node] ?? 0);
  const minM = [nodes.x, nodes.y, nodes.z].map(
    (column, axis) => (head.minM[axis] ?? 0) + (column[node] ?? 0) * edgeM,
  );
  return { edgeM, minM };
}

describe('an octree', () => {
  const placesM = forest(60_000);

  it('has each point once, with its values, in the cube of its node', async () => {
    const octree = await opened(await build(placesM, small));
    const points = await pointsOf(octree);
    expect(points.size).toBe(placesM.length);
    const toleranceM = octree.head.edgeM * 2 ** -30;
    for (const [order, { node, placeM, classId }] of points) {
      expect(placeM).toEqual(placesM[order]?.map(Math.fround));
      expect(classId).toBe(order % 7);
      const { edgeM, minM } = cubeOf(octree, node);
      for (const [axis, m] of placeM.entries()) {
        expect(m).toBeGreaterThanOrEqual((minM[axis] ?? 0) - toleranceM);
        expect(m).toBeLessThanOrEqual((minM[axis] ?? 0) + edgeM + toleranceM);
      }
    }
    expect(octree.head).toMatchObject({ key: testKey, points: 60_000, classes: ['none', 'leaf'] });
    expect(octree.head.spacingM).toBe(octree.head.edgeM / 128);
  });

  it('has nodes above each node, which sample all that is below: a point in each cell that has any', async () => {
    const octree = await opened(await build(placesM, small));
    const points = await pointsOf(octree);
    const { level, x, y, z } = octree.nodes;
    const nameOf = (l: number, [i, j, k]: readonly number[]): string => [l, i, j, k].join();
    const nodes = new Map(
      [...level].map((l, node) => [
        nameOf(
          l,
          [x, y, z].map((c) => c[node] ?? 0),
        ),
        node,
      ]),
    );
    expect(nodes.size).toBe(level.length);
    expect(Math.max(...level)).toBeGreaterThan(7);
    for (const [node, l] of level.entries()) {
      const above = [x, y, z].map((c) => Math.floor((c[node] ?? 0) / 2));
      if (l > 0) expect(nodes.has(nameOf(l - 1, above))).toBe(true);
    }
    // By cell of 1/128 of a node's cube: of those with points the lowest level that has one.
    const cellsOf = (placeM: PlaceM, l: number): string =>
      placeM
        .map((m, axis) => {
          const share = (m - (octree.head.minM[axis] ?? 0)) / octree.head.edgeM;
          return Math.min(2 ** (l + 7) - 1, Math.floor(share * 2 ** (l + 7)));
        })
        .join();
    const isInner = (node: number): boolean => {
      const l = level[node] ?? 0;
      return [0, 1, 2, 3, 4, 5, 6, 7].some((octant) =>
        nodes.has(
          nameOf(l + 1, [
            2 * (x[node] ?? 0) + (octant & 1),
            2 * (y[node] ?? 0) + ((octant >> 1) & 1),
            2 * (z[node] ?? 0) + (octant >> 2),
          ]),
        ),
      );
    };
    const deepest = Math.max(...level);
    const inner = new Set([...level.keys()].filter(isInner));
    expect(inner.size).toBeGreaterThan(5);
    for (let l = 0; l < deepest; l += 1) {
      const own = new Map<string, number>();
      const below = new Set<string>();
      for (const { node, placeM } of points.values()) {
        const nodeLevel = level[node] ?? 0;
        const cell = cellsOf(placeM, l);
        if (nodeLevel === l && inner.has(node)) own.set(cell, (own.get(cell) ?? 0) + 1);
        if (nodeLevel > l) below.add(cell);
      }
      expect([...own.values()].every((count) => count === 1)).toBe(true);
      expect([...below].filter((cell) => !own.has(cell))).toEqual([]);
    }
  });

  it('has the same bytes however the cloud comes and is divided', async () => {
    const whole = readFileSync(await build(placesM, { leafPoints: 300, chunkPoints: 2 ** 20 }));
    const parts = [
      await build(placesM, { leafPoints: 300, chunkPoints: 300 }, 77),
      await build(placesM, { leafPoints: 300, chunkPoints: 5000 }, 60_000),
    ];
    for (const part of parts) expect(readFileSync(part).equals(whole)).toBe(true);
  });

  it('is divided below the grid where one cell has more points than fit in memory', async () => {
    // One point so far away that all others are in a cell of 8 km.
    const far: PlaceM[] = [...forest(5000), [1e6, 0, 0]];
    const octree = await opened(await build(far, { chunkPoints: 500, leafPoints: 100 }));
    expect((await pointsOf(octree)).size).toBe(5001);
    const whole = readFileSync(await build(far, { leafPoints: 100 }));
    const divided = readFileSync(await build(far, { chunkPoints: 500, leafPoints: 100 }));
    expect(divided.equals(whole)).toBe(true);
  });

  it('holds points at one place, as many as fit in memory', async () => {
    const same = Array.from({ length: 900 }, (): PlaceM => [1, 2, 3]);
    const octree = await opened(await build(same, { chunkPoints: 1000, leafPoints: 10 }));
    expect((await pointsOf(octree)).size).toBe(900);
    await expect(build(same, { chunkPoints: 800, leafPoints: 10 })).rejects.toMatchObject({
      code: 'unsupported',
    });
  });

  it('may have one point, or none', async () => {
    expect((await pointsOf(await opened(await build([[1, 2, 3]])))).size).toBe(1);
    const empty = await opened(await build([]));
    expect(empty.nodes.points.length).toBe(0);
  });

  it('reports progress up to the end', async () => {
    const seen: number[] = [];
    await build(placesM, { ...small, progress: (done, total) => seen.push(done / total) });
    expect(seen.at(-1)).toBe(1);
    expect(seen.every((share, at) => share >= (seen[at - 1] ?? 0))).toBe(true);
  });
});

describe('the file of an octree', () => {
  it('is refused wherever it was cut off', async () => {
    const file = await build(forest(500), { leafPoints: 100 });
    const bytes = readFileSync(file);
    const cut = join(temporaryFolder(), 'cut.octree');
    for (let length = 0; length < bytes.length; length += length > 200 ? 37 : 1) {
      writeFileSync(cut, bytes.subarray(0, length));
      await expect(openOctree(cut)).rejects.toMatchObject({ code: 'corrupt' });
    }
  });

  it('is refused, or its node, where a byte was changed', async () => {
    const file = await build(forest(500), { leafPoints: 100 });
    const bytes = readFileSync(file);
    const changed = join(temporaryFolder(), 'changed.octree');
    for (let at = 0; at < bytes.length; at += 29) {
      const copy = Buffer.from(bytes);
      copy[at] = (copy[at] ?? 0) ^ 0x15;
      writeFileSync(changed, copy);
      await expect(
        openOctree(changed).then(async (octree) => pointsOf(octree).finally(() => octree.close())),
      ).rejects.toMatchObject({ code: 'corrupt' });
    }
  });
});
