// document.upgrade: a file of an older version is rewritten in its place. The old text or the new one is there at any
// time; a file that cannot be upgraded is left as it is.
import { UnderstoryError } from '#contract/errors.ts';
import type { Replies } from '#contract/host/methods.ts';
import type { Files } from '../ports/files.ts';

/** Other files of ours, by the end of their name: they are read as they are, whatever version wrote them. */
const otherFormats: [ending: string, name: string][] = [
  ['.mcap', 'a recording'],
  ['.sqlite', 'a catalogue'],
];

/** @throws UnderstoryError 'bad-input' with the problems where the text cannot be upgraded; as Files else */
export async function upgradeFile(
  files: Files,
  file: string,
  isDryRun: boolean,
  signal?: AbortSignal,
): Promise<Replies['document.upgrade']> {
  for (const [ending, name] of otherFormats) {
    if (!file.endsWith(ending)) continue;
    const message = `'${file}' is ${name}: Understory opens those of older versions as they are`;
    throw new UnderstoryError('bad-input', message, { file });
  }
  const text = await files.readText(file, signal);
  const { value, problems } = await files.texts.upgrade({ name: file, signal }, text);
  if (value === null) {
    throw new UnderstoryError('bad-input', `'${file}' cannot be upgraded`, { problems });
  }
  const { from, to, notes } = value;
  if (!isDryRun && from.version < to) await files.writeText(file, value.text);
  return { format: from.format, from: from.version, to, notes };
}
