// Coordinate reference systems by EPSG code, from assets/crs. The table is read at the first question.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** Gives the well-known text of a projected, compound, vertical or geographic system; null: the table has no such code. */
export function createEpsgTable(assetsFolder: string): (code: number) => Promise<string | null> {
  let table: Promise<ReadonlyMap<number, string>> | null = null;
  return async (code) => {
    table ??= readTable(join(assetsFolder, 'crs', 'epsg.tsv.gz'));
    return (await table).get(code) ?? null;
  };
}

async function readTable(file: string): Promise<ReadonlyMap<number, string>> {
  const text = (await promisify(gunzip)(await readFile(file))).toString('utf8');
  return new Map(
    text.split('\n').flatMap((line) => {
      const tab = line.indexOf('\t');
      return tab < 0 ? [] : [[Number(line.slice(0, tab)), line.slice(tab + 1)] as const];
    }),
  );
}
