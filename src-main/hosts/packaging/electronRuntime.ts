// Where Electron's binary comes from when the app is packaged: ELECTRON_OVERRIDE_DIST_PATH, else what the npm
// package electron has fetched, else a stand-in that shows that packaging works, and cannot open a window.
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface ElectronRuntime {
  /** Holds `electron` and what belongs to it. */
  folder: string;
  version: string;
  isStandIn: boolean;
}

/** `scratchFolder`: where a stand-in may be made. */
export function findElectron(
  environment: Record<string, string | undefined>,
  scratchFolder: string,
): ElectronRuntime {
  const require = createRequire(import.meta.url);
  const packageFile = require.resolve('electron/package.json');
  const { version } = require(packageFile) as { version: string };
  const given = environment['ELECTRON_OVERRIDE_DIST_PATH'];
  const candidates = [given, join(dirname(packageFile), 'dist')];
  const folder = candidates.find(
    (path) => path !== undefined && existsSync(join(path, 'electron')),
  );
  if (folder !== undefined) return { folder, version, isStandIn: false };
  makeStandIn(scratchFolder);
  return { folder: scratchFolder, version, isStandIn: true };
}

/** Electron's mark of where the fuses lie (electron/fuses, README), version 1, nine fuses, all of them off. */
const fuseWire = Buffer.concat([
  Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'),
  Buffer.from([1, 9]),
  Buffer.from('0'.repeat(9)),
]);

function makeStandIn(folder: string): void {
  mkdirSync(join(folder, 'resources'), { recursive: true });
  const script = Buffer.from(
    '#!/bin/sh\necho "This package was built without Electron: it cannot open a window." >&2\nexit 1\n',
  );
  writeFileSync(join(folder, 'electron'), Buffer.concat([script, fuseWire]));
  chmodSync(join(folder, 'electron'), 0o755);
}
