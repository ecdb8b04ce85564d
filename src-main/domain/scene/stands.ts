// Stands become models and instances of the recipe: a limited number of individuals of each species is grown, and each
// tree is the nearest of them, scaled as a whole to its height. PHYSICS.md, 2.12.
import { formatPath, type Problem } from '#contract/documents/problems.ts';
import { distanceProblem } from '#contract/documents/scenarioPlaces.ts';
import type { SceneDocument } from '#contract/documents/scene.ts';
import type { Species } from '#contract/documents/species.ts';
import type { TreeStand } from '#contract/documents/stand.ts';
import { originOf, type OriginM } from '#contract/worldOrigin.ts';
import { power } from '#domain/shared/numbers.ts';
import { purposes, uniforms } from '#domain/random/philox.ts';
import { individualMaterials, individualPlant, leafShareIn, type Sizes } from './individual.ts';
import { addDeadWood } from './deadWood.ts';
import { addLitter } from './litter.ts';
import {
  drawnTrees,
  listedTrees,
  type ListedTree,
  type StandContext,
  type StandTree,
} from './standTrees.ts';
import type { PlacedPlant, StandTarget, TiledStand } from './standTarget.ts';
import { createTrunkGrid } from './trunkGrid.ts';

/** The files of stands, read. */
export interface StandFiles {
  /** By its id or file. */
  species: ReadonlyMap<string, Species>;
  /** Trees of the stands of kind 'list', by the path of the stand. */
  lists: ReadonlyMap<string, readonly ListedTree[]>;
}

/** The id or file of each species that a stand names. */
export function speciesNamesOf(
  stand: TreeStand,
  list: readonly ListedTree[] = [],
): Map<string, string> {
  const names =
    stand.kind === 'distribution'
      ? Object.keys(stand.mixture)
      : (stand.kind === 'trees' ? stand.trees : list).map(({ species }) => species);
  return new Map([...new Set(names)].map((name) => [name, stand.species[name] ?? name]));
}

/** Whether the seed of the scenario draws any of these stands, landscapes or terrains: one that has none of its own. */
export function areDrawnBySeed(parts: readonly { seed?: number | undefined }[] = []): boolean {
  return parts.some(({ seed }) => seed === undefined);
}

/** Builds every stand of a scene, which is relative to its origin. */
export function addStands(
  scene: SceneDocument,
  files: StandFiles,
  sceneSeed: number,
  target: StandTarget,
): Problem[] {
  const trunks = [createTrunkGrid()];
  return (scene.stands ?? []).flatMap((stand, index) => {
    const at = ['scene', 'stands', index];
    return addTiledStand(
      { stand, at, stream: index, seed: stand.seed ?? sceneSeed, trunks },
      originOf(scene),
      files,
      target,
    );
  });
}

/** `originM`: of trees from files, which are in the world. */
export function addTiledStand(
  tiled: TiledStand,
  originM: OriginM,
  files: StandFiles,
  target: StandTarget,
): Problem[] {
  const { stand, at, stream, seed, trunks } = tiled;
  if (stand.kind === 'dead-wood') return addDeadWood({ ...tiled, stand }, target);
  if (stand.kind === 'litter') return addLitter({ ...tiled, stand }, target);
  const list = files.lists.get(formatPath(at)) ?? [];
  const species = new Map(
    [...speciesNamesOf(stand, list)].flatMap(([name, asked]) => {
      const found = files.species.get(asked);
      return found === undefined ? [] : [[name, found] as const];
    }),
  );
  const problems: Problem[] = [];
  const trees = trunks.flatMap((ofTile, tile) => {
    if (problems.length > 0) return [];
    const context = { at, stream: stream + tile, seed, species, trunks: ofTile };
    return treesOf(stand, list, originM, context, problems).map((tree) => ({ ...tree, tile }));
  });
  if (stand.kind === 'list') problems.push(...farProblems(originM, list));
  if (problems.length === 0) addStand(stand, stream, seed, species, trees, target);
  return problems;
}

function treesOf(
  stand: TreeStand,
  list: readonly ListedTree[],
  originM: OriginM,
  context: StandContext,
  problems: Problem[],
): StandTree[] {
  if (stand.kind === 'distribution') return drawnTrees(stand, context, problems);
  if (stand.kind === 'list') return listedTrees(list, originM, context, problems);
  const rows = stand.trees.map((tree, n) => {
    return { ...tree, path: formatPath([...context.at, 'trees', n]) };
  });
  return listedTrees(rows, [0, 0], context, problems);
}

function farProblems(originM: OriginM, list: readonly ListedTree[]): Problem[] {
  for (const { positionM, path, line } of list) {
    const message = distanceProblem(originM, positionM);
    if (message !== null) return [{ path, code: 'too-far', message: `line ${line}: ${message}` }];
  }
  return [];
}

