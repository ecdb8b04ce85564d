// Which nodes of an octree a view draws, and the order in which they are asked for.
import { PerspectiveCamera } from 'three';
import { describe, expect, it } from 'vitest';
import { octreeOf, chooseNodes, type CloudOctree } from '#renderer/logic/cloud/octree.ts';
import { createNodeLoader } from '#renderer/logic/cloud/nodeLoader.ts';
import { pixelsPerRad, seenPlanes } from '#renderer/viewer/engine/camera/viewSpace.ts';

const edgeM = 128;
const depth = 4;
const nodePoints = 100;

/** All cubes on the floor of 128 m, down to the deepest level, in post-order as files have them. */
function floor(): CloudOctree {
  const cubes: number[][] = [];
  const visit = (level: number, x: number, y: number): void => {
    for (const octant of level < depth ? [0, 1, 2, 3] : []) {
      visit(level + 1, 2 * x + (octant & 1), 2 * y + (octant >> 1));
    }
    cubes.push([level, x, y]);
  };
  visit(0, 0, 0);
  const column = (at: number): Uint32Array => Uint32Array.from(cubes, (cube) => cube[at] ?? 0);
  const nodes = {
    level: Uint8Array.from(column(0)),
    x: column(1),
    y: column(2),
    z: new Uint32Array(cubes.length),
    points: new Uint32Array(cubes.length).fill(nodePoints),
  };
  const head = {
    format: 1 as const,
    key: 'a'.repeat(64),
    points: nodePoints * cubes.length,
    originM: [0, 0, 0] as [number, number, number],
    minM: [0, 0, 0] as [number, number, number],
    edgeM,
    spacingM: edgeM / 128,
    classes: [],
    hasColour: false,
    distances: null,
  };
  return octreeOf(head, nodes);
}

/** From 2 m above a place, along x. */
function viewFrom(xM: number, yM: number) {
  const camera = new PerspectiveCamera(60, 1, 0.1, 1000);
  camera.up.set(0, 0, 1);
  camera.position.set(xM, yM, 2);
  camera.lookAt(xM + 10, yM, 1);
  camera.updateMatrixWorld();
  return {
    eyeM: [xM, yM, 2] as const,
    planes: seenPlanes(camera),
    pixelsPerRad: pixelsPerRad(camera, 800),
    clip: null,
  };
}

const octree = floor();
const { level, x, y } = octree.nodes;
const all = { budgetPoints: 1e9, minSpacingPx: 0 };
const parentOf = (node: number): number =>
  [...level.keys()].find((above) =>
    octree.children.subarray(8 * above, 8 * above + 8).includes(node),
  ) ?? -1;

