// Text in pieces and in lines, one piece of it in memory.
import { UnderstoryError } from '#contract/errors.ts';
import { createTextLines } from '#domain/shared/textLines.ts';
import type { RegularFile } from './regularFile.ts';

/** More than a row of the widest table; a file without line ends, such as a sparse one, would fill the memory. */
const maxLineLetters = 2 ** 24;

/** The text from byte `from` on, as UTF-8. @throws UnderstoryError 'corrupt' for a longer line, 'cancelled' */
export async function* textOf(
  file: RegularFile,
  range: { from?: number; signal?: AbortSignal | undefined } = {},
): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let letters = 0;
  for await (const piece of file.pieces(range)) {
    const text = decoder.decode(piece, { stream: true });
    const end = text.lastIndexOf('\n');
    letters = end < 0 ? letters + text.length : text.length - end - 1;
    if (letters > maxLineLetters) {
      const message = `'${file.path}' is damaged: expected lines of text, found one of more than 16 MB`;
      throw new UnderstoryError('corrupt', message, { file: file.path });
    }
    yield text;
  }
}

/** The lines from byte `from` on, without their ends. @throws as textOf */
export async function* linesOf(file: RegularFile, from = 0): AsyncGenerator<string, undefined> {
  const lines = createTextLines();
  for await (const text of textOf(file, { from })) {
    for (const line of lines.take(text)) yield line.replace(/\r$/, '');
  }
  for (const line of lines.end()) yield line.replace(/\r$/, '');
}