function addStand(
  stand: TreeStand,
  stream: number,
  seed: number,
  species: ReadonlyMap<string, Species>,
  trees: readonly (StandTree & { tile: number })[],
  target: StandTarget,
): void {
  const individuals = new Map(
    [...species.keys()].map((name) => [name, individualsOf(name, stand, trees)]),
  );
  const chosen = trees.map((tree, n) => {
    const [ofShape, ofYaw] = uniforms(seed, purposes.standTurns, stream, n);
    const shape = Math.floor(ofShape * stand.individuals.perSize);
    const individual = nearest(individuals.get(tree.species) ?? [], tree.sizes, shape);
    return { tree, individual, yawDeg: 360 * ofYaw };
  });
  const used = new Set(chosen.map(({ individual }) => individual));
  const models = new Map<Individual, number>();
  for (const [name, kind] of species) {
    const materials = materialsOf(kind, stand, target);
    const solid = kind.size.kind === 'naslund' ? 'wood' : 'none';
    for (const one of (individuals.get(name) ?? []).filter((each) => used.has(each))) {
      const id = `${kind.id}-${one.number + 1}`;
      const plant = individualPlant(kind, one.sizes, id, stand);
      const [shape] = uniforms(seed, purposes.standShapes, stream, one.number);
      const growth = { plant, seed: Math.floor(shape * 2 ** 32), materials };
      // Why the colon: names of the scene's own models cannot hold one.
      const model = `${stand.name.slice(0, 50)}:${id.slice(-40)}`;
      models.set(one, target.model(model, { kind: 'plant', ...growth }, solid));
    }
  }
  for (const [n, { individual, yawDeg, tree }] of chosen.entries()) {
    const placed = {
      name: `${stand.name}-${n + 1}`,
      class: stand.class,
      model: models.get(individual) ?? -1,
      positionM: [tree.positionM[0], tree.positionM[1], 0],
      yawDeg,
      scale: tree.sizes.heightM / individual.sizes.heightM,
    } satisfies PlacedPlant;
    target.instance(placed, tree.tile);
  }
}

/** A plant that represents trees of about its size. */
interface Individual {
  sizes: Sizes;
  /** Number among those of its species. */
  number: number;
  /** Number among those of its size. */
  shape: number;
}

function individualsOf(
  name: string,
  { individuals: { sizes: count, perSize } }: TreeStand,
  trees: readonly StandTree[],
): Individual[] {
  const own = trees.filter(({ species }) => species === name).map(({ sizes }) => sizes);
  return representatives(own, count).flatMap((sizes, size) =>
    Array.from({ length: perSize }, (_shape, shape) => {
      return { sizes, number: size * perSize + shape, shape };
    }),
  );
}

/** Leaves that stay beyond their season are dead. */
function materialsOf(
  species: Species,
  { season }: TreeStand,
  target: StandTarget,
): Record<string, number> {
  const isDead = leafShareIn(species, season) < 1;
  const leaf = isDead ? 'deadLeaf' : 'leaf';
  return {
    [individualMaterials.leaf]: target.material(
      `${species.id}:${isDead ? 'dead-leaf' : 'leaf'}`,
      species.materials[leaf],
    ),
    [individualMaterials.bark]: target.material(`${species.id}:bark`, species.materials.bark),
  };
}

/** Sizes of up to `count` of the trees, their heights at even ratios from the lowest to the highest. */
function representatives(sizes: readonly Sizes[], count: number): Sizes[] {
  const byHeight = [...sizes].sort((a, b) => a.heightM - b.heightM || a.diameterM - b.diameterM);
  const [lowest, highest] = [byHeight[0], byHeight.at(-1)];
  if (lowest === undefined || highest === undefined || byHeight.length <= count) return byHeight;
  const ratio = highest.heightM / lowest.heightM;
  const wanted = Array.from(
    { length: count },
    (_, n) => lowest.heightM * power(ratio, (n + 0.5) / count),
  );
  const chosen = wanted.map((heightM) =>
    byHeight.reduce((best, one) =>
      Math.abs(one.heightM - heightM) < Math.abs(best.heightM - heightM) ? one : best,
    ),
  );
  return [...new Set(chosen)];
}

/** The individual of a shape whose height, diameter and crown width differ the least, as ratios. */
function nearest(individuals: readonly Individual[], sizes: Sizes, shape: number): Individual {
  const distance = ({ sizes: own }: Individual): number =>
    Math.abs(Math.log(own.heightM / sizes.heightM)) +
    Math.abs(Math.log(own.diameterM / sizes.diameterM)) +
    Math.abs(Math.log(own.crownWidthM / sizes.crownWidthM));
  const [first, ...others] = individuals.filter((one) => one.shape === shape);
  if (first === undefined) throw new Error('a stand without individuals');
  return others.reduce((best, one) => (distance(one) < distance(best) ? one : best), first);
}
