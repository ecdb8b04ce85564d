// Finding and reading documents: by the id of a sample that comes with Understory, or as a file. What
// cannot be read or understood becomes problems, at the place that referred to it.
import { isCancelled, orAborted, UnderstoryError } from '#contract/errors.ts';
import type { Parsed, Problem } from '#contract/documents/problems.ts';
import type { Setting } from '#domain/scenario/settings.ts';
import type { DocumentTypes, TextJobs, TextSource } from '#domain/scenario/textJobs.ts';
import type { Files, SampleFolder } from '#services/ports/files.ts';

type Kind = keyof DocumentTypes;

/** Where the samples of a kind are. */
export function folderOf(kind: Kind): SampleFolder {
  return kind === 'species' ? kind : `${kind}s`;
}

interface ReadOptions {
  signal?: AbortSignal | undefined;
  settings?: readonly Setting[];
}

/** A reference to a document. */
export interface Reference<K extends Kind> extends ReadOptions {
  kind: K;
  /** File, or id of a sample. */
  name: string;
  /** The file that refers to it. Left out: none. */
  from?: string | null;
  /** Path of the reference. */
  at: string;
}

/** A document that another refers to; problems are reported at the reference. */
export async function readReferred<K extends Kind>(
  files: Files,
  { kind, name, from = null, at, signal, settings = [] }: Reference<K>,
): Promise<Parsed<DocumentTypes[K]>> {
  const file = await findDocument(files, folderOf(kind), name, from);
  if (file === null) {
    return failed([{ ...(await unknownSample(files, folderOf(kind), name)), path: at }]);
  }
  const parsed = await readDocument(files, kind, file, { signal, settings });
  if (parsed.value !== null) return parsed;
  const isOfFile = settings.length === 0 || (await readDocument(files, kind, file)).value === null;
  // Problems that settings made are at their paths: the file itself has none.
  if (!isOfFile) return failed(parsed.problems.map((found) => inDocument(kind, found)));
  return failed(inFile(at, file, parsed.problems));
}

/** Problems of a file at the reference to it. */
function inFile(at: string, file: string, problems: readonly Problem[]): Problem[] {
  return problems.map(({ path, code, message }) => {
    return { path: at, code, message: `${file}: ${path}: ${message}` };
  });
}

/** Takes a text piece by piece. */
export interface TextReader<T> {
  /** False: the rest does not matter. */
  take(piece: string): boolean | void;
  finish(): Parsed<T>;
}

/** A file of any length through a reader of its text; problems are reported at the reference. @throws 'cancelled' */
export async function readPieces<T>(
  files: Files,
  { file, at, signal }: { file: string; at: string; signal?: AbortSignal | undefined },
  reader: TextReader<T>,
): Promise<Parsed<T>> {
  const read = await readable(at, () =>
    files.textPieces(file, (text) => reader.take(text), signal),
  );
  if (read.problems.length > 0) return failed(read.problems);
  const parsed = reader.finish();
  return parsed.value === null ? failed(inFile(at, file, parsed.problems)) : parsed;
}

/** A file's text, parsed. */
export async function readDocument<K extends Kind>(
  files: Files,
  kind: K,
  file: string,
  { signal, settings = [] }: ReadOptions = {},
): Promise<Parsed<DocumentTypes[K]>> {
  const text = await readable('(document)', () => files.readText(file, signal));
  return text.value === null
    ? text
    : parseText(files, kind, text.value, { name: file, signal }, settings);
}

/** A problem of a document as settings name its path: `sensor.noise.rangeSigmaM`. */
function inDocument(kind: Kind, { path, code, message }: Problem): Problem {
  return { path: kind === 'scenario' ? path : `${kind}.${path}`, code, message };
}

/** A text with settings, parsed. @throws 'cancelled' */
export async function parseText<K extends Kind>(
  { texts }: Files,
  kind: K,
  text: string,
  source: TextSource,
  settings: readonly Setting[] = [],
): Promise<Parsed<DocumentTypes[K]>> {
  const parsed =
    settings.length === 0
      ? texts.parse(source, text, kind)
      : parseWithSettings(texts, kind, text, source, settings);
  return source.signal === undefined ? parsed : orAborted(parsed, source.signal);
}

function parseWithSettings<K extends Kind>(
  texts: TextJobs,
  kind: K,
  text: string,
  source: TextSource,
  settings: readonly Setting[],
): Promise<Parsed<DocumentTypes[K]>> {
  if (kind !== 'scenario' && kind !== 'sensor') {
    throw new TypeError(`a ${kind} takes no settings`);
  }
  const job = kind === 'scenario' ? texts.parseScenarioWith : texts.parseSensorWith;
  // Why the cast: the kind says which job it is.
  return job(source, text, settings) as Promise<Parsed<DocumentTypes[K]>>;
}

/** The file meant by a name: a sample's id first, then a file seen from the folder of `from`. */
export async function findDocument(
  files: Files,
  folder: SampleFolder,
  fileOrId: string,
  from: string | null = null,
): Promise<string | null> {
  const samples = await files.listAssets(folder);
  const sample = samples.find((file) => documentName(file) === fileOrId);
  if (sample !== undefined) return sample;
  const file = from === null ? fileOrId : files.resolveFrom(from, fileOrId);
  return (await files.exists(file)) ? file : null;
}

/** Says what could have been asked for instead. */
export async function unknownSample(
  files: Files,
  folder: SampleFolder,
  fileOrId: string,
): Promise<Problem> {
  const known = (await files.listAssets(folder)).map(documentName).join(', ');
  const kind = folder === 'species' ? folder : folder.slice(0, -1);
  const message = `expected a ${kind} file, or one of ${known}, found '${fileOrId}'`;
  return { path: kind, code: 'not-found', message };
}

/** Every sample of a kind that can be read, by id. */
export async function readSamples<K extends Kind>(
  files: Files,
  kind: K,
): Promise<{ id: string; file: string; value: DocumentTypes[K] }[]> {
  const read = (await files.listAssets(folderOf(kind))).map(async (file) => {
    const { value } = await readDocument(files, kind, file);
    return value === null ? [] : [{ id: documentName(file), file, value }];
  });
  return (await Promise.all(read)).flat();
}

/** 'courtyard' for …/courtyard.understory.yaml: the id of a sample; a name that is no file stays. */
export function documentName(file: string): string {
  const name = file.split(/[\\/]/).at(-1) ?? file;
  return name.replace(/(\.understory|\.campaign)?\.(ya?ml|json)$/, '');
}

/** A refused read is a problem of the document that named the file, at the path of `pathOf` where it has one. */
export async function readable<T>(
  at: string,
  read: () => Promise<T>,
  pathOf: (error: UnderstoryError) => string | null = () => null,
): Promise<Parsed<T>> {
  try {
    return { value: await read(), problems: [] };
  } catch (error) {
    if (!(error instanceof UnderstoryError) || isCancelled(error)) throw error;
    return failed([{ path: pathOf(error) ?? at, code: error.code, message: error.message }]);
  }
}

/** A problem of the kind that a schema cannot find. */
export function problem(path: string, message: string): Problem {
  return { path, code: 'custom', message };
}

/** A parse without a result. */
export function failed(problems: Problem[]): { value: null; problems: Problem[] } {
  return { value: null, problems };
}
