// Where the parts of this copy of Understory lie that are not TypeScript.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packageFolder = fileURLToPath(new URL('../../', import.meta.url));

/** The samples: sensors, scenarios, plants. */
export const assetsFolder = join(packageFolder, 'assets');
/** The built page of the web host. */
export const rendererFolder = join(packageFolder, 'dist', 'renderer');
/** The native worker. */
export const workerBinary = join(packageFolder, 'build', 'release', 'scanWorker');
/** The micro-benchmarks of its kernels; built on demand. */
export const kernelBenchBinary = join(packageFolder, 'build', 'release', 'microBenchmarks');
