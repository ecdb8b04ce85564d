// The engine's hash: another worker, another Embree or other sources are another engine; where they lie is not.
import { appendFileSync, cpSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hashOfSources, simulatingPaths, simulatingSources } from '#hosts/simulatingSources.ts';
import { engineHash } from '#services/engine.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const sources = join(import.meta.dirname, '../../src-main');

describe("the engine's hash", () => {
  it('differs with the worker, its Embree, the processor and the sources', async () => {
    const worker = { engine: 'a', embree: '3.13.5', reciprocals: '0123456789abcdef' };
    const hashes = await Promise.all([
      engineHash(worker, 's'),
      engineHash({ ...worker, engine: 'b' }, 's'),
      engineHash({ ...worker, embree: '4.3.0' }, 's'),
      engineHash({ ...worker, reciprocals: 'fedcba9876543210' }, 's'),
      engineHash(worker, 't'),
    ]);
    expect(new Set(hashes).size).toBe(5);
    expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(await engineHash(worker, 's')).toBe(hashes[0]);
  });

  it('is the same for a copy, and for one whose texts and exporters differ', () => {
    const copy = copyOfSources();
    expect(hashOfSources(copy)).toBe(simulatingSources());
    for (const file of ['contract/documents/scenario.ts', 'recordings/export/csv.ts']) {
      appendFileSync(join(copy, file), '\n// changed\n');
    }
    expect(hashOfSources(copy)).toBe(simulatingSources());
  });

  it.each([
    'domain/autonomy/aStar.ts',
    'domain/truth/vehicle.ts',
    'recordings/ros/topics.ts',
    'recordings/recordingWriter.ts',
    'services/logs/estimateVoxels.ts',
    'services/runProcess/driveLoop.ts',
  ])('differs with %s', (file) => {
    const copy = copyOfSources();
    appendFileSync(join(copy, file), '\n// changed\n');
    expect(hashOfSources(copy)).not.toBe(simulatingSources());
  });

  it('covers every domain module that a run process imports', () => {
    const imported = globSync('services/runProcess/*.ts', { cwd: sources }).flatMap((file) =>
      [
        ...readFileSync(join(sources, file), 'utf8').matchAll(
          /^import (?!type).*'#(domain\/[^']+)'/gm,
        ),
      ].map(([, path = '']) => path),
    );
    expect(imported.length).toBeGreaterThan(5);
    const uncovered = imported.filter(
      (file) => !simulatingPaths.some((path) => file.startsWith(`${path}/`)),
    );
    expect(uncovered).toEqual([]);
  });
});

function copyOfSources(): string {
  const copy = temporaryFolder();
  for (const folder of [
    'contract',
    'domain',
    'recordings',
    'services/logs',
    'services/runProcess',
  ]) {
    cpSync(join(sources, folder), join(copy, folder), { recursive: true });
  }
  return copy;
}
