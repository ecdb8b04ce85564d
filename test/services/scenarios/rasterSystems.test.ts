// Systems and units of rasters: what is not in metres is refused with its unit's name, and an option that replaces the
// system of a file is said.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { requests } from '#contract/host/methods.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { convertFiles, createConversion } from '#services/scenarios/convertFiles.ts';
import { geoTiff } from '#test/domain/import/terrain/geoTiffFile.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const grid = 'ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 2\n1 2\n3 4\n';
const files = createNodeFiles({ assetsFolder });

/** The notes of an import, or its problem. */
async function importOf(write: (folder: string) => string, crs?: string): Promise<string> {
  const folder = temporaryFolder();
  const out = join(folder, 'x.yaml');
  const request = requests['scenario.import'].parse({ files: [write(folder)], out, crs });
  try {
    const { sources, text } = await convertFiles(createConversion(files), request);
    return [...(sources[0]?.notes ?? []), /crs: .*/.exec(text)?.[0] ?? 'no system'].join('\n');
  } catch (error) {
    const { details } = error as { details: { problems: { message: string }[] } };
    return details.problems.map(({ message }) => message).join('\n');
  }
}
const ofTiff =
  (geoKeys: Record<number, number>) =>
  (folder: string): string => {
    const file = join(folder, 'x.tif');
    writeFileSync(file, geoTiff({ geoKeys }));
    return file;
  };
const ofGrid =
  (prj: string) =>
  (folder: string): string => {
    writeFileSync(join(folder, 'x.prj'), prj);
    const file = join(folder, 'x.asc');
    writeFileSync(file, grid);
    return file;
  };

it.each<[string, (folder: string) => string, string]>([
  ['feet of a key', ofTiff({ 3072: 2994, 3076: 9002 }), 'found foot (0.3048 m)'],
  ['feet of a system', ofTiff({ 3072: 2277 }), 'found US survey foot (0.304801 m)'],
  ['heights in feet', ofTiff({ 3072: 25832, 4099: 9003 }), 'heights in metres, found US survey'],
  ['degrees of a .prj', ofGrid('GEOGCS["a",UNIT["degree",0.01745]]'), "angles ('degree')"],
  ['feet of a .prj', ofGrid('PROJCS["a",UNIT["Foot_US",0.3048006096]]'), 'found Foot_US (0.304801'],
])('refuses %s', async (_name, write, found) => {
  expect(await importOf(write)).toContain(found);
});

it('takes metres, and says what an option replaces', async () => {
  expect(await importOf(ofTiff({ 3072: 25832, 3076: 9001 }))).toContain("crs: 'EPSG:25832'");
  const replaced = await importOf(ofTiff({ 3072: 25832 }), 'EPSG:32632');
  expect(replaced).toContain('--crs EPSG:32632 replaces the system of the file, EPSG:25832');
  expect(replaced).toContain("crs: 'EPSG:32632'");
  expect(await importOf(ofGrid('PROJCS["a",UNIT["metre",1]]'))).toContain('PROJCS');
});
