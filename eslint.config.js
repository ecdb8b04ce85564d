// Lint rules, and the import table: the arrows of ARCHITECTURE.md, enforced.
import tseslint from 'typescript-eslint';
import vue from 'eslint-plugin-vue';
import { componentParser, makeLintProgram } from './test/checks/lintProgram.ts';

/** Layer -> what it may import besides its own files: packages, `#folders`, or, ending in / or :, whatever begins so. */
const mayImport = {
  'src-main/contract': ['zod'],
  'src-main/domain/!(scenario|shared|charts|autonomy|import|physics)': ['#contract', '#domain'],
  // Imports of the page, too.
  'src-main/domain/shared': ['#contract'],
  'src-main/domain/charts': ['#contract', '#domain/shared/', 'echarts'],
  // Rule 5: no vehicle, terrain, instruments or judge. Truth columns are refused by the type SensorTable.
  'src-main/domain/autonomy': ['#contract', '#domain/autonomy/', '#domain/shared/'],
  'src-main/domain/physics': ['#contract', '#domain', '@dimforge/rapier3d-deterministic-compat'],
  'src-main/domain/scenario': ['#contract', '#domain', 'yaml', 'zod'],
  'src-main/domain/import': [
    '#contract',
    '#domain',
    '@gltf-transform',
    'meshoptimizer',
    'fast-png',
    'fast-xml-parser',
    'geotiff',
    'yaml',
    'zod',
  ],
  'src-main/services': ['#contract', '#domain', '#services'],
  'src-main/validation': ['#contract', '#domain', '#services', '#validation', 'fast-png'],
  'src-main/files': ['#contract', '#domain/shared/', 'node:'],
  'src-main/catalogue': ['#contract', '#files', '#services/ports/', 'better-sqlite3', 'node:'],
  'src-main/recordings': [
    '#contract',
    '#domain/shared/',
    '#files',
    '#services/ports/',
    '@mcap',
    '@foxglove',
    'fflate',
    'yaml',
    'yauzl',
    'yazl',
    'proj4',
    'hyparquet-writer',
    'laz-perf',
    'node:',
  ],
  'src-main/workers': ['#contract', '#services/ports/', 'node:'],
  ...fromPage('src-renderer', ['vue', 'pinia', 'dockview-vue']),
  ...fromPage('src-renderer/logic', ['dockview-vue', 'marked', 'polyclip-ts', 'yaml']),
  ...fromPage('src-renderer/browser', [], ['logic']),
  ...fromPage('src-renderer/client', ['vue'], ['logic', 'browser']),
  ...fromPage('src-renderer/threads', ['three', 'three-mesh-bvh'], ['logic']),
  ...fromPage('src-renderer/viewer', ['three', 'three-mesh-bvh'], ['logic', 'browser', 'threads']),
  ...fromPage(
    'src-renderer/stores',
    ['vue', 'pinia', 'dockview-vue'],
    ['logic', 'browser', 'client', 'viewer'],
  ),
  ...fromPage(
    'src-renderer/composables',
    ['vue'],
    ['logic', 'browser', 'client', 'viewer', 'stores'],
  ),
  // Why no stores: a component is told what it shows, and reports what was done to it.
  ...fromPage(
    'src-renderer/components',
    ['vue', 'marked'],
    ['logic', 'browser', 'composables/forms', 'composables/plots', 'composables/tables'],
  ),
  ...fromPage(
    'src-renderer/panels',
    ['vue'],
    ['logic', 'browser', 'client', 'viewer', 'stores', 'composables', 'components'],
  ),
  ...fromPage(
    'src-renderer/frame',
    ['vue', 'dockview-vue'],
    ['logic', 'browser', 'client', 'stores', 'composables', 'components', 'panels'],
  ),
};

