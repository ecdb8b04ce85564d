// The licence notices of everything that a package of Understory contains: npm packages, the libraries of the native
// worker, header-only libraries compiled into it, Node and Electron. Guarantees: a part without a licence text is an
// error, not a gap.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { UnderstoryError } from '#contract/errors.ts';

export interface Notice {
  /** 'vue 3.5.45'. */
  name: string;
  /** SPDX expression or a short name; '' where only the text says it. */
  licence: string;
  text: string;
}

/** Build tools whose helper code ends up in the bundles. */
const bundlers = ['vite', '@vitejs/plugin-vue', 'rolldown'];
/** Header-only libraries of the worker: Debian packages. */
const headerPackages = [
  'nlohmann-json3-dev',
  'librandom123-dev',
  'libeigen3-dev',
  'libnanoflann-dev',
];

interface LockedPackage {
  version?: string;
  dev?: boolean;
  optional?: boolean;
}

interface PackageFile {
  name: string;
  version: string;
  license?: string;
  author?: string | { name?: string };
  homepage?: string;
}

/** Notices of the npm packages that are installed and not for development only, sorted by name. */
export function npmNotices(rootFolder: string): Notice[] {
  const lock = JSON.parse(readFileSync(join(rootFolder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const folders = Object.entries(lock.packages)
    .filter(([folder, { dev }]) => folder !== '' && (dev !== true || isBundler(folder)))
    .map(([folder]) => join(rootFolder, folder))
    .filter((folder) => existsSync(join(folder, 'package.json')));
  return sortedByName(folders.map(npmNotice));
}

/** Notices of shared libraries, as Debian packages, and of the header-only ones. `libraries`: absolute paths. */
export function nativeNotices(libraries: readonly string[]): Notice[] {
  const owners = libraries.map((library) => debianPackageOf(realpathSync(library)));
  return sortedByName([...new Set([...owners, ...headerPackages])].map(debianNotice));
}

/** One text: an index of names and licences, then every licence in full. */
export function noticesText(version: string, notices: readonly Notice[]): string {
  const index = notices.map(({ name, licence }) => `- ${name}${licence && ` (${licence})`}`);
  const rule = '='.repeat(80);
  const texts = notices.map(({ name, text }) => `${rule}\n${name}\n${rule}\n\n${text.trim()}\n`);
  const head = `Understory ${version} contains the following third-party software.\n`;
  return [head, ...index, '', ...texts].join('\n');
}

function isBundler(folder: string): boolean {
  return bundlers.some((name) => folder === `node_modules/${name}`);
}

function npmNotice(folder: string): Notice {
  const file = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageFile;
  const { name, version, license = '' } = file;
  const texts = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => /^(licen[cs]e|copying|notice)/i.test(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => licenceFiles(join(folder, entry.name), entry.isDirectory()))
    .map((path) => readFileSync(path, 'utf8'));
  if (texts.length === 0 && license === '') {
    throw new UnderstoryError('not-found', `the npm package ${name} states no licence`);
  }
  const author = typeof file.author === 'string' ? file.author : (file.author?.name ?? '');
  // Some packages name their licence and bring no text.
  const stated = `Licence: ${license}\n${author && `Author: ${author}\n`}${file.homepage ?? ''}`;
  return { name: `${name} ${version}`, licence: license, text: texts.join('\n\n') || stated };
}

/** The file itself; of a folder, the files in it. */
function licenceFiles(path: string, isFolder: boolean): string[] {
  if (!isFolder) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(path, entry.name));
}

function debianPackageOf(file: string): string {
  // Why both: on systems with a merged /usr, dpkg lists some files by their path without it.
  for (const path of [file, file.replace(/^\/usr/, '')]) {
    try {
      const found = execFileSync('dpkg-query', ['-S', path], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      return found.split(':')[0] ?? '';
    } catch {
      continue;
    }
  }
  throw new UnderstoryError('not-found', `no Debian package owns ${file}`);
}

function debianNotice(name: string): Notice {
  const file = `/usr/share/doc/${name}/copyright`;
  if (!existsSync(file)) throw new UnderstoryError('not-found', `${file} is missing`);
  const query = ['-W', '-f', '${Version}', name];
  const version = execFileSync('dpkg-query', query, { encoding: 'utf8' });
  return { name: `${name} ${version} (Debian)`, licence: '', text: readFileSync(file, 'utf8') };
}

function sortedByName(notices: Notice[]): Notice[] {
  return notices.sort((a, b) => (a.name < b.name ? -1 : 1));
}
