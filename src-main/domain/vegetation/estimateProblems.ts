// Requirements of an estimate of leaf area on its scene.
import type { Problem } from '#contract/documents/problems.ts';
import type { Scenario } from '#contract/documents/scenario.ts';
import type { MaterialRecipe, ModelRecipe, SceneRecipe } from '#contract/worker/recipe.ts';
import { volumeClasses } from '#domain/log/simulatedLog.ts';

/** Why the runs of a scenario cannot estimate leaf area: nothing has leaves, or beams would take them for surfaces. */
export function estimateProblems(
  { estimate }: Pick<Scenario, 'estimate'>,
  recipe: SceneRecipe,
): Problem[] {
  if (estimate === undefined) return [];
  const report = (message: string): Problem[] => [{ path: 'estimate', code: 'custom', message }];
  const tiles = (recipe.landscapes ?? []).flatMap((landscape) => landscape.tiles);
  const inTiles = tiles.flatMap(({ plants, scatters }) => [...plants, ...scatters]);
  const withLeaves = [...recipe.instances, ...recipe.scatters, ...inTiles].filter(({ model }) =>
    hasLeaves(recipe.models[model], recipe.materials),
  );
  if (withLeaves.length === 0) {
    return report(
      'expected plants in the scene, or objects of a material with part: leaf, found nothing with leaves whose area is known',
    );
  }
  const volumes = volumeClasses({ recipe });
  if (withLeaves.some((placed) => volumes.has(placed.class))) return [];
  const names = new Set(withLeaves.map((placed) => recipe.classes[placed.class] ?? ''));
  return report(
    `expected a class of plants for what has leaves, such as leaf or tree: returns of ${[...names].join(', ')} count as surfaces`,
  );
}

/** Whether a model may have leaves with triangles (PHYSICS.md, 2.13). */
function hasLeaves(model: ModelRecipe | undefined, materials: readonly MaterialRecipe[]): boolean {
  const source = model?.source;
  if (source === undefined) return false;
  if (source.kind === 'plant') return true;
  const isOfLeaf = (index: number): boolean => {
    const { part, transmittance } = materials[index] ?? {};
    return part === 'leaf' || (part === undefined && transmittance !== undefined);
  };
  if (source.kind !== 'mesh') return isOfLeaf(source.material);
  const isVolume = source.format === 'learned' || source.format === 'voxels';
  return !isVolume && [source.material, ...Object.values(source.materials)].some(isOfLeaf);
}
