// Where the parts of this copy of Understory lie that are not TypeScript.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Two levels up, in the sources (src-main/hosts) and in the bundles (dist/electron, dist/cli) alike.
const packageFolder = dirname(fileURLToPath(new URL('../../package.json', import.meta.url)));
/** A package has no sources. Its files lie in resources/app.asar and resources/cli, the worker beside them. */
const isPackaged = !existsSync(join(packageFolder, 'src-main'));

/** The samples: sensors, scenarios, plants, campaigns. */
export const assetsFolder = join(packageFolder, 'assets');
/** The built page of the web host. */
export const rendererFolder = join(packageFolder, 'dist', 'renderer');
/**
 * The font of pictures, IBM Plex Sans (OFL 1.1): regular and semi-bold. Not Node reads it: it is outside of a package's
 * archive.
 */
export const fontFiles = [
  '400Regular/IBMPlexSans_400Regular.ttf',
  '600SemiBold/IBMPlexSans_600SemiBold.ttf',
].map((file) =>
  isPackaged
    ? join(dirname(packageFolder), 'fonts', file)
    : join(packageFolder, 'node_modules', '@expo-google-fonts', 'ibm-plex-sans', file),
);
/** The native worker. */
export const workerBinary = isPackaged
  ? join(dirname(packageFolder), 'worker', 'scanWorker')
  : join(packageFolder, 'build', 'release', 'scanWorker');
/** The same over MPI ranks: of a built clone; a package has none, since MPI is that of the cluster. */
export const mpiWorkerBinary = isPackaged
  ? null
  : join(packageFolder, 'build', 'release', 'scanWorkerMpi');
/** The same with mutations (native-workers/core/mutation.h): of a built clone; a package has none. */
export const mutantsBinary = isPackaged
  ? null
  : join(packageFolder, 'build', 'release', 'scanWorkerMutants');
/** The micro-benchmarks of its kernels; built on demand. */
export const kernelBenchBinary = join(packageFolder, 'build', 'release', 'microBenchmarks');
