// Tables beside a file of points: those of its objects that it has points of, in the world, and its materials.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ReturnColumnName } from '#contract/columns.ts';
import { createExporters } from '#recordings/export/exporters.ts';
import { type ExportedObject, openIdTables } from '#services/scans/sinks/idTables.ts';
import { sampleCompiled } from '#test/recordings/samples.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const exporters = createExporters({ dataFolder: null });

function open(file: string, columns: ReturnColumnName[], isReplacing = false) {
  const compiled = sampleCompiled();
  compiled.scenario.scene.origin = [500_000, 5_400_000, 300];
  return openIdTables(exporters, { file, columns, compiled, target: { isReplacing } });
}

function object(id: number): ExportedObject {
  return {
    id,
    name: `tree-${id}`,
    class: 'tree',
    model: 'oak, old',
    pose: { positionM: [0.5, -2, id], rotation: [0, 0, 0.6, 0.8] },
    scale: 1.25,
  };
}

it('names the objects that rows are of', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'cloud.las');
  const tables = await open(file, ['object_id', 'material_id']);
  // Ids beyond the first kilobyte of the set, and more rows than are taken.
  tables.take({ object_id: Uint32Array.of(3, 70_000, 3, 9) }, 3);
  expect([3, 9, 70_000, 70_001].map((id) => tables.isSeen(id))).toEqual([true, false, true, false]);
  await tables.write([object(3), object(9)]);
  await tables.write([object(70_000)]);
  const written = [`${file}.objects.csv`, `${file}.materials.csv`];
  expect(written.map((name) => existsSync(name))).toEqual([false, false]);
  expect(await tables.close()).toEqual(written);
  expect(readFileSync(`${file}.objects.csv`, 'utf8')).toBe(
    [
      'id,name,class,model,x_m,y_m,z_m,qx,qy,qz,qw,scale',
      '3,tree-3,tree,"oak, old",500000.5,5399998,303,0,0,0.6,0.8,1.25',
      '70000,tree-70000,tree,"oak, old",500000.5,5399998,70300,0,0,0.6,0.8,1.25',
      '',
    ].join('\n'),
  );
  expect(readFileSync(`${file}.materials.csv`, 'utf8')).toBe('id,name\n0,bark\n');
});

it('writes no table for ids that the file does not hold, and replaces none unasked', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'cloud.csv');
  expect(await (await open(file, ['x_m'])).close()).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
  writeFileSync(`${file}.materials.csv`, 'mine');
  await expect(open(file, ['object_id', 'material_id'])).rejects.toMatchObject({
    details: { reason: 'exists' },
  });
  expect(readdirSync(folder)).toEqual(['cloud.csv.materials.csv']);
  await (await open(file, ['object_id', 'material_id'], true)).abort();
  expect(readFileSync(`${file}.materials.csv`, 'utf8')).toBe('mine');
});
