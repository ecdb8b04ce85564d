// The account of an imported scene: what all importers of meshes count and say alike.
import type { ImportedScene, Tally } from './importedScene.ts';

/** Counts objects, scatters where there are any, models and materials; states that reflectances are assumed. */
export function finishScene(scene: ImportedScene, ignored: Tally): void {
  const { instances, scatters, models, materials } = scene;
  const used = Object.keys(materials).length;
  scene.imported.push(
    { what: 'objects', count: instances.length },
    ...(scatters.length > 0 ? [{ what: 'scatters', count: scatters.length }] : []),
    { what: 'meshes (models)', count: Object.keys(models).length },
    { what: 'materials', count: used },
  );
  scene.notes.push(
    `reflectances of ${used} materials are assumed from their names: see scene.materials`,
  );
  scene.ignored = ignored.counts();
}
