// Edits of a document's text as a person wrote it: comments, order, styles and numbers that are not edited
// stay as they are. Each edit is made in the text where that can be done, and is then read back: what the
// text says must be what the edit says, or the document is rewritten by the YAML library.
import { isMap, isScalar, isSeq, parseDocument, type Document } from 'yaml';
import type { DocumentEdit } from '#contract/host/documentMethods.ts';
import { formatPath, type Problem } from '#contract/documents/problems.ts';
import { editData, EditRefusal, isMapping, isSameData, plainCopy } from './documentData.ts';
import { parseYaml } from './parsedText.ts';
import { aliasSplices, replacement, spliced, splicesOf, type Splice } from './textSplices.ts';

/** A text, parsed, with what it says. */
interface Read {
  text: string;
  document: Document.Parsed;
  data: unknown;
}

/**
 * The text with all edits, one after the other. Where one cannot be made, or the text is not YAML, the text
 * comes back as it was, and a problem says why.
 */
export function editDocument(
  text: string,
  edits: readonly DocumentEdit[],
): { text: string; problems: Problem[] } {
  let read = readOf(text);
  if (read === null && edits.length > 0) {
    const message = 'the text is not YAML: fix it before it is edited by form';
    return { text, problems: [{ path: '(document)', code: 'syntax', message }] };
  }
  for (const edit of edits) {
    try {
      read = read === null ? null : edited(read, edit);
    } catch (error) {
      if (!(error instanceof EditRefusal)) throw error;
      const problem = { path: formatPath(edit.path), code: 'edit', message: error.message };
      return { text, problems: [problem] };
    }
  }
  return { text: read?.text ?? text, problems: [] };
}

/** The contents of a text as plain data; null where it is not YAML. */
export function documentData(text: string): unknown {
  return readOf(text)?.data ?? null;
}

function readOf(text: string): Read | null {
  const { document, data, fault } = parseYaml(text);
  if (fault !== null) return null;
  try {
    return { text, document, data: plainCopy(data) };
  } catch (error) {
    if (!(error instanceof EditRefusal)) throw error;
    return null; // it contains itself
  }
}

function edited(read: Read, edit: DocumentEdit): Read {
  const wanted = editData(read.data, edit);
  if (isSameData(wanted, read.data)) return read;
  const tries = [
    () => editText(read, edit),
    () => {
      const open = readOf(spliced(read.text, aliasSplices(read)));
      return open === null ? null : editText(open, edit);
    },
    () => editAnew(read, edit),
  ];
  for (const attempt of tries) {
    const result = attempt();
    if (result !== null && isSameData(result.data, wanted)) return result;
  }
  throw new EditRefusal(
    'this cannot be changed in the text as it is written; edit the text itself',
  );
}

/** In the text alone; values that are replaced are replaced at once, since parsing is what takes time. */
function editText(read: Read, edit: DocumentEdit): Read | null {
  let current: Read | null = read;
  const steps = stepsOf(read.data, edit);
  for (let next = 0; next < steps.length && current !== null;) {
    const batch: Splice[] = [];
    for (; next < steps.length; next += 1) {
      const step = steps[next];
      if (step?.op !== 'set') break;
      const splice = replacement(current, step.path, step.value);
      if (splice === null) break;
      batch.push(splice);
    }
    const step = steps[next];
    if (batch.length === 0 && step !== undefined) {
      const splices = splicesOf(current, step);
      if (splices === null) return null;
      for (const splice of splices) batch.push(splice);
      next += 1;
    }
    current = readOf(spliced(current.text, batch));
  }
  return current;
}

/** The smallest edits with the same result: a mapping or list that is set changes only where it differs. */
function stepsOf(data: unknown, edit: DocumentEdit): DocumentEdit[] {
  if (edit.op !== 'set') return [edit];
  let before = data;
  for (const key of edit.path) {
    before = isMapping(before) || Array.isArray(before) ? Reflect.get(before, key) : undefined;
  }
  return differences(before, edit.value, edit.path);
}

function differences(
  before: unknown,
  after: unknown,
  path: readonly (string | number)[],
): DocumentEdit[] {
  const at = (key: string | number): (string | number)[] => [...path, key];
  if (isSameData(before, after)) return [];
  if (isMapping(before) && isMapping(after) && Object.keys(after).length > 0) {
    const kept = Object.entries(after).flatMap(([key, value]) => {
      if (value === undefined) return [];
      return differences(before[key], value, at(key));
    });
    const gone = Object.keys(before).filter((key) => after[key] === undefined);
    return [...kept, ...gone.map((key): DocumentEdit => ({ path: at(key), op: 'remove' }))];
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length > 0 && after.length > 0) {
    const shared = Math.min(before.length, after.length);
    const changed = after
      .slice(0, shared)
      .flatMap((value: unknown, index) => differences(before[index], value, at(index)));
    const added = after.slice(shared).map((value: unknown, index): DocumentEdit => {
      return { path: at(shared + index), op: 'insert', value };
    });
    const gone = before.slice(shared).map((_, index): DocumentEdit => {
      return { path: at(before.length - 1 - index), op: 'remove' };
    });
    return [...changed, ...added, ...gone];
  }
  return [{ path: [...path], op: 'set', value: after }];
}

/** By the YAML library, which keeps comments and order but writes everything in its own style. */
function editAnew({ text }: Read, { path, op, value }: DocumentEdit): Read | null {
  const document = parseDocument(text, { prettyErrors: false });
  const holder: unknown = path.length > 1 ? document.getIn(path.slice(0, -1)) : document.contents;
  const key = path.at(-1);
  if (op === 'remove') {
    document.deleteIn(path);
  } else if (op === 'rename') {
    const pair = isMap(holder)
      ? holder.items.find((item) => isScalar(item.key) && item.key.value === key)
      : undefined;
    if (pair === undefined || !isScalar(pair.key)) return null;
    pair.key.value = value;
  } else if (op === 'insert' && isSeq(holder) && typeof key === 'number') {
    holder.items.splice(key, 0, document.createNode(value));
  } else {
    document.setIn(path, document.createNode(value));
  }
  return readOf(document.toString({ lineWidth: 0 }));
}
