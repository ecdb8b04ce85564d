// Packages had no assets/species: no stand could be opened by an installed app. Every folder that documents are found
// in by their names is packed.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { projectRoot } from '#test/stages.ts';

/** Pictures are bundled with the page; icons are made into resources; experiments run in a clone. */
const elsewhere = ['icons', 'pictures', 'validation'];

it('packs every folder of assets', () => {
  const text = readFileSync(join(projectRoot, 'electron-builder.yml'), 'utf8');
  const { files } = parse(text) as { files: string[] };
  const folders = readdirSync(join(projectRoot, 'assets')).filter(
    (name) => !elsewhere.includes(name),
  );
  expect(folders).toContain('species');
  for (const folder of folders) {
    const packed = files.filter((pattern) => pattern.startsWith(`assets/${folder}/`));
    expect(packed, folder).toHaveLength(1);
  }
});
