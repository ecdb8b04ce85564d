// A host with scenario files for tests: it reads, edits and saves them. A text is 'NAME n', and its data { name, n };
// an edit sets n, and 'bad' in a text is a problem.
import type { DocumentEdit } from '#contract/host/documentMethods.ts';
import { answerEmptyLists, answerFiles, type StoredFiles } from '../hostAnswers.ts';
import type { FakePage } from '../pageOf.ts';

/** Answers the methods of documents, and those of the lists that stores read at the start. */
export function documentHost(page: FakePage): StoredFiles {
  answerEmptyLists(page);
  page.answer('document.edit', (request) => {
    const { text, edits = [] } = request as { text: string; edits?: DocumentEdit[] };
    const refused = edits.find(({ path }) => path[0] !== 'n');
    const [name = '', n = '0'] = text.split(' ');
    const next = edits.length === 0 || refused ? n : String(edits.at(-1)?.value);
    const isBad = text.includes('bad');
    const problems = refused
      ? [{ path: refused.path.join('.'), code: 'edit', message: 'not there' }]
      : isBad
        ? [{ path: 'n', code: 'custom', message: 'bad' }]
        : [];
    const data = { name, n: next };
    return { text: `${name} ${next}`, data, value: isBad ? null : data, problems };
  });
  return answerFiles(page, new Map());
}
