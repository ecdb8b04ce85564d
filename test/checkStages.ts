// The static checks, as stages of `npm run check` and of `npm run test:ci`.
import { nodeTool, type Stage } from './stages.ts';

/**
 * The compiler of TypeScript 7: a fifth of the time. Why 6 too: the linter and vue-tsc need its programming interface.
 */
const tsc = 'node_modules/typescript-7/bin/tsc';

/** The longest first: they run two at a time. */
export const checkStages: Stage[] = [
  nodeTool('lint and import rules', 'node_modules/eslint/bin/eslint.js', [
    '--max-warnings',
    '0',
    '.',
  ]),
  nodeTool('words', 'test/checks/checkWords.ts', []),
  nodeTool('document paths', 'test/checks/checkPaths.ts', []),
  nodeTool('import cycles', 'test/checks/checkImportCycles.ts', []),
  nodeTool('native includes', 'test/checks/checkNativeIncludes.ts', []),
  nodeTool('native openers', 'test/checks/checkNativeOpeners.ts', []),
  nodeTool('native function length', 'test/checks/checkNativeFunctions.ts', []),
  nodeTool('format', 'node_modules/prettier/bin/prettier.cjs', [
    '--check',
    '--log-level',
    'warn',
    '.',
  ]),
  nodeTool('C++ format', 'test/checks/checkNativeFormat.ts', []),
  nodeTool('types: contract', tsc, ['-p', 'src-main/contract']),
  nodeTool('types: shared by host and page', tsc, ['-p', 'src-main/domain/shared']),
  nodeTool('types: domain', tsc, ['-p', 'src-main/domain']),
  nodeTool('types: services', tsc, ['-p', 'src-main/services']),
  nodeTool('types: validation', tsc, ['-p', 'src-main/validation']),
  nodeTool('types: adapters and hosts', tsc, ['-p', 'src-main']),
  nodeTool('types: preload', tsc, ['-p', 'src-main/hosts/electron/preload']),
  nodeTool('types: renderer', 'node_modules/vue-tsc/bin/vue-tsc.js', ['-p', 'src-renderer']),
  nodeTool('types: page of a bundle', tsc, ['-p', 'assets/runPage']),
  nodeTool('types: tests', tsc, ['-p', 'test']),
  nodeTool('unused exports', 'node_modules/knip/bin/knip.js', ['--no-progress']),
].map((stage) => ({ ...stage, isSingleThreaded: true }));
