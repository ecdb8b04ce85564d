// Lines of a text file, one piece of it in memory.
import { UnderstoryError } from '#contract/errors.ts';
import { pieceBytes, type RegularFile } from './regularFile.ts';

/**
 * The lines from byte `from` on, without their ends. @throws UnderstoryError 'corrupt' for a line longer than a piece:
 * a file without line ends, such as a sparse one, would fill the memory
 */
export async function* linesOf(file: RegularFile, from = 0): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of file.pieces({ from })) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield line.replace(/\r$/, '');
    if (rest.length > pieceBytes) {
      const message = `${file.path} is damaged: expected lines of text, found one of more than a megabyte`;
      throw new UnderstoryError('corrupt', message, { file: file.path });
    }
  }
  if (rest !== '') yield rest.replace(/\r$/, '');
}
