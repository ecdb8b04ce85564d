// The parts of a scenario that are edited, a row each. Outline, forms, headers and the menu of new parts take from here
// where a part is in the document, and what can be done with it.
import type { DocumentPath } from '#renderer/logic/forms/jsonSchema.ts';

interface ScenePart {
  /** Path of the part; of entries that of their list or mapping. */
  place: readonly string[];
  /** A part for each entry: by index, with its name in it, or by name. Left out: there is one part. */
  entries?: 'list' | 'mapping';
  title?: string;
  /** A scenario can be without it. */
  isOptional?: boolean;
}

export const sceneParts = {
  scenario: { place: [] },
  ground: { place: ['scene', 'ground'], title: 'Ground' },
  atmosphere: { place: ['scene', 'atmosphere'], title: 'Atmosphere', isOptional: true },
  weather: { place: ['scene', 'weather'], title: 'Weather', isOptional: true },
  wind: { place: ['scene', 'wind'], title: 'Wind', isOptional: true },
  mission: { place: ['mission'], title: 'Mission', isOptional: true },
  survey: { place: ['survey'], title: 'Survey', isOptional: true },
  vehicle: { place: ['vehicle'], title: 'Vehicle' },
  navigation: { place: ['navigation'], title: 'Navigation' },
  estimate: { place: ['estimate'], title: 'Leaf area estimate', isOptional: true },
  instance: { place: ['scene', 'instances'], entries: 'list' },
  scatter: { place: ['scene', 'scatters'], entries: 'list' },
  stand: { place: ['scene', 'stands'], entries: 'list' },
  landscape: { place: ['scene', 'landscapes'], entries: 'list' },
  wall: { place: ['scene', 'walls'], entries: 'list' },
  model: { place: ['scene', 'models'], entries: 'mapping' },
  material: { place: ['scene', 'materials'], entries: 'mapping' },
  motion: { place: ['scene', 'motions'], entries: 'mapping' },
  sensor: { place: ['sensors'], entries: 'list' },
} as const satisfies Record<string, ScenePart>;

/** Kind of the part at a path. */
export type PartKind = keyof typeof sceneParts;

// Why the cast: Object.keys loses the names.
export const partKinds = Object.keys(sceneParts) as PartKind[];

export function partOf(kind: PartKind): ScenePart {
  return sceneParts[kind];
}

/** The part that a path of the document leads to, and the path of that part; null: nothing that is listed. */
export function partAt(path: DocumentPath): { kind: PartKind; path: DocumentPath } | null {
  const [first, second] = path;
  const isOfDocument =
    first !== 'scene' ||
    second === undefined ||
    ['mirrorDepth', 'physics'].includes(String(second));
  for (const kind of partKinds) {
    const { place, entries } = partOf(kind);
    const length = place.length + (entries === undefined ? 0 : 1);
    const isIn = path.length >= length && place.every((key, at) => path[at] === key);
    if (place.length > 0 && isIn) return { kind, path: path.slice(0, length) };
  }
  return isOfDocument ? { kind: 'scenario', path: [] } : null;
}
