// The engine's hash: another worker, another Embree or other sources are another engine; where they lie is not.
import { cpSync, appendFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hashOfSources, simulatingFolders, simulatingSources } from '#hosts/simulatingSources.ts';
import { engineHash } from '#services/engine.ts';

const sources = join(import.meta.dirname, '../../src-main');

describe("the engine's hash", () => {
  it('differs with the worker, its Embree and the sources', async () => {
    const worker = { engine: 'a', embree: '3.13.5' };
    const hashes = await Promise.all([
      engineHash(worker, 's'),
      engineHash({ ...worker, engine: 'b' }, 's'),
      engineHash({ ...worker, embree: '4.3.0' }, 's'),
      engineHash(worker, 't'),
    ]);
    expect(new Set(hashes).size).toBe(4);
    expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(await engineHash(worker, 's')).toBe(hashes[0]);
  });

  it('takes the sources by content: a copy is the same, one changed file is not', () => {
    const copy = mkdtempSync(join(tmpdir(), 'understory-engine-'));
    for (const folder of simulatingFolders) {
      cpSync(join(sources, folder), join(copy, folder), { recursive: true });
    }
    expect(hashOfSources(copy)).toBe(simulatingSources());
    appendFileSync(join(copy, 'domain/autonomy/aStar.ts'), '\n// changed\n');
    expect(hashOfSources(copy)).not.toBe(simulatingSources());
  });
});
