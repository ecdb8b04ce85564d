// Saving a document: what may be written where, and texts that move to another folder. A save that is refused has
// changed nothing on disk.
import type { SaveRefusal } from '#contract/host/documentMethods.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { Replies, RequestOf } from '#contract/host/methods.ts';
import type { Referral } from '#domain/scenario/referrals.ts';
import { sha256 } from '#services/sha256.ts';
import type { Files } from '../ports/files.ts';
import { documentName, folderOf } from './documentFiles.ts';

type Request = RequestOf<'document.save'>;

/** @throws UnderstoryError 'bad-input', details.reason being a SaveRefusal; what writing throws */
export async function saveDocument(
  files: Files,
  { kind, file: name, text, isReplacing, knownHash, from }: Request,
  signal?: AbortSignal,
): Promise<Replies['document.save']> {
  const file = await checkSaveTarget(files, { file: name, isReplacing, knownHash });
  if (!(await files.texts.isYaml({ name: file, signal }, text))) {
    throw refusal('not-yaml', file, `'${file}' was not saved: the text is not YAML`);
  }
  const moved =
    from === undefined || kind !== 'scenario'
      ? text
      : await movedText(files, text, from, file, signal);
  await files.writeText(file, moved);
  return { file, text: moved, hash: await sha256(moved) };
}

/** The absolute file to save to. @throws as saveDocument, but for the text */
export async function checkSaveTarget(
  files: Files,
  { file: name, isReplacing, knownHash }: Pick<Request, 'file' | 'isReplacing' | 'knownHash'>,
): Promise<string> {
  if (!files.isAbsolute(name)) {
    throw refusal('relative', name, `expected an absolute path, found '${name}'`);
  }
  const file = files.resolveFrom(name, name);
  if (await isSample(files, file)) {
    const message = `'${file}' comes with Understory: save it under another name`;
    throw refusal('sample', file, message);
  }
  if (!(await files.exists(file))) return file;
  if (!isReplacing) throw refusal('exists', file, `there is '${file}' already`);
  if (knownHash !== undefined && (await sha256(await files.readText(file))) !== knownHash) {
    const message = `'${file}' was changed by another program since it was read`;
    throw refusal('changed-on-disk', file, message);
  }
  return file;
}

/** The text for another folder: files that it names beside `from` are named as seen from `to`. */
export async function movedText(
  files: Files,
  text: string,
  from: string,
  to: string,
  signal?: AbortSignal,
): Promise<string> {
  const source = { name: from, signal };
  const edits: RequestOf<'document.edit'>['edits'] = [];
  for (const { kind, keys, name } of await files.texts.referrals(source, text)) {
    const target = files.resolveFrom(from, name);
    const isOther = !files.isAbsolute(name) && files.resolveFrom(to, name) !== target;
    if (!isOther || (await isIdOfSample(files, kind, name)) || !(await files.exists(target))) {
      continue;
    }
    edits.push({ path: keys, op: 'set', value: files.pathFrom(to, target) });
  }
  return (await files.texts.edit(source, text, edits, 'scenario')).text;
}

async function isIdOfSample(files: Files, kind: Referral['kind'], name: string): Promise<boolean> {
  if (kind !== 'sensor' && kind !== 'plant' && kind !== 'species') return false;
  const samples = await files.listAssets(folderOf(kind));
  return samples.some((file) => documentName(file) === name);
}

export async function isSample(files: Files, file: string): Promise<boolean> {
  const samples = await Promise.all(
    (['scenarios', 'sensors', 'plants', 'species', 'campaigns'] as const).map((folder) =>
      files.listAssets(folder),
    ),
  );
  return samples.flat().includes(file);
}

function refusal(reason: SaveRefusal, file: string, message: string): UnderstoryError {
  return new UnderstoryError('bad-input', message, {
    reason,
    problems: [{ path: 'file', code: reason, message }],
    file,
  });
}