describe('the nodes of a view', () => {
  it('are children of nodes whose cubes hold theirs', () => {
    expect(octree.root).toBe(level.length - 1);
    for (const node of level.keys()) {
      if (node === octree.root) continue;
      const parent = parentOf(node);
      expect(level[parent]).toBe((level[node] ?? 0) - 1);
      expect([x[parent], y[parent]]).toEqual([(x[node] ?? 0) >> 1, (y[node] ?? 0) >> 1]);
    }
  });

  it('have those above them before them, whatever the budget', () => {
    for (const budgetPoints of [0, 100, 550, 3000, 20_000]) {
      const { nodes, points } = chooseNodes(octree, viewFrom(10, 64), { ...all, budgetPoints });
      expect(points).toBe(nodes.length * nodePoints);
      expect(points).toBeLessThanOrEqual(budgetPoints);
      for (const [at, node] of nodes.entries()) {
        if (node !== octree.root) expect(nodes.indexOf(parentOf(node))).toBeLessThan(at);
        else expect(at).toBe(0);
      }
    }
  });

  it('of a larger budget include those of a smaller one: points are only added', () => {
    const few = chooseNodes(octree, viewFrom(10, 64), { ...all, budgetPoints: 2000 });
    const many = chooseNodes(octree, viewFrom(10, 64), { ...all, budgetPoints: 9000 });
    expect(many.nodes.slice(0, few.nodes.length)).toEqual(few.nodes);
    expect(few.cutSpacingPx).toBeGreaterThan(many.cutSpacingPx ?? 0);
  });

  it('are finer near the camera, and none are behind it', () => {
    const { nodes } = chooseNodes(octree, viewFrom(64, 64), { ...all, budgetPoints: 2000 });
    const deepest = nodes.filter((node) => level[node] === depth);
    expect(deepest.length).toBeGreaterThan(0);
    for (const node of deepest) {
      const fromM = (x[node] ?? 0) * 8;
      expect(fromM + 8).toBeGreaterThanOrEqual(64);
      expect(fromM).toBeLessThan(64 + 40);
    }
    const whole = chooseNodes(octree, viewFrom(64, 64), all);
    expect(whole.cutSpacingPx).toBeNull();
    expect(whole.nodes.some((node) => level[node] === depth && (x[node] ?? 0) < 7)).toBe(false);
  });

  it('end where points on screen are near enough', () => {
    const view = viewFrom(10, 64);
    const coarse = chooseNodes(octree, view, { ...all, minSpacingPx: 20 });
    const fine = chooseNodes(octree, view, { ...all, minSpacingPx: 5 });
    expect(coarse.nodes.length).toBeLessThan(fine.nodes.length);
    expect(coarse.cutSpacingPx).toBeNull();
  });

  it('are those that the clip box reaches', () => {
    const clip = { centreM: [100, 64, 0] as const, yawRad: 0.5, sizeM: [6, 6, 6] as const };
    const { nodes } = chooseNodes(octree, { ...viewFrom(10, 64), clip: { ...clip } }, all);
    const deepest = nodes.filter((node) => level[node] === depth);
    expect(deepest.length).toBeGreaterThan(0);
    // Half a diagonal of the box of 6 m is 4.3 m.
    for (const node of deepest) {
      expect((x[node] ?? 0) * 8).toBeLessThan(100 + 4.3);
      expect((x[node] ?? 0) * 8 + 8).toBeGreaterThan(100 - 4.3);
    }
  });

  it('are none of a cloud out of sight', () => {
    expect(chooseNodes(octree, viewFrom(500, 64), all).nodes).toEqual([]);
  });
});

describe('the loader of nodes', () => {
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

  function createLoader(fails = false) {
    const calls: { nodes: readonly number[]; end: () => void }[] = [];
    const errors: unknown[] = [];
    const loader = createNodeLoader({
      pointsOf: () => 80_000,
      read: (nodes) =>
        new Promise((resolve, reject) => {
          calls.push({ nodes, end: () => (fails ? reject(new Error('gone')) : resolve()) });
        }),
      onError: (error) => errors.push(error),
    });
    return { loader, calls, errors, asked: () => calls.map(({ nodes }) => nodes) };
  }

  it('asks for the most needed first, a few at a time, and for none twice', async () => {
    const { loader, calls, asked } = createLoader();
    loader.want([5, 4, 3, 2, 1]);
    expect(asked()).toEqual([
      [5, 4],
      [3, 2],
    ]);
    loader.want([5, 4, 3, 2, 1]);
    expect(calls.length).toBe(2);
    calls[0]?.end();
    await settled();
    expect(asked()[2]).toEqual([1]);
  });

  it('leaves out what the last call does not want', async () => {
    const { loader, calls, asked } = createLoader();
    loader.want([9, 8, 7, 6, 5, 4]);
    loader.want([1, 4]);
    calls[0]?.end();
    await settled();
    expect(asked()[2]).toEqual([1, 4]);
  });

  it('ends with the first failure', async () => {
    const { loader, calls, errors } = createLoader(true);
    loader.want([9, 8, 7, 6, 5, 4]);
    calls[0]?.end();
    calls[1]?.end();
    await settled();
    expect([errors.length, calls.length]).toEqual([1, 2]);
    loader.want([1]);
    expect(calls.length).toBe(2);
  });
});
