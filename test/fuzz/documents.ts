// Mutated scenario, sensor and plant files through the parsers that read files of others: every input ends in a value
// or in problems with paths, never in an exception.   documents.ts SECONDS [SEED]
// Every input follows from its number: `documents.ts 0 SEED` runs the one that failed.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePlant, parseScenario, parseSensor } from '#domain/scenario/documentText.ts';
import { projectRoot } from '../stages.ts';

const parsers = { scenarios: parseScenario, sensors: parseSensor, plants: parsePlant };
const words = [
  ...['0', '-1', '1e309', '.nan', '.inf', '9007199254740993', '0x7fffffff', 'null', '~', 'yes'],
  ...['[]', '{}', '&a', '*a', '!!binary', '!!js/function', '<<: *a', '? ', '- ', '|', '>', '---\n'],
  ...['__proto__: 1', 'constructor:', '\t', '\u0000', '\u2028', '😀', '"', "'", '#', '%YAML 1.1\n'],
];

const corpus = Object.keys(parsers).flatMap((folder) => {
  const path = join(projectRoot, 'assets', folder);
  return readdirSync(path).map((name) => ({
    folder: folder as keyof typeof parsers,
    text: readFileSync(join(path, name), 'utf8'),
  }));
});

const [seconds = '15', firstSeed = '1'] = process.argv.slice(2);
const endMs = performance.now() + 1000 * Number(seconds);
let inputs = 0;
let accepted = 0;
do {
  const seed = Number(firstSeed) + inputs;
  inputs += 1;
  try {
    if (isAccepted(seed)) accepted += 1;
  } catch (error) {
    console.error(`documents, seed ${seed}:`, error);
    process.exitCode = 1;
    break;
  }
} while (performance.now() < endMs);
console.log(`documents: ${inputs} inputs from seed ${firstSeed}, ${accepted} accepted`);

/** Whether the parser gave a value; throws where it gave neither a value nor problems. */
function isAccepted(seed: number): boolean {
  const below = randomBelow(seed);
  const { folder, text } = corpus[below(corpus.length)] ??
    corpus[0] ?? { folder: 'plants', text: '' };
  const { value, problems } = parsers[folder](mutated(text, below));
  const isWhole = value !== null && problems.length === 0;
  if (isWhole || (value === null && problems.length > 0)) return isWhole;
  throw new Error('neither a value nor problems');
}

/** A few changes: words put in, parts removed, doubled or swapped between lines. */
function mutated(text: string, below: (count: number) => number): string {
  let changed = text;
  for (let change = 0; change <= below(5); change += 1) {
    const at = below(changed.length + 1);
    const end = Math.min(changed.length, at + below(40));
    const part = changed.slice(at, end);
    const word = words[below(words.length)] ?? '';
    const to = below(changed.length + 1);
    const variants = [
      changed.slice(0, at) + word + changed.slice(at),
      changed.slice(0, at) + word + changed.slice(end),
      changed.slice(0, at) + changed.slice(end),
      changed.slice(0, to) + part + changed.slice(to),
      changed.slice(0, at),
    ];
    changed = variants[below(variants.length)] ?? changed;
  }
  return changed;
}

/** Whole numbers below a count, the same for a seed on every machine (mulberry32). */
function randomBelow(seed: number): (count: number) => number {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  return (count) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  };
}
