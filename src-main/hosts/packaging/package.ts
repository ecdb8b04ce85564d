// `npm run package`: the desktop app as a folder, a .deb or an AppImage, in dist.
//   npm run package [-- dir|deb|AppImage …]    default: dir
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, Platform, type LinuxPackager } from 'electron-builder';
import { workerBinary } from '#hosts/packageFolders.ts';
import { understoryVersion } from '#hosts/version.ts';
import { buildDesktop } from './buildDesktop.ts';
import { makeDeb } from './debPackage.ts';
import { findElectron } from './electronRuntime.ts';
import { setFuses } from './fuses.ts';
import { makeWorkerFolder } from './workerFolder.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const wanted = process.argv.slice(2);
const unpackedFolder = join(root, 'dist', 'linux-unpacked');

const runtime = findElectron(process.env, join(root, 'build', 'package', 'stand-in'));
if (runtime.isStandIn) {
  say('Electron is not to be had here: the package gets a stand-in that cannot open a window.');
  say('(ELECTRON_OVERRIDE_DIST_PATH names a copy of Electron to be used instead.)');
}
await buildDesktop(root);
const libraries = makeWorkerFolder(workerBinary, join(root, 'build', 'package', 'worker'));
say(`the worker takes along: ${libraries.join(', ')}`);
rmSync(unpackedFolder, { recursive: true, force: true });
const files = await build({
  projectDir: root,
  // Why no deb among them: electron-builder fetches a tool for it, dpkg-deb is there.
  targets: Platform.LINUX.createTarget(['dir', ...wanted.filter((name) => name === 'AppImage')]),
  publish: 'never',
  // Beside what electron-builder.yml says.
  config: {
    electronVersion: runtime.version,
    electronDist: runtime.folder,
    afterPack: async ({ appOutDir, packager }) => {
      await setFuses(join(appOutDir, (packager as LinuxPackager).executableName));
    },
  },
});
if (wanted.includes('deb')) {
  const deb = makeDeb({
    unpackedFolder,
    iconFile: join(root, 'assets', 'icons', 'icon.png'),
    scratchFolder: join(root, 'build', 'package', 'deb'),
    outFolder: join(root, 'dist'),
    version: understoryVersion,
  });
  files.push(deb);
}
say([unpackedFolder, ...files].join('\n'));

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
