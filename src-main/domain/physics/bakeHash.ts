// The hash of baked physics, of what decides the poses of bodies: geometry, places and motions, and nothing that only beams see.
import { leafDiscsOf, terrainsOf, type SceneDocument } from '#contract/documents/scene.ts';
import type { ModelSource, SceneRecipe } from '#contract/worker/recipe.ts';
import { areDrawnBySeed } from '#domain/scene/stands.ts';
import { canonicalJson } from '#domain/scenario/canonicalJson.ts';

/** Hashes of files by their names in the recipe, and of the heights of the ground. */
export interface ContentHashes {
  meshes: Readonly<Record<string, string>>;
  heights: string;
}

/**
 * The text whose SHA-256 is the hash of a bake.
 * @param recipe with bodies where they begin
 */
export function bakeHashInput(
  { motions = {}, physics }: Pick<SceneDocument, 'motions' | 'physics'>,
  recipe: SceneRecipe,
  { meshes, heights }: ContentHashes,
): string {
  const bodies = Object.entries(motions).filter(([, { kind }]) => kind === 'baked');
  return canonicalJson({
    physics: { ...physics, file: undefined },
    bodies: Object.fromEntries(bodies),
    motions: recipe.motions,
    models: recipe.models.map(({ solid, source }) => ({ solid, ...geometryOf(source, meshes) })),
    instances: recipe.instances.map((instance) => ({ ...instance, class: undefined })),
    scatters: recipe.scatters.map((scatter) => ({ ...scatter, class: undefined })),
    // Why only there: what stands draw is among models and instances.
    seed: recipe.scatters.length > 0 ? recipe.seed : undefined,
    ground: recipe.ground,
    heights,
  });
}

/** The seed places scattered instances, the plants and logs of stands, leaves and a terrain, and decides no other pose of bodies. */
export function bakeDependsOnSeed(
  scene: Pick<SceneDocument, 'scatters' | 'stands' | 'ground' | 'models'>,
): boolean {
  const { scatters, stands = [] } = scene;
  const drawn = [...terrainsOf(scene), ...leafDiscsOf(scene), ...stands];
  return scatters.length > 0 || areDrawnBySeed(drawn);
}

function geometryOf(source: ModelSource, meshes: ContentHashes['meshes']): object {
  const file = source.kind === 'mesh' ? meshes[source.file] : undefined;
  const optics = { material: undefined, materials: undefined };
  return { ...source, file, ...optics, textures: undefined, alphaThreshold: undefined };
}
