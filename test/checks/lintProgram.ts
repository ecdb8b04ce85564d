// One TypeScript program of all sources for a whole run of the linter. Why not the linter's project service: it opens
// each component as the text of its script, which makes its program out of date, so that every type that a component
// uses is computed again for each of them (100 of 185 core-seconds); and each tsconfig.json has a program of its own.
// The layers' own options are applied by the type checks (test/checkStages.ts).
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { parser } from 'typescript-eslint';
import vueParser from 'vue-eslint-parser';
import { projectRoot } from '../stages.ts';

/** All linted files with the libraries of both Node and browsers; a component is its script, as the linter reads it. */
export function makeLintProgram(): ts.Program {
  const config = path.join(projectRoot, 'tsconfig.base.json');
  const raw = ts.readConfigFile(config, (file) => ts.sys.readFile(file)).config as {
    compilerOptions: object;
  };
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    {
      compilerOptions: {
        ...raw.compilerOptions,
        lib: ['ESNext', 'DOM', 'DOM.Iterable'],
        types: ['node', 'vite/client'],
      },
      include: ['src-main/**/*.ts', 'src-renderer/**/*', 'test/**/*.ts'],
    },
    ts.sys,
    projectRoot,
    undefined,
    config,
    undefined,
    [{ extension: '.vue', isMixedContent: false, scriptKind: ts.ScriptKind.Deferred }],
  );
  const asScripts = { ...options, allowNonTsExtensions: true };
  const host = ts.createCompilerHost(asScripts, true);
  const ofDisk = host.getSourceFile.bind(host);
  host.getSourceFile = (file, version, ...rest) =>
    file.endsWith('.vue')
      ? ts.createSourceFile(file, scriptOf(file), version, true, ts.ScriptKind.TS)
      : ofDisk(file, version, ...rest);
  return ts.createProgram(fileNames, asScripts, host);
}

type Parse = (code: string, options: { filePath: string; programs?: ts.Program[] }) => object;
const { parseForESLint: parseScript } = parser as { parseForESLint: Parse };

/** The input of the parser of TypeScript for a component, after the expressions of the template. */
function scriptOf(file: string): string {
  let script = '';
  const parseForESLint: Parse = (code, options) => {
    script = code;
    return parseScript(code, options);
  };
  const options = { filePath: file, parser: { parseForESLint }, sourceType: 'module' };
  vueParser.parseForESLint(fs.readFileSync(file, 'utf8'), options);
  return script;
}

/** Why: the same parser reads the expressions of templates, under the same file name; they have no types. */
export function componentParser(program: ts.Program): { parseForESLint: Parse } {
  return {
    parseForESLint(code, options) {
      const isScript = program.getSourceFile(options.filePath)?.text === code;
      return parseScript(code, isScript ? { ...options, programs: [program] } : options);
    },
  };
}
