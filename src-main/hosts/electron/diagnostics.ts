// The diagnostic bundle: what support needs to see, in one ZIP file that the user may look through
// before it is sent. It never holds points, scenarios or names of other files.
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { readEndSync } from '#files/regularFileSync.ts';

/** Size of the end of the log that is included. */
const maxLogBytes = 2 * 1024 * 1024;

export interface DiagnosticInput {
  dataFolder: string;
  version: string;
  /** Versions of Electron, Chromium and Node. */
  versions: Record<string, string | undefined>;
  /** Names of crash reports that lie on this machine, without their contents. */
  crashReports: readonly string[];
}

/** Writes the bundle to `file`, whole or not at all. @throws what the operating system says */
export function writeDiagnostics(file: string, input: DiagnosticInput): void {
  const { dataFolder, version, versions, crashReports } = input;
  const about = {
    understory: version,
    versions,
    system: { platform: platform(), release: release(), arch: arch() },
    processors: { model: cpus()[0]?.model ?? 'unknown', count: cpus().length },
    memoryBytes: totalmem(),
    crashReports,
  };
  const bundle = zipSync({
    'about.json': strToU8(`${JSON.stringify(about, null, 2)}\n`),
    'understory.log': tailOf(join(dataFolder, 'understory.log')),
  });
  const aside = `${file}.part`;
  try {
    writeFileSync(aside, bundle);
    renameSync(aside, file);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

/** The last bytes of a file; none where there is no such file. */
function tailOf(file: string): Uint8Array {
  try {
    return readEndSync(file, maxLogBytes);
  } catch {
    // Why swallowed: a log that was never begun has nothing to say.
    return new Uint8Array();
  }
}
