// Bundles the code of a package: the desktop app to dist/electron (main process and run process as modules, the
// preload as CommonJS, as a sandbox requires) and the command line to dist/cli. Migrations and the hash of the
// simulating sources lie beside both.
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type InlineConfig } from 'vite';
import { migrationsFolder } from '#catalogue/migrate.ts';
import { bundledHashFile, simulatingSources } from '#hosts/simulatingSources.ts';

/** Modules outside of the bundle: the runtime itself, native ones, and those that read WebAssembly beside themselves. */
const externals = [
  'electron',
  'better-sqlite3',
  '@resvg/resvg-js',
  'laz-perf',
  '@foxglove/wasm-bz2',
  '@foxglove/wasm-lz4',
];
/** Modules that libraries use where they are installed: tools of the clone may have them, a package has not. */
const optional = ['supports-color'];

/** Replaces what was there. `rootFolder`: of the clone, absolute. */
export async function buildDesktop(rootFolder: string): Promise<void> {
  const outFolder = join(rootFolder, 'dist', 'electron');
  const sources = join(rootFolder, 'src-main', 'hosts', 'electron');
  rmSync(outFolder, { recursive: true, force: true });
  await build(
    bundleOf(rootFolder, outFolder, {
      input: {
        main: join(sources, 'main.ts'),
        runEntry: join(sources, 'runEntry.ts'),
        textEntry: join(rootFolder, 'src-main', 'hosts', 'node', 'textEntry.ts'),
        sourceEntry: join(rootFolder, 'src-main', 'hosts', 'node', 'sourceEntry.ts'),
        octreeEntry: join(rootFolder, 'src-main', 'hosts', 'node', 'octreeEntry.ts'),
        importEntry: join(rootFolder, 'src-main', 'hosts', 'node', 'importEntry.ts'),
        // For tests, which open a package without its window.
        services: join(rootFolder, 'src-main', 'hosts', 'compose.ts'),
        commandLine: join(rootFolder, 'src-main', 'hosts', 'cli', 'commandLine.ts'),
      },
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    }),
  );
  await build(
    bundleOf(rootFolder, outFolder, {
      input: { preload: join(sources, 'preload', 'preload.ts') },
      output: { format: 'cjs', entryFileNames: '[name].cjs' },
    }),
  );
  writeDataFiles(outFolder);
}

/** The command line and its run process. Replaces what was there. `rootFolder`: of the clone, absolute. */
export async function buildCommandLine(rootFolder: string): Promise<void> {
  const outFolder = join(rootFolder, 'dist', 'cli');
  const sources = join(rootFolder, 'src-main', 'hosts');
  rmSync(outFolder, { recursive: true, force: true });
  await build(
    bundleOf(rootFolder, outFolder, {
      input: {
        main: join(sources, 'cli', 'main.ts'),
        entry: join(sources, 'runProcess', 'entry.ts'),
        textEntry: join(sources, 'node', 'textEntry.ts'),
        sourceEntry: join(sources, 'node', 'sourceEntry.ts'),
        octreeEntry: join(sources, 'node', 'octreeEntry.ts'),
        importEntry: join(sources, 'node', 'importEntry.ts'),
      },
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    }),
  );
  writeDataFiles(outFolder);
}

/** Writes the data files that the code reads beside itself. */
function writeDataFiles(outFolder: string): void {
  const engine = { simulatingSources: simulatingSources() };
  writeFileSync(join(outFolder, bundledHashFile), `${JSON.stringify(engine)}\n`);
  cpSync(migrationsFolder, join(outFolder, 'migrations'), { recursive: true });
}

type BundleOptions = NonNullable<NonNullable<InlineConfig['build']>['rollupOptions']>;

function bundleOf(root: string, outDir: string, rollupOptions: BundleOptions): InlineConfig {
  return {
    configFile: false,
    root,
    logLevel: 'warn',
    // Why: what a production build asks for, not what the shell that builds happens to have.
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      target: 'node24',
      minify: false,
      sourcemap: true,
      rollupOptions: { ...rollupOptions, external: [...externals, ...optional] },
    },
    ssr: { noExternal: true, external: [...externals, ...optional] },
  };
}
