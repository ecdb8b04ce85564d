// The kinds of scan are handled in one folder of TypeScript and one file of C++; all others take the properties of a kind
// from these.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '../stages.ts';
import { projectFiles } from './projectFiles.ts';

/** How sources distinguish kinds of scan. */
const inTypeScript =
  /\bscan\.kind (?:===|!==)|switch \(scan\.kind|'spinning'|literal\('(?:sweep|image)'\)|\bkind(?::| ===| !==) '(?:sweep|image)'|case '(?:sweep|image)'/;
const inCpp = /\bScanKind::/;

it('only one folder of TypeScript and one file of C++ depend on the kind of scan', () => {
  // Experiments of the validation are about sensors of a kind each; Markdown has images, too.
  const sources = projectFiles(projectRoot, /\.(?:ts|vue|cpp|h)$/).filter(
    (file) =>
      /^(?:src-main|src-renderer|native-workers)\//.test(file) &&
      !file.startsWith('src-main/validation/') &&
      !file.endsWith('/markdownNodes.ts'),
  );
  const knowing = sources.filter((file) => {
    const pattern = /\.(?:ts|vue)$/.test(file) ? inTypeScript : inCpp;
    return pattern.test(readFileSync(path.join(projectRoot, file), 'utf8'));
  });
  expect(knowing).toEqual([
    'native-workers/core/sensor/scanLayout.cpp',
    'src-main/contract/documents/scan/affineAims.ts',
    'src-main/contract/documents/scan/compileScan.ts',
    'src-main/contract/documents/scan/scanPattern.ts',
    'src-main/contract/documents/scan/scanRecipe.ts',
  ]);
});