/** A folder of the page: packages, and the folders below it. */
function fromPage(layer, packages, folders = []) {
  const own = layer === 'src-renderer' ? [] : [layer.replace('src-renderer', '#renderer')];
  const below = folders.map((folder) => `#renderer/${folder}`);
  const ofPage = [...own, ...below].map((folder) => `${folder}/`);
  return { [layer]: ['#contract', '#domain/shared', ...packages, ...ofPage] };
}

/** No path that leaves a folder and returns. */
const detour = { regex: '^(#|\\./).*/?\\.\\./', message: 'name the file by its own folder' };

const importTable = Object.entries(mayImport).flatMap(([layer, allowed]) => [
  importRule(layer, '*/**/*.{ts,vue}', ['\\./', '\\.\\./[^.]', ...allowed.map(wholeName)]),
  // Why apart: from here one folder up is another layer.
  importRule(layer, '*.{ts,vue}', ['\\./', ...allowed.map(wholeName)]),
]);

function importRule(layer, files, beginnings) {
  const allowed = mayImport[layer].join(', ');
  const message = `${layer} imports only its own files and: ${allowed} (ARCHITECTURE.md)`;
  const patterns = [{ regex: `^(?!${beginnings.join('|')})`, message }, detour];
  return {
    files: [`${layer}/${files}`],
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  };
}

const shortHostFunctions = {
  files: ['src-main/**/*.ts'],
  rules: {
    'max-lines-per-function': ['error', { max: 120, skipBlankLines: true, skipComments: true }],
  },
};

const packageImports = { regex: '^\\.\\./\\.\\./', message: 'use a package import (#…)' };

/** Electron is known in its own folder alone. Why the other again: options of a rule are not merged. */
const electronRule = {
  files: ['src-main/hosts/**/*.ts'],
  ignores: ['src-main/hosts/electron/**/*.ts'],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        paths: [{ name: 'electron', message: 'only hosts/electron imports electron' }],
        patterns: [packageImports],
      },
    ],
  },
};

/**
 * Files are opened by src-main/files alone: a name may be that of a pipe, which holds up a thread permanently, of a device,
 * or of a terabyte.
 */
const openers = {
  files: ['src-main/**/*.ts'],
  ignores: [
    'src-main/files/**',
    // Files of the product itself: its page, migrations, sources, tables, scripts and samples.
    'src-main/catalogue/migrate.ts',
    'src-main/hosts/{simulatingSources,staticFiles,version}.ts',
    'src-main/hosts/cli/benchScenes.ts',
    'src-main/hosts/node/epsgTable.ts',
    'src-main/hosts/pages/runPage.ts',
    // Builds of the product, of its own clone.
    'src-main/hosts/packaging/**',
    // Files of the kernel below /proc and /sys.
    'src-main/hosts/cli/launcher.ts',
    'src-main/hosts/node/{nodeMachine,nodeProcessMeter}.ts',
    // The log is only written, non-blocking.
    'src-main/hosts/node/nodeLog.ts',
  ],
  rules: {
    '@typescript-eslint/no-restricted-imports': [
      'error',
      {
        paths: ['fs', 'fs/promises', 'node:fs', 'node:fs/promises'].map((name) => ({
          name,
          importNames: [
            ...['default', 'promises', 'open', 'openSync', 'openAsBlob', 'createReadStream'],
            ...['readFile', 'readFileSync', 'copyFile', 'copyFileSync', 'cp', 'cpSync'],
          ],
          message: 'open files through #files/…',
        })),
      },
    ],
  },
};

/** domain is a function of its arguments: no clock, no chance, no I/O. */
const purity = {
  files: ['src-main/domain/**/*.ts'],
  rules: {
    'no-restricted-globals': [
      'error',
      'fetch',
      'setTimeout',
      'setInterval',
      'performance',
      'process',
      'Date',
    ],
    'no-restricted-properties': ['error', { object: 'Math', property: 'random' }],
  },
};

