// Parts that a scene and the tiles of its landscapes have alike: stands and scatters, with their paths.
import { field, items } from './unknownData.ts';

/** Lists of a scene whose parts share names with its instances: each name is taken once. */
export const namedParts = ['walls', 'instances', 'scatters', 'stands', 'landscapes'] as const;

interface FoundPart<Part> {
  /** Path in the scenario. */
  at: (string | number)[];
  part: Part;
}

/** Those of the scene, then those of each landscape, in data of any kind. */
export function tiledParts(scene: unknown, list: 'stands' | 'scatters'): FoundPart<unknown>[] {
  const found = (parts: unknown, at: (string | number)[]): FoundPart<unknown>[] =>
    items(parts).map((part, index) => ({ at: [...at, index], part }));
  return [
    ...found(field(scene, list), ['scene', list]),
    ...items(field(scene, 'landscapes')).flatMap((landscape, index) =>
      found(field(landscape, list), ['scene', 'landscapes', index, list]),
    ),
  ];
}

/** Stands of a checked scene. */
export function standsOf<Stand>(scene: {
  stands?: readonly Stand[] | undefined;
  landscapes?: readonly { stands: readonly Stand[] }[] | undefined;
}): FoundPart<Stand>[] {
  // Why the cast: the same walk serves documents that are not checked yet.
  return tiledParts(scene, 'stands') as FoundPart<Stand>[];
}
