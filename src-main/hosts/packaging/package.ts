// `npm run package`: the desktop app as a folder, a .deb or an AppImage, and the command line as an archive, in dist.
//   npm run package [-- dir|deb|AppImage|archive …]    default: dir
import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LinuxPackager } from 'electron-builder';
import { workerBinary } from '#hosts/packageFolders.ts';
import { understoryVersion } from '#hosts/version.ts';
import { makeArchive } from './archive.ts';
import { buildCommandLine, buildDesktop } from './buildDesktop.ts';
import { makeCommandFolder } from './commandFolder.ts';
import { makeDeb } from './debPackage.ts';
import { findElectron } from './electronRuntime.ts';
import { setFuses } from './fuses.ts';
import { nativeNotices, noticesText, npmNotices } from './notices.ts';
import { makeWorkerFolder } from './workerFolder.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const wanted = process.argv.slice(2);
const unpackedFolder = join(root, 'dist', 'linux-unpacked');

const parts = join(root, 'build', 'package');
const noticesFolder = join(parts, 'notices');
const fontFolder = join(root, 'node_modules', '@expo-google-fonts', 'ibm-plex-sans');

await buildCommandLine(root);
makeCommandFolder(root, join(parts, 'cli'));
const files: string[] = [];
if (wanted.includes('archive')) files.push(packArchive());
if (wanted.length === 0 || wanted.some((name) => name !== 'archive')) {
  files.push(...(await packDesktop()));
}
say(files.join('\n'));

function packArchive(): string {
  const workerFolder = join(parts, 'archive-worker');
  writeNotices(noticesFolder, makeWorkerFolder(workerBinary, workerFolder, true));
  const { file, glibc } = makeArchive({
    commandFolder: join(parts, 'cli'),
    workerFolder,
    noticesFolder,
    fontFolder,
    scratchFolder: join(parts, 'archive'),
    outFolder: join(root, 'dist'),
    version: understoryVersion,
  });
  say(`the archive needs GNU C library ${glibc} or newer`);
  return file;
}

/** The unpacked folder, and what else is wanted. */
async function packDesktop(): Promise<string[]> {
  const runtime = findElectron(process.env, join(parts, 'stand-in'));
  if (runtime.isStandIn) {
    say('Electron is not available here: the package gets a stand-in that cannot open a window.');
    say('(ELECTRON_OVERRIDE_DIST_PATH names a copy of Electron to be used instead.)');
  }
  await buildDesktop(root);
  const libraries = makeWorkerFolder(workerBinary, join(parts, 'worker'));
  say(`libraries of the worker: ${libraries.map((library) => basename(library)).join(', ')}`);
  writeNotices(noticesFolder, libraries);
  rmSync(unpackedFolder, { recursive: true, force: true });
  // Why here: an archive alone needs none of it.
  const { build, Platform } = await import('electron-builder');
  const built = await build({
    projectDir: root,
    // Why no deb among them: electron-builder fetches a tool for it, dpkg-deb is there.
    targets: Platform.LINUX.createTarget(['dir', ...wanted.filter((name) => name === 'AppImage')]),
    publish: 'never',
    // Beside what electron-builder.yml says.
    config: {
      electronVersion: runtime.version,
      electronDist: runtime.folder,
      afterPack: async ({ appOutDir, packager }) => {
        // Why here: among extra resources electron-builder leaves node_modules out.
        cpSync(join(parts, 'cli'), join(appOutDir, 'resources', 'cli'), { recursive: true });
        await setFuses(join(appOutDir, (packager as LinuxPackager).executableName));
      },
    },
  });
  return [unpackedFolder, ...built, ...(wanted.includes('deb') ? [packDeb()] : [])];
}

function packDeb(): string {
  return makeDeb({
    unpackedFolder,
    iconFile: join(root, 'assets', 'icons', 'icon.png'),
    noticesFolder,
    scratchFolder: join(parts, 'deb'),
    outFolder: join(root, 'dist'),
    version: understoryVersion,
  });
}

/** LICENSE and THIRD-PARTY-NOTICES.txt. */
function writeNotices(folder: string, nativeLibraries: readonly string[]): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const notices = [...npmNotices(root), ...nativeNotices(nativeLibraries)];
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), noticesText(understoryVersion, notices));
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
