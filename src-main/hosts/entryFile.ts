// Files that other threads and processes start with.
import { fileURLToPath } from 'node:url';

/** The entry `name` beside the module at `moduleUrl`: in the sources, and in the bundle of a package. */
export function entryFileBeside(moduleUrl: string, name: string): string {
  return fileURLToPath(new URL(`${name}.${moduleUrl.endsWith('.ts') ? 'ts' : 'js'}`, moduleUrl));
}
