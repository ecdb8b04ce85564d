// Checks files that are known by their contents: meshes by the hash in their names, logs by theirs, learned models by
// the sizes that they declare.
import { meshSetSchema } from '#contract/documents/bundle.ts';
import { canonicalJson } from '#domain/scenario/canonicalJson.ts';
import { maxHeaderBytes, modelFileBytes, readModelHeader } from '#domain/scene/learnedHeader.ts';
import type { DataEntry } from '#services/ports/dataFolder.ts';
import { sha256 } from '#services/sha256.ts';
import type { CheckPorts } from './checkPorts.ts';
import { orDamage, type CheckRound } from './checkRound.ts';

/** Files of `meshes/`, alone or in a set with the files that they name. */
export interface StoredMeshes {
  /** Files by their names in the data folder. */
  names: Set<string>;
  /** Meshes by themselves. */
  single: DataEntry[];
  /** By the hash of the set, its folder's name. */
  sets: Map<string, DataEntry[]>;
  bytes: number;
}

const meshFile = /^([0-9a-f]{64})\.(obj|ply|stl|learned)$/;

/** Lists them; no file is read. */
export async function storedMeshes({ dataFolder }: CheckPorts): Promise<StoredMeshes> {
  const found: StoredMeshes = { names: new Set(), single: [], sets: new Map(), bytes: 0 };
  for (const entry of await dataFolder.entries('meshes')) {
    if (entry.kind === 'file' && meshFile.test(entry.name)) found.single.push(entry);
    if (entry.kind === 'folder' && /^[0-9a-f]{64}$/.test(entry.name)) {
      found.sets.set(entry.name, await filesBelow({ dataFolder }, entry.path));
    }
  }
  for (const { path, bytes } of [...found.single, ...found.sets.values()].flat()) {
    found.names.add(path);
    found.bytes += bytes;
  }
  return found;
}

async function filesBelow(
  ports: Pick<CheckPorts, 'dataFolder'>,
  folder: string,
): Promise<DataEntry[]> {
  const files: DataEntry[] = [];
  for (const entry of await ports.dataFolder.entries(folder)) {
    if (entry.kind === 'folder') files.push(...(await filesBelow(ports, entry.path)));
    else if (!entry.name.endsWith('.part')) files.push(entry);
  }
  return files;
}

/** Meshes against their names, and those that no run uses. @param usedMeshes null: that is not known */
export async function checkMeshes(
  ports: CheckPorts,
  round: CheckRound,
  { single, sets }: StoredMeshes,
  usedMeshes: ReadonlySet<string> | null,
): Promise<void> {
  const unused = (path: string): Promise<void> => {
    const text = { expected: 'a run that uses it', found: 'none' };
    return round.report({ kind: 'mesh-unused', path, ...text });
  };
  for (const entry of single) {
    round.checked.meshes += 1;
    await checkHash(ports, round, entry, meshFile.exec(entry.name)?.[1] ?? '');
    if (usedMeshes?.has(entry.path) === false) await unused(entry.path);
  }
  for (const [set, files] of sets) {
    round.checked.meshes += 1;
    await checkSet(ports, round, set, files);
    if (usedMeshes !== null && !files.some(({ path }) => usedMeshes.has(path))) {
      await unused(`meshes/${set}`);
    }
  }
}

async function checkHash(
  ports: CheckPorts,
  round: CheckRound,
  { path }: DataEntry,
  expected: string,
): Promise<void> {
  const found = round.isQuick ? expected : await hashOf(ports, round, path);
  if (found === expected) return;
  const repair = { as: 'set-aside' as const, work: () => ports.dataFolder.setAside(path) };
  const text = { expected: `the SHA-256 ${expected}`, found };
  await round.report({ kind: 'mesh-damaged', path, ...text, repair });
}

/** Read in pieces that are counted. */
async function hashOf(
  { files, folders }: CheckPorts,
  round: CheckRound,
  path: string,
): Promise<string> {
  const { value, damage } = await orDamage(() =>
    files.freshHash(folders.dataFile(path), (bytes) => round.onBytes(bytes), round.context.signal),
  );
  return value ?? damage ?? '';
}

/** A set is named by the hash of the list of its files, which is made again from them. */
async function checkSet(
  ports: CheckPorts,
  round: CheckRound,
  set: string,
  files: readonly DataEntry[],
): Promise<void> {
  const path = `meshes/${set}`;
  const mesh = files.find(
    ({ name, path: own }) => own === `${path}/${name}` && meshFile.test(name),
  );
  const hash = meshFile.exec(mesh?.name ?? '')?.[1];
  if (mesh === undefined || hash === undefined) {
    const text = { expected: 'a mesh with the files that it names', found: 'no mesh' };
    return round.report({ kind: 'mesh-damaged', path, ...text });
  }
  await checkHash(ports, round, mesh, hash);
  if (round.isQuick) return;
  const beside: { name: string; sha256: string }[] = [];
  for (const file of files) {
    if (file === mesh) continue;
    const name = file.path.slice(path.length + 1);
    beside.push({ name, sha256: await hashOf(ports, round, file.path) });
  }
  beside.sort((a, b) => (a.name < b.name ? -1 : 1));
  const { data } = meshSetSchema.safeParse({ mesh: hash, beside });
  if (data !== undefined && (await sha256(canonicalJson(data))) === set) return;
  const text = { expected: 'the files of its list', found: 'other files, or other contents' };
  await round.report({ kind: 'mesh-damaged', path, ...text });
}

/** Logs and learned models in the data folder. */
export async function checkOwnFiles(
  ports: CheckPorts,
  round: CheckRound,
  { logs, models }: { logs: readonly DataEntry[]; models: readonly DataEntry[] },
): Promise<void> {
  for (const log of logs) {
    round.checked.logs += 1;
    const { damage } = await orDamage(() => readLog(ports, round, log));
    const text = { expected: 'a log with the SHA-256 that it states', found: damage ?? '' };
    if (damage !== null) await round.report({ kind: 'log-damaged', path: log.path, ...text });
  }
  for (const { path, bytes } of models) {
    round.checked.models += 1;
    const start = await ports.dataFiles.readStart(ports.folders.dataFile(path), maxHeaderBytes);
    round.onBytes(start.length);
    const { damage } = await orDamage(() => readModelHeader(start));
    const declared = modelFileBytes(start);
    if (damage === null && declared === bytes) continue;
    const expected = declared === null ? 'a learned model' : `${declared} bytes as its header says`;
    await round.report({
      kind: 'model-damaged',
      path,
      expected,
      found: damage ?? `${bytes} bytes`,
    });
  }
}

async function readLog(
  { folders, logs }: CheckPorts,
  round: CheckRound,
  { path, bytes }: DataEntry,
): Promise<void> {
  const log = await logs.open(folders.dataFile(path));
  try {
    if (round.isQuick) return;
    // Why in shares: a log is read by beams, and counted by bytes.
    const bytesPerBeam = bytes / Math.max(log.counts.beams, 1);
    for await (const { beams } of log.tables()) round.onBytes(beams * bytesPerBeam);
  } finally {
    await log.close();
  }
}
