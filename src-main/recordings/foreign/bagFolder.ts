// A folder of rosbag2: its files by metadata.yaml, or, without a list in it, by their names.
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { badInput, UnderstoryError } from '#contract/errors.ts';
import { countText } from '#domain/shared/formats.ts';
import { naming } from '#files/appendFile.ts';
import { maxDocumentBytes, readWhole } from '#files/regularFile.ts';

/** Files of recordings, compressed as a whole or not. */
export const recordingEnding = /\.(?:(?:mcap|db3)(?:\.zstd?)?|bag)$/i;
const metadataName = 'metadata.yaml';

export interface BagFolder {
  /** Absolute, in their order. */
  files: string[];
  /** Messages by topic, as the metadata states them. */
  counts: ReadonlyMap<string, number>;
  /** Files that were not read. */
  notes: string[];
}

/** @throws UnderstoryError 'bad-input' without files, 'not-found' for one that is listed, 'corrupt' */
export async function readBagFolder(folder: string): Promise<BagFolder> {
  const names = await naming(folder, () => readdir(folder));
  const found = names.filter((name) => recordingEnding.test(name)).sort(byNumber);
  const { listed, counts } = names.includes(metadataName)
    ? await readMetadata(join(folder, metadataName))
    : { listed: [], counts: new Map<string, number>() };
  const files = listed.length > 0 ? listed.map((name) => present(name, names, folder)) : found;
  if (files.length === 0) {
    const message = `expected files of rosbag2 in '${folder}' (.mcap, .db3), found none`;
    throw badInput('source', message);
  }
  const notes = found
    .filter((name) => !files.includes(name))
    .map((name) => `'${name}' was not read: ${metadataName} does not list it`);
  return { files: files.map((name) => join(folder, name)), counts, notes };
}

/** Topics with another number of messages than the metadata states. */
export function notesOfCounts(
  stated: ReadonlyMap<string, number>,
  found: ReadonlyMap<string, number>,
): string[] {
  return [...found].flatMap(([topic, count]) => {
    const expected = stated.get(topic) ?? count;
    if (expected === count) return [];
    const [holds, states] = [countText(count), countText(expected)];
    return [`'${topic}' has ${holds} messages where ${metadataName} states ${states}`];
  });
}

/** The name in the folder of a file that the metadata lists: older versions list it before its compression. */
function present(listed: string, names: readonly string[], folder: string): string {
  const name = [listed, `${listed}.zstd`, `${listed}.zst`].find((each) => names.includes(each));
  if (name !== undefined) return name;
  const message = `expected '${listed}', which ${join(folder, metadataName)} lists, found no such file: a part alone is imported by its own name`;
  throw new UnderstoryError('not-found', message, { path: join(folder, listed) });
}

/** bag_10.db3 after bag_9.db3. */
function byNumber(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

async function readMetadata(
  file: string,
): Promise<{ listed: string[]; counts: Map<string, number> }> {
  const bytes = await readWhole(file, { maxBytes: maxDocumentBytes });
  let document: unknown;
  try {
    document = parse(new TextDecoder().decode(bytes));
  } catch {
    throw new UnderstoryError('corrupt', `${file} is damaged: expected YAML`, { file });
  }
  const information = fieldOf(document, 'rosbag2_bagfile_information');
  const paths = listOf(fieldOf(information, 'relative_file_paths'));
  const topics = listOf(fieldOf(information, 'topics_with_message_count'));
  const counts = new Map<string, number>();
  for (const topic of topics) {
    const name = fieldOf(fieldOf(topic, 'topic_metadata'), 'name');
    const count = fieldOf(topic, 'message_count');
    if (typeof name === 'string' && typeof count === 'number') counts.set(name, count);
  }
  // Why the last part alone: the first versions of rosbag2 list them below the name of their folder.
  const listed = paths.filter((path) => typeof path === 'string').map((path) => basename(path));
  return { listed, counts };
}

function fieldOf(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null ? (of as Record<string, unknown>)[name] : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}
