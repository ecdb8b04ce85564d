// A host with scenario files for tests: it reads, edits and saves them. A text is 'NAME n', and its data { name, n };
// an edit sets n, and 'bad' in a text is a problem.
import type { DocumentEdit } from '#contract/host/documentMethods.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { FakePage } from '../pageOf.ts';

interface SaveRequest {
  file: string;
  text: string;
  isReplacing: boolean;
  from?: string;
  knownHash?: string;
}

export interface DocumentHost {
  /** Texts by file; the hash of a file is its text. */
  files: Map<string, string>;
  samples: Set<string>;
  saves: SaveRequest[];
}

/** Answers the methods of documents, and those of the lists that stores read at the start. */
export function documentHost(page: FakePage): DocumentHost {
  const host: DocumentHost = { files: new Map(), samples: new Set(), saves: [] };
  for (const method of ['scenario.list', 'sensor.list', 'plant.list'])
    page.answer(method, () => []);
  page.answer('runs.list', () => ({ runs: [], total: 0 }));
  page.answer('document.read', (request) => {
    const { document } = request as { document: string };
    const text = host.files.get(document);
    if (text === undefined) throw new UnderstoryError('bad-input', `no ${document}`);
    return { file: document, text, isSample: host.samples.has(document), hash: text };
  });
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
  page.answer('document.save', (request) => {
    const saved = request as SaveRequest;
    const { knownHash } = saved;
    host.saves.push(saved);
    const before = host.files.get(saved.file);
    const refuse = (reason: string): never => {
      throw new UnderstoryError('bad-input', `refused: ${reason}`, { reason });
    };
    if (before !== undefined && !saved.isReplacing) refuse('exists');
    if (knownHash !== undefined && knownHash !== before) refuse('changed-on-disk');
    host.files.set(saved.file, saved.text);
    return { file: saved.file, text: saved.text, hash: saved.text };
  });
  return host;
}
