// The result of importing a foreign file: a part of a scenario in world coordinates (metres, z up), the files that lie
// beside it, and an account of what came over. Parts of several files make one scenario (importedDocument.ts).
import type { ImportCount } from '#contract/host/importMethods.ts';
import type { SceneInput } from '#contract/documents/scene.ts';
import type { SurveyInput } from '#contract/documents/survey.ts';

/** A sensor of the scenario on its platform. */
export interface ImportedSensor {
  name: string;
  sensor: string;
  mount: { positionM: [number, number, number] };
}

/** A file beside the scenario, by its name there: no folder above it. */
export interface ImportedFile {
  name: string;
  content: string | Uint8Array;
}

export interface ImportedScene {
  materials: SceneInput['materials'];
  models: NonNullable<SceneInput['models']>;
  instances: NonNullable<SceneInput['instances']>;
  scatters: NonNullable<SceneInput['scatters']>;
  /** null: the file has none. */
  ground: SceneInput['ground'] | null;
  /** Whether a level ground is added below the instances where no file has a ground. */
  needsGround: boolean;
  /** EPSG:n or WKT; null: the file does not say. */
  crs: string | null;
  files: ImportedFile[];
  sensors: ImportedSensor[];
  /** In world coordinates; null: the file has none. */
  survey: SurveyInput | null;
  /** Counts of imported parts, and of ignored ones with the reason. */
  imported: ImportCount[];
  ignored: ImportCount[];
  notes: string[];
}

/** Letters of a scenario's text at most, below the 16 MB of a document (`readText` of services/ports/files.ts). */
export const maxLetters = 15_000_000;
/** Objects of a scenario at most: the shortest line of one has 50 letters. */
const maxObjects = maxLetters / 50;

/** The problem with so many objects; null: none. Importers ask before they make any. */
export function countProblem(objects: number): string | null {
  if (objects <= maxObjects) return null;
  return `expected at most ${maxObjects} objects, found ${objects}`;
}

/** A part with nothing in it. */
export function emptyScene(): ImportedScene {
  return {
    materials: {},
    models: {},
    instances: [],
    scatters: [],
    ground: null,
    needsGround: false,
    crs: null,
    files: [],
    sensors: [],
    survey: null,
    imported: [],
    ignored: [],
    notes: [],
  };
}

/** Counts by what was counted, in the order of first mention. */
export interface Tally {
  add(what: string, count?: number): void;
  counts(): ImportCount[];
}

export function createTally(): Tally {
  const counts = new Map<string, number>();
  return {
    add: (what, count = 1) => {
      if (count > 0) counts.set(what, (counts.get(what) ?? 0) + count);
    },
    counts: () => [...counts].map(([what, count]) => ({ what, count })),
  };
}

/** A name for files, objects and materials: letters, digits, dot, underscore, hyphen; never empty, 60 letters at most. */
export function slugOf(text: string, fallback: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '');
  const name = plain.replace(/[^a-z0-9._-]+/gi, '-').replace(/^[-._]+|-+$/g, '');
  return name === '' ? fallback : name.slice(0, 60);
}

/** Gives each name once: the second 'oak' is 'oak-2'. */
export function createNames(): (wanted: string) => string {
  const last = new Map<string, number>();
  const taken = new Set<string>();
  return (wanted) => {
    let name = wanted;
    for (let n = (last.get(wanted) ?? 1) + 1; taken.has(name); n += 1) {
      name = `${wanted}-${n}`;
      last.set(wanted, n);
    }
    taken.add(name);
    return name;
  };
}

/** A number of metres or degrees without the digits that rounding errors leave. */
export function tidy(value: number, digits = 4): number {
  const rounded = Number(value.toFixed(digits));
  return rounded === 0 ? 0 : rounded;
}
