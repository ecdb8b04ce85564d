// Scenarios of a campaign, compiled: runs that differ in the seed alone are compiled once, unless it draws stands, a
// terrain, leaves or bodies, and documents that several name are parsed once. Guarantee: the result is that of Documents.compile.
import type { Parsed } from '#contract/documents/problems.ts';
import { bodyNames } from '#contract/documents/motion.ts';
import { bakeDependsOnSeed } from '#domain/physics/bakeHash.ts';
import { leafDiscsOf, terrainsOf } from '#contract/documents/scene.ts';
import { areDrawnBySeed } from '#domain/scene/stands.ts';
import { scenarioHashInput } from '#domain/scenario/canonicalJson.ts';
import type { DocumentTypes, TextSource } from '#domain/scenario/textJobs.ts';
import {
  createDocuments,
  type Documents,
  type LoadedScenario,
} from '#services/documents/documents.ts';
import type { Files } from '#services/ports/files.ts';
import { sha256 } from '#services/sha256.ts';

export type CellDocuments = Pick<Documents, 'compile' | 'loadScenario'>;

/** Compiled scenarios that stay in memory: a plan returns to each with every seed. Heights and objects count. */
const maxCells = 64;
const maxCellBytes = 50e6;
/** About, of an object of a recipe. */
const objectBytes = 1000;
/** Texts whose documents stay in memory: those of sensors, plants and scenarios with settings; longer ones do not. */
const maxTexts = 100;
const maxLetters = 30_000;

/** @param files of a snapshot (fileSnapshot.ts): their contents do not change */
export function createCellDocuments(files: Files): CellDocuments {
  const documents = createDocuments({ files: withCachedTexts(files) });
  const cells = new Map<string, Promise<Cell>>();
  const sizes = new Map<string, number>();
  /** Removes the least recently used cells, never `used`, until the others are within the limits. */
  const removeOldest = (used: string): void => {
    for (const key of [...cells.keys()]) {
      const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
      if (cells.size <= maxCells && bytes <= maxCellBytes) return;
      if (key === used) continue;
      cells.delete(key);
      sizes.delete(key);
    }
  };
  return {
    loadScenario: documents.loadScenario,
    async compile(scenario, overrides = {}, requested = null) {
      const { seed } = overrides;
      const others = { ...overrides, seed: seed === undefined, signal: undefined };
      const key = JSON.stringify([scenario, others, requested]);
      let cell = cells.get(key);
      // The last used is the last in order.
      cells.delete(key);
      cell ??= cellOf(documents, scenario, overrides, requested);
      cells.set(key, cell);
      cell.catch(() => cells.delete(key));
      const { loaded, heightsHash } = await cell;
      sizes.set(key, bytesOf(loaded));
      removeOldest(key);
      if (seed === undefined || seed === loaded.compiled.scenario.seed) return loaded;
      if (isOfOneSeed(loaded)) return documents.compile(scenario, overrides, requested);
      return withSeed(files, { loaded, heightsHash }, seed);
    },
  };
}

interface Cell {
  loaded: LoadedScenario;
  heightsHash: string;
}

async function cellOf(
  documents: Documents,
  ...request: Parameters<Documents['compile']>
): Promise<Cell> {
  const loaded = await documents.compile(...request);
  const { buffer, byteOffset, byteLength } = loaded.heights;
  return { loaded, heightsHash: await sha256(new Uint8Array(buffer, byteOffset, byteLength)) };
}

/** Whether a scenario is compiled for one seed: it draws stands, leaves or a terrain, or a bake is checked for it. */
function isOfOneSeed({ compiled: { scenario } }: LoadedScenario): boolean {
  const { scene } = scenario;
  const hasBakeOfSeed = bodyNames(scene).length > 0 && bakeDependsOnSeed(scene);
  const { stands = [], landscapes = [] } = scene;
  const drawn = [...terrainsOf(scene), ...leafDiscsOf(scene), ...stands, ...landscapes];
  return hasBakeOfSeed || areDrawnBySeed(drawn);
}

function bytesOf({ compiled, heights }: LoadedScenario): number {
  const { instances, scatters, models } = compiled.recipe;
  return heights.byteLength + objectBytes * (instances.length + scatters.length + models.length);
}

/** The seed is a field of the scenario and of its recipe, and of nothing else (isOfOneSeed). */
async function withSeed(
  files: Files,
  { loaded, heightsHash }: Cell,
  seed: number,
): Promise<LoadedScenario> {
  const { scenario, recipe } = loaded.compiled;
  const compiled = {
    ...loaded.compiled,
    scenario: { ...scenario, seed },
    recipe: { ...recipe, seed },
  };
  const contents = { meshes: loaded.meshes, heights: heightsHash };
  const scenarioHash = await files.hashOf(scenarioHashInput(compiled, contents));
  return { ...loaded, compiled: { ...compiled, scenarioHash } };
}

/** Files whose texts are parsed once. */
function withCachedTexts(files: Files): Files {
  const parsed = new Map<string, Promise<Parsed<DocumentTypes[keyof DocumentTypes]>>>();
  const { texts } = files;
  return {
    ...files,
    texts: {
      ...texts,
      parse<K extends keyof DocumentTypes>(source: TextSource, text: string, kind: K) {
        if (text.length > maxLetters) return texts.parse(source, text, kind);
        const key = `${kind}\n${text}`;
        const known = parsed.get(key) ?? texts.parse({ name: source.name }, text, kind);
        parsed.delete(key);
        parsed.set(key, known);
        const [oldest] = parsed.keys();
        if (parsed.size > maxTexts && oldest !== undefined) parsed.delete(oldest);
        // Why the cast: the key names the kind.
        return known as Promise<Parsed<DocumentTypes[K]>>;
      },
    },
  };
}
