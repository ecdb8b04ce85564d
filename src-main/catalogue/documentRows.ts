// Documents of runs, by their hash: whole, or packed as a difference from another document. Why: the runs of a campaign
// differ in a few values, and a packed document of theirs takes some hundred bytes.
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { StoredDocument } from '#services/ports/catalogue.ts';
import type { Database } from './sqlite.ts';

interface DocumentRecord {
  json: string;
  packed: Uint8Array | null;
  base: string | null;
}

export interface DocumentRows {
  /** Stores a document once; `baseHash`: of a whole document that is like it. */
  insert(document: StoredDocument, baseHash: string | null): void;
  /** The JSON of a run's document; null: there is none. Of a damaged row it is not JSON. */
  ofRun(runKey: number): string | null;
}

/** The statements about documents, prepared once. */
export function documentRows(database: Database): DocumentRows {
  const insertWhole = database.prepare(
    'INSERT INTO documents (hash, json) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const insertPacked = database.prepare(
    "INSERT INTO documents (hash, json, base_hash, packed) VALUES (?, '', ?, ?) ON CONFLICT DO NOTHING",
  );
  const isKnown = database
    .prepare<[string], number>('SELECT 1 FROM documents WHERE hash = ?')
    .pluck();
  const wholeJson = database
    .prepare<[string], string>('SELECT json FROM documents WHERE hash = ? AND base_hash IS NULL')
    .pluck();
  const byRun = database.prepare<[number], DocumentRecord>(`
    SELECT own.json, own.packed, base.json AS base FROM runs
    JOIN documents own ON own.hash = runs.document_hash
    LEFT JOIN documents base ON base.hash = own.base_hash WHERE run_key = ?`);
  return {
    insert({ hash, json }, baseHash) {
      if (isKnown.get(hash) !== undefined) return;
      const base = baseHash === null ? undefined : wholeJson.get(baseHash);
      if (baseHash === null || base === undefined) insertWhole.run(hash, json);
      else insertPacked.run(hash, baseHash, packed(json, base));
    },
    ofRun(runKey) {
      const row = byRun.get(runKey);
      if (row === undefined) return null;
      const { json, packed: bytes, base } = row;
      if (bytes === null || base === null) return json;
      try {
        return unpacked(bytes, base);
      } catch {
        return ''; // no JSON: a damaged row
      }
    },
  };
}

/** Every document; `json` is null where it cannot be unpacked. */
export function* everyDocument(
  database: Database,
): Generator<{ hash: string; json: string | null }> {
  const all = database.prepare<[], DocumentRecord & { hash: string }>(`
    SELECT own.hash, own.json, own.packed, base.json AS base FROM documents own
    LEFT JOIN documents base ON base.hash = own.base_hash`);
  for (const { hash, json, packed: bytes, base } of all.iterate()) {
    if (bytes === null) yield { hash, json };
    else yield { hash, json: base === null ? null : unpackedOrNull(bytes, base) };
  }
}

function unpackedOrNull(bytes: Uint8Array, base: string): string | null {
  try {
    return unpacked(bytes, base);
  } catch {
    return null;
  }
}

function packed(json: string, base: string): Uint8Array {
  return zstdCompressSync(json, { dictionary: Buffer.from(base) });
}

function unpacked(bytes: Uint8Array, base: string): string {
  return zstdDecompressSync(bytes, { dictionary: Buffer.from(base) }).toString();
}