/** Reads as a merge, and only decides where the formatter breaks lines. */
const literalSpread = {
  selector: 'ObjectExpression > SpreadElement > ObjectExpression',
  message: 'write the members themselves',
};

/**
 * The content of a recording does not depend on the C library of the machine, from which V8 takes `**` alone
 * (domain/shared/numbers.ts). Powers of literals are whole numbers.
 */
const ownPowers = {
  files: [
    'src-main/domain/{autonomy,campaign,physics,random,scene,sensor,shared,trajectory,truth}/**/*.ts',
    'src-main/recordings/{mcap,ros}/**/*.ts',
    'src-main/services/runProcess/**/*.ts',
  ],
  rules: {
    'no-restricted-syntax': [
      'error',
      literalSpread,
      {
        selector:
          "BinaryExpression[operator='**']:not([left.type='Literal'][right.type='Literal']), AssignmentExpression[operator='**='], MemberExpression[object.name='Math'][property.name='pow']",
        message: 'use squared or cubed of domain/shared/numbers.ts',
      },
    ],
  },
};

/** An abort ends a call as 'cancelled' (contract/errors.ts). */
const cancelledAborts = {
  files: ['src-main/{services,hosts,workers,recordings,catalogue}/**/*.ts'],
  rules: {
    'no-restricted-properties': [
      'error',
      { property: 'throwIfAborted', message: 'use throwIfCancelled of contract/errors.ts' },
    ],
  },
};

/** Longer functions are classes in disguise, which no test can enter halfway. */
const shortFunctions = {
  files: ['src-renderer/**/*.{ts,vue}', 'assets/**/*.mjs'],
  rules: {
    'max-lines-per-function': ['error', { max: 120, skipBlankLines: true, skipComments: true }],
  },
};

/** An editor lints what is being typed, and --fix what it has changed: no program of the files as they are then. */
const isWholeRun =
  process.argv[1]?.endsWith('eslint/bin/eslint.js') === true && !process.argv.includes('--fix');
const program = isWholeRun ? makeLintProgram() : undefined;
const projectService = {
  projectService: true,
  tsconfigRootDir: import.meta.dirname,
  extraFileExtensions: ['.vue'],
};

export default tseslint.config(
  {
    ignores: [
      'build/',
      'dist/',
      'out/',
      'node_modules/',
      '**/*.mjs',
      '!assets/**/*.mjs',
      '*.config.*',
    ],
  },
  ...tseslint.configs.recommendedTypeChecked,
  ...vue.configs['flat/recommended'],
  {
    languageOptions: {
      parserOptions: program === undefined ? projectService : { programs: [program] },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-restricted-imports': ['error', { patterns: [packageImports] }],
      'no-restricted-syntax': ['error', literalSpread],
    },
  },
  {
    files: ['**/*.vue'],
    languageOptions: {
      parserOptions:
        program === undefined
          ? { parser: tseslint.parser }
          : { parser: componentParser(program), programs: null },
    },
    // Why off: prettier decides the layout of templates.
    rules: {
      'vue/html-self-closing': 'off',
      'vue/max-attributes-per-line': 'off',
      'vue/singleline-html-element-content-newline': 'off',
      'vue/html-indent': 'off',
      'vue/html-closing-bracket-newline': 'off',
      'vue/multiline-html-element-content-newline': 'off',
    },
  },
  // The page of a bundle, whose types tsc checks (assets/runPage/tsconfig.json).
  {
    files: ['assets/**/*.mjs'],
    ...tseslint.configs.disableTypeChecked,
    languageOptions: { parserOptions: { programs: null, projectService: false } },
  },
  ...importTable,
  cancelledAborts,
  ownPowers,
  shortFunctions,
  electronRule,
  openers,
  purity,
  shortHostFunctions,
);

function wholeName(name) {
  const escaped = name.replace(/[./]/g, '\\$&');
  return /[/:]$/.test(name) ? escaped : `${escaped}(?:\\/|$)`;
}
