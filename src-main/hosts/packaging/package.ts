// `npm run package`: the desktop app as a folder, a .deb or an AppImage, in dist.
//   npm run package [-- dir|deb|AppImage …]    default: dir
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, Platform, type Configuration, type LinuxPackager } from 'electron-builder';
import { parse } from 'yaml';
import { workerBinary } from '#hosts/packageFolders.ts';
import { buildDesktop } from './buildDesktop.ts';
import { findElectron } from './electronRuntime.ts';
import { setFuses } from './fuses.ts';
import { makeWorkerFolder } from './workerFolder.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const targets = process.argv.slice(2);

const runtime = findElectron(process.env, join(root, 'build', 'package', 'stand-in'));
if (runtime.isStandIn) {
  say('Electron is not to be had here: the package gets a stand-in that cannot open a window.');
  say('(ELECTRON_OVERRIDE_DIST_PATH names a copy of Electron to be used instead.)');
}
await buildDesktop(root);
const libraries = makeWorkerFolder(workerBinary, join(root, 'build', 'package', 'worker'));
say(`the worker takes along: ${libraries.join(', ')}`);
const files = await build({
  projectDir: root,
  targets: Platform.LINUX.createTarget(targets.length > 0 ? targets : ['dir']),
  publish: 'never',
  config: {
    ...(parse(readFileSync(join(root, 'electron-builder.yml'), 'utf8')) as Configuration),
    electronVersion: runtime.version,
    electronDist: runtime.folder,
    afterPack: async ({ appOutDir, packager }) => {
      await setFuses(join(appOutDir, (packager as LinuxPackager).executableName));
    },
  },
});
say(['dist/linux-unpacked', ...files].join('\n'));

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
