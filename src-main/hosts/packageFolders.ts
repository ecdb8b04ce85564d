// The folders of this copy of Understory that are data, not code.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packageFolder = fileURLToPath(new URL('../../', import.meta.url));

export const assetsFolder = join(packageFolder, 'assets');
/** The built page of the web host. */
export const rendererFolder = join(packageFolder, 'dist', 'renderer');
