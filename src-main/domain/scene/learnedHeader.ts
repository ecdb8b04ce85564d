// The header of a learned model's PLY, from the first bytes of the file (native-workers/core/learned/learnedFile.h).
import { UnderstoryError } from '#contract/errors.ts';
import { parseWith } from '#contract/documents/problems.ts';
import { learnedObjects } from '#contract/worker/learnedModel.ts';
import type { ListedModel } from '#contract/host/learnedViewMethods.ts';

/** Longer headers belong to no model of ours: a header has some hundred bytes for each log. */
export const maxHeaderBytes = 512_000;

const title = 'comment Understory learned model 1';
const jsonLine = 'comment json ';

/** The header of a model file. @throws UnderstoryError 'bad-input' for what is no learned model */
export function readModelHeader(start: Uint8Array): NonNullable<ListedModel['header']> {
  const text = new TextDecoder('latin1').decode(start);
  const end = text.indexOf(headerEnd);
  const lines = text.slice(0, Math.max(end, 0)).split('\n');
  if (end < 0 || lines[0] !== 'ply' || !lines.includes(title)) {
    throw new UnderstoryError('bad-input', 'expected a PLY that `understory learn` wrote');
  }
  const json = lines
    .filter((line) => line.startsWith(jsonLine))
    .map((line) => line.slice(jsonLine.length))
    .join('');
  const { value, problems } = parseWith(learnedObjects.learnedHeader, jsonOf(json));
  if (value === null) {
    throw new UnderstoryError('bad-input', 'the header of the model is damaged', { problems });
  }
  const faces = lines.find((line) => line.startsWith('element face '));
  return { ...value, triangles: Number(faces?.slice('element face '.length) ?? 0) };
}

/** Bytes of a model file whose header is in `start`, by what it declares; null: it cannot be told. */
export function modelFileBytes(start: Uint8Array): number | null {
  const text = new TextDecoder('latin1').decode(start);
  const end = text.indexOf(headerEnd);
  let bytes = end + headerEnd.length;
  let count = 0;
  for (const line of text.slice(0, Math.max(end, 0)).split('\n')) {
    const [word, type = '', third = ''] = line.split(' ');
    if (word === 'element') count = Number(third);
    if (word !== 'property') continue;
    // Why 13: the one list is that of a triangle's corners, a byte and three integers.
    const size = type === 'list' ? 13 : typeBytes[type];
    if (size === undefined) return null;
    bytes += count * size;
  }
  return end < 0 || Number.isNaN(bytes) ? null : bytes;
}

const headerEnd = '\nend_header\n';
const typeBytes: Partial<Record<string, number>> = {
  uchar: 1,
  ushort: 2,
  int: 4,
  uint: 4,
  float: 4,
  double: 8,
};

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
