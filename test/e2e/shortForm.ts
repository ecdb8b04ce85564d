// One path through every part of the page, as `npm test` runs it.
import { join } from 'node:path';
import { projectRoot } from '../stages.ts';

/** Files of the short form. */
export const shortForm = ['firstPage', 'shell', 'newcomer', 'opening'].map(
  (name) => `test/e2e/${name}.test.ts`,
);

/** For tests of the page: that of the set-up. */
export const pageEnvironment = { UNDERSTORY_BUILT_PAGE: join(projectRoot, 'dist/renderer') };
