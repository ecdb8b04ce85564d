// Classes of volumes from a scan over files to a log: stated by our own files, otherwise by their names.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { LogReplies } from '#contract/host/logMethods.ts';
import { flatGround, placed, scenario, sensor } from '#test/support/documents.ts';
import { printedJson, ran } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { csvRows } from '#test/support/scan.ts';

type Import = LogReplies['log.import'];

/** Labels by class_id of the returns of a log. */
async function labelsOf(folder: string): Promise<Record<string, number[]>> {
  await ran(folder, 'log', 'export', 'x.log', '--out', 'log.csv', '--force');
  const found: Record<string, number[]> = {};
  for (const { class_id: id, label = NaN, state } of csvRows(join(folder, 'log.csv'))) {
    if (state === 1) found[String(id)] = [...new Set([...(found[String(id)] ?? []), label])];
  }
  return found;
}

it.each(['npz', 'ply', 'pcd'])('a scan as %s states them', async (ending) => {
  const folder = temporaryFolder({
    'slab.csv': 'i,j,k,x_m,y_m,z_m,plant_area_density_m2_per_m3\n0,0,0,4,0,1,20\n1,0,0,5,0,1,20\n',
    'scene.yaml': scenario({
      models: {
        // Names that do not state it.
        blob: { kind: 'voxels', file: 'slab.csv', material: 'grey' },
        box: { kind: 'box', sizeM: [1, 1, 3], material: 'grey' },
      },
      ground: flatGround(30),
      instances: [placed('blob', [0, 0, 0]), { ...placed('box', [-4, 0, 0]), class: 'thing' }],
    }),
    'lidar.yaml': sensor({
      scan: { kind: 'spinning', rateHz: 10, slotsPerRevolution: 360 },
      banks: [{ name: 'column', elevationsDeg: [-20, 0] }],
    }),
  });
  const scene = join(folder, 'scene.yaml');
  const scan = ['scan', scene, '--sensor', join(folder, 'lidar.yaml'), '--pose', '0,0,1,0'];
  const out = ['--misses', '--columns', 'default,beam', '--out', `x.${ending}`];
  await ran(folder, ...scan, '--seconds', '0.1', ...out);
  const { notes } = await printedJson<Import>(
    folder,
    ...['log', 'import', `x.${ending}`, '--out', 'x.log'],
  );
  expect(notes.join()).not.toContain('classes');
  // Ground, voxels and the box, in the order of the classes.
  expect(await labelsOf(folder)).toEqual({ 0: [1], 1: [2], 2: [1] });
});

it('names decide in other files, and unknown ones are noted', async () => {
  const head = 'time_ns,origin_x_m,origin_y_m,origin_z_m,x_m,y_m,z_m,class';
  const classes = ['beech', 'street', 'thing', 'thing'];
  const lines = classes.map((name, n) => `${n},0,0,0,${n + 1},0,0,${name}`);
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'x.csv'), [head, ...lines, ''].join('\n'));
  const { notes } = await printedJson<Import>(
    folder,
    ...['log', 'import', 'x.csv', '--out', 'x.log'],
  );
  expect(notes.filter((note) => note.includes('classes'))).toEqual([
    expect.stringContaining("surfaces: 'thing';"),
  ]);
  expect(await labelsOf(folder)).toEqual({ 0: [2], 1: [1], 2: [0] });
});
