// The species that come with Understory, grown by the real worker in several sizes: height, diameter, crown base, crown
// width and leaf area as asked for within 2 %, leaf angles of their law.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Species } from '#contract/documents/species.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { leafAngleLaws } from '#domain/metrics/leafAngles.ts';
import { ksDistance } from '#domain/metrics/distribution.ts';
import { parseSpecies } from '#domain/scenario/documentText.ts';
import { individualPlant, leafAreaM2, sizesOf, type Sizes } from '#domain/scene/individual.ts';
import { materialRecipe } from '#domain/scene/optics.ts';
import { startWorker } from '#test/support/worker.ts';

const worker = await startWorker({ threads: 1 });
const [leaf, bark] = [0, 1];
const tolerance = 0.02;

const samples = readdirSync(join(assetsFolder, 'species')).map((name) => {
  const { value } = parseSpecies(readFileSync(join(assetsFolder, 'species', name), 'utf8'));
  if (value === null) throw new Error(`${name} has problems`);
  return value;
});

/** Small, middle and large individuals of a species. */
function sizesIn(species: Species): Sizes[] {
  const { size } = species;
  const stated =
    size.kind === 'heights'
      ? [size.heightM[0], (size.heightM[0] + size.heightM[1]) / 2, size.heightM[1]].map(
          (heightM) => ({ heightM }),
        )
      : [0.08, 0.22, 0.45].map((diameterM) => ({ diameterM }));
  return stated.map((one) => {
    const sizes = sizesOf(species, one);
    if (typeof sizes === 'string') throw new Error(sizes);
    return sizes;
  });
}

interface Mesh {
  position: Float32Array;
  index: Uint32Array;
  material: Uint16Array;
}

async function grown(species: Species, sizes: Sizes, seed: number) {
  const plant = individualPlant(species, sizes, 'one', { season: 'summer', leafScale: 1 });
  const { leaf: leafOptics, bark: barkOptics } = species.materials;
  const recipe: SceneRecipe = {
    seed: 1,
    materials: [materialRecipe('leaf', leafOptics), materialRecipe('bark', barkOptics)],
    classes: ['tree'],
    models: [
      {
        name: 'one',
        solid: 'none',
        source: { kind: 'plant', plant, seed, materials: { leaf, bark } },
      },
    ],
    instances: [
      {
        id: 1,
        name: 'one',
        class: 0,
        model: 0,
        positionM: [0, 0, 0],
        onGround: true,
        rotation: [0, 0, 0, 1],
        scale: 1,
      },
    ],
    scatters: [],
    ground: -1,
  };
  const request = { recipe, memoryLimitBytes: 2e9 };
  const { body } = await worker.call('scene.build', request, { heights: new Float32Array() });
  const [model] = body.models;
  if (!model?.foliage) throw new Error('no foliage');
  const reply = await worker.call('scene.mesh', { model: 0, maxTriangles: 10_000_000 }, {});
  expect(reply.body.isWhole).toBe(true);
  return { plant, model, foliage: model.foliage, mesh: reply.columns as unknown as Mesh };
}

/** Diameter of a circle of the area that a level plane cuts out of the wood near the axis, by Green's theorem. */
function diameterAtM({ position, index, material }: Mesh, zM: number, withinM: number): number {
  let twiceM2 = 0;
  const cornerAt = (n: number): number[] => [...position.subarray(3 * n, 3 * n + 3)];
  for (let triangle = 0; triangle < material.length; triangle += 1) {
    if (material[triangle] !== bark) continue;
    const corners = [...index.subarray(3 * triangle, 3 * triangle + 3)].map(cornerAt);
    const cut: number[][] = [];
    let isRising = false;
    for (const [n, a] of corners.entries()) {
      const b = corners[(n + 1) % 3] ?? a;
      const [za, zb] = [a[2] ?? 0, b[2] ?? 0];
      if (za < zM === zb < zM) continue;
      const share = (zM - za) / (zb - za);
      if (cut.length === 0) isRising = za < zM;
      cut.push(a.map((value, axis) => value + ((b[axis] ?? 0) - value) * share));
    }
    const [[ax = 0, ay = 0] = [], [bx = 0, by = 0] = []] = cut;
    if (cut.length !== 2 || Math.hypot(ax, ay) > withinM) continue;
    twiceM2 += (isRising ? -1 : 1) * (ax * by - bx * ay);
  }
  return 2 * Math.sqrt(Math.abs(twiceM2) / (2 * Math.PI));
}

/** Angles between normal and vertical, one a leaf. */
function leafAngles({ position, index, material }: Mesh, perLeaf: number): number[] {
  const angles: number[] = [];
  let ofLeaf = 0;
  for (let triangle = 0; triangle < material.length; triangle += 1) {
    if (material[triangle] !== leaf) continue;
    ofLeaf += 1;
    if (ofLeaf % perLeaf !== 0) continue;
    const at = (corner: number, axis: number): number =>
      position[3 * (index[3 * triangle + corner] ?? 0) + axis] ?? 0;
    const [ux = 0, uy = 0, uz = 0] = [0, 1, 2].map((axis) => at(1, axis) - at(0, axis));
    const [vx = 0, vy = 0, vz = 0] = [0, 1, 2].map((axis) => at(2, axis) - at(0, axis));
    const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    angles.push(Math.acos(Math.min(1, Math.abs(normal[2] ?? 0) / Math.hypot(...normal))));
  }
  return angles;
}

describe.each(samples)('$name', (species) => {
  it.each(sizesIn(species).map((sizes, n) => [sizes, n + 1] as const))(
    'is as asked for: %o',
    async (sizes, seed) => {
      const { plant, model, foliage, mesh } = await grown(species, sizes, seed);
      const widthM = 2 * Math.sqrt(foliage.crownAreaM2 / Math.PI);
      // A single stem, which alone the plane cuts near the axis.
      const diameterM =
        species.stems.count > 1
          ? sizes.diameterM
          : diameterAtM(mesh, plant.diameterAtM, 3 * sizes.diameterM);
      const measured = [
        model.maxM[2] / sizes.heightM,
        diameterM / sizes.diameterM,
        (foliage.layers[0]?.fromM ?? 0) / sizes.crownBaseM,
        widthM / sizes.crownWidthM,
        foliage.leafAreaM2 / leafAreaM2(species, sizes),
      ];
      for (const ratio of measured) expect(Math.abs(ratio - 1)).toBeLessThan(tolerance);
    },
  );

  it('has the leaf angles of its law, and of no other', async () => {
    const [, , large] = sizesIn(species);
    if (large === undefined) throw new Error('no sizes');
    const angles: number[] = [];
    for (let seed = 1; angles.length < 1500; seed += 1) {
      const { mesh } = await grown(species, large, seed);
      for (const angle of leafAngles(mesh, species.leaves.triangles)) angles.push(angle);
    }
    // Kolmogorov: a sample of the law itself is farther once in a hundred.
    const farthest = 1.63 / Math.sqrt(angles.length);
    for (const { name, cumulative } of leafAngleLaws) {
      const isFar = ksDistance(angles, cumulative) > farthest;
      expect(isFar, name).toBe(name !== species.leaves.angles);
    }
  });
});
