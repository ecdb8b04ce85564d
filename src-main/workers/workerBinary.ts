// Where the native worker lies: in the build folder of a clone, or beside a packaged application.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packageRoot = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Absolute path of scanWorker.
 * @param resourcesPath folder of a packaged application's resources; null in a clone.
 */
export function workerBinaryFile(resourcesPath: string | null = null): string {
  return resourcesPath === null
    ? join(packageRoot, 'build', 'release', 'scanWorker')
    : join(resourcesPath, 'scanWorker');
}
