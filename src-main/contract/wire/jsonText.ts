// JSON of large values in pieces, so that the thread that writes it can give way between them: 200,000 placed objects
// are 50 MB, which JSON.stringify writes in half a second. Guarantee: the text is that of JSON.stringify.

/** JSON that is written already: as the body of a frame it is sent as it is. */
export class JsonText {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/** Elements of an array in one piece: of placed objects some 100 kB, made in a millisecond. */
const elementsAtOnce = 500;
/** Letters that are written between two pauses: some milliseconds. */
const lettersAtOnce = 500_000;

/** The pieces of JSON.stringify(value), of plain data: arrays are divided down to the fifth level of objects. */
export function jsonPieces(value: unknown): Generator<string> {
  return piecesOf(value, (part) => JSON.stringify(part) ?? 'null', definedFields);
}

/** JSON.stringify(value) of plain data, with `pause` between pieces. */
export async function writeJson(value: unknown, pause: () => Promise<void>): Promise<string> {
  const pieces: string[] = [];
  let letters = 0;
  for (const piece of jsonPieces(value)) {
    pieces.push(piece);
    letters += piece.length;
    if (letters < lettersAtOnce) continue;
    letters = 0;
    await pause();
  }
  return pieces.join('');
}

/**
 * The text of `write(value)` in pieces.
 * @param fieldsOf the fields of an object in the order that `write` gives them
 */
export function* piecesOf(
  value: unknown,
  write: (value: unknown) => string,
  fieldsOf: (value: object) => [string, unknown][],
  levels = 5,
): Generator<string> {
  if (typeof value !== 'object' || value === null || levels < 0) {
    yield write(value);
  } else if (Array.isArray(value)) {
    for (let from = 0; from < value.length; from += elementsAtOnce) {
      const some = write(value.slice(from, from + elementsAtOnce)).slice(1, -1);
      yield `${from === 0 ? '[' : ','}${some}`;
    }
    yield value.length === 0 ? '[]' : ']';
  } else {
    let before = '{';
    for (const [key, field] of fieldsOf(value)) {
      yield `${before}${JSON.stringify(key)}:`;
      yield* piecesOf(field, write, fieldsOf, levels - 1);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  }
}

/** The fields that JSON has, in the order of the object. */
export function definedFields(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, field]) => field !== undefined);
}
