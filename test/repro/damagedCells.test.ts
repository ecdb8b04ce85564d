// One damaged cell of the catalogue ended every list of runs with a stack trace.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openCatalogue } from '#catalogue/catalogue.ts';
import { openSqlite } from '#catalogue/sqlite.ts';
import { sampleRun } from '#test/catalogue/sampleScene.ts';
import { temporaryFolder } from '#test/support/folder.ts';

it('a damaged cell is named in its row, and hides no other', () => {
  const file = join(temporaryFolder(), 'catalogue.sqlite');
  const catalogue = openCatalogue(file);
  const [good, bad] = [sampleRun(1), sampleRun(2)];
  catalogue.insertRun(good);
  catalogue.insertRun(bad);
  const other = openSqlite(file, { timeoutMs: 1000 });
  other.prepare("UPDATE runs SET sensors = '[oops', figures = '[]' WHERE id = ?").run(bad.id);
  const rows = catalogue.runs();
  expect(rows.map(({ id }) => id)).toEqual([bad.id, good.id]);
  expect(rows[0]).toMatchObject({ sensors: [], metrics: null });
  expect(rows[0]?.error).toContain('damaged (sensors, figures)');
  expect(rows[1]).toMatchObject({ error: null });
  other.prepare("UPDATE documents SET json = '{'").run();
  other.close();
  expect(() => catalogue.compiled(good.id)).toThrow(expect.objectContaining({ code: 'corrupt' }));
  catalogue.dispose();
});
