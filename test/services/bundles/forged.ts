// Recordings and bundles with another scenario than the one that they were made with, and with right checksums: what a
// stranger could write.
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { BundledRun, BundledScans } from '#contract/documents/bundle.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import { canonicalJson, scenarioHashInput } from '#domain/scenario/canonicalJson.ts';
import { identityOf } from '#services/bundles/runContents.ts';
import type { ZipEntry } from './packedRun.ts';

/** The scenario's hash made right again, where it can be. */
export function withHash(compiled: unknown, meshes: Record<string, string> = {}): unknown {
  try {
    const heights = createHash('sha256').update('').digest('hex');
    const sum = createHash('sha256');
    for (const text of scenarioHashInput(compiled as CompiledScenario, { meshes, heights })) {
      sum.update(text);
    }
    return { ...(compiled as object), scenarioHash: sum.digest('hex') };
  } catch {
    return compiled;
  }
}

const begins = Buffer.from('{"format":');

/** The document in the head of a recording. */
export function headOf(recording: Buffer): { compiled: unknown } {
  const at = recording.indexOf(begins);
  const length = Number(recording.readBigUInt64LE(at - 8));
  return JSON.parse(recording.subarray(at, at + length).toString()) as { compiled: unknown };
}

/** The recording with another document, no longer than its own: nothing after it moves. */
export function forgedRecording(recording: Buffer, head: unknown): Buffer {
  const at = recording.indexOf(begins);
  const length = Number(recording.readBigUInt64LE(at - 8));
  const text = Buffer.from(JSON.stringify(head));
  if (text.length > length) throw new Error(`${text.length - length} bytes do not fit`);
  const forged = Buffer.from(recording);
  forged.fill(' ', at, at + length);
  text.copy(forged, at);
  const starts = recording.indexOf('understory.json') - 4 - 16; // two times and the length of the name before it
  forged.writeUInt32LE(crc32(forged.subarray(starts, at + length)), at + length);
  return forged;
}

/** The entries of a bundle of one run, with other contents and what follows from them made right again. */
export async function forgedBundle(
  entries: readonly ZipEntry[],
  changed: { scenario?: unknown; run?: object; scans?: object; manifest?: object },
): Promise<ZipEntry[]> {
  const named = (ending: string): string =>
    entries.find(({ name }) => name.endsWith(ending))?.bytes.toString() ?? '';
  const scenario: unknown = changed.scenario ?? JSON.parse(named('scenario.json'));
  const hash = (scenario as { scenarioHash?: unknown } | null)?.scenarioHash;
  const run = {
    ...(JSON.parse(named('run.json')) as BundledRun),
    ...(typeof hash === 'string' && { scenarioHash: hash }),
    ...changed.run,
  };
  const scans = { ...(JSON.parse(named('scans.json')) as BundledScans), ...changed.scans };
  const identity = await identityOf(run, scans);
  const contents: Record<string, string> = {
    'run.json': canonicalJson(run),
    'scenario.json': JSON.stringify(scenario) ?? '',
    'scans.json': canonicalJson(scans),
  };
  const kept = entries
    .filter(({ name }) => name !== 'manifest.json')
    .map(({ name, bytes }): ZipEntry => {
      const [, rest] = /^runs\/[0-9a-f]{64}\/(.*)$/.exec(name) ?? [];
      if (rest === undefined) return { name, bytes };
      const text = contents[rest];
      const own = text === undefined ? bytes : Buffer.from(text);
      return { name: `runs/${identity}/${rest}`, bytes: own };
    });
  return withManifest(kept, [identity], changed.manifest);
}

/** The entries with a manifest that lists them. */
export function withManifest(
  entries: readonly ZipEntry[],
  runs: readonly string[],
  change: object = {},
): ZipEntry[] {
  const listed = entries.map(({ name, bytes }) => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { name, bytes: bytes.length, sha256 };
  });
  const text = JSON.stringify({ understoryBundle: 1, entries: listed, runs, ...change });
  return [...entries, { name: 'manifest.json', bytes: Buffer.from(text) }];
}
