// The length of C++ functions: `npm run check` fails for one of more than 120 lines.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/recordings/temporary.ts';
import { longFunctions, maxFunctionLines } from './nativeFunctions.ts';

const check = path.join(import.meta.dirname, 'checkNativeFunctions.ts');

/** A function of so many lines of code in a namespace, with a comment, an empty line and a block inside. */
function sourceOf(lines: number): string {
  return [
    '#include <vector>',
    'namespace understory {',
    'namespace {',
    '',
    '// Why: it is long.',
    'void longOne(int first,',
    '             int second) {',
    '  // A comment.',
    '',
    '  if (first) {',
    ...Array.from({ length: lines - 5 }, () => '    call();'),
    '  }',
    '}',
    '',
    '}  // namespace',
    '}  // namespace understory',
    '',
  ].join('\n');
}

it('counts the code of a function with its head, which may take several lines', () => {
  expect(longFunctions(sourceOf(maxFunctionLines))).toEqual([]);
  expect(longFunctions(sourceOf(maxFunctionLines + 1))).toEqual([
    { line: 6, head: 'void longOne(int first,', lines: maxFunctionLines + 1 },
  ]);
});

it('counts neither classes and tables nor functions together', () => {
  const many = Array.from({ length: 200 }, (_, index) => `  int member${index} = 0;`).join('\n');
  const list = `constexpr int table[] = {\n${many}\n};\n`;
  const short = 'int one() {\n  return 1;\n}\n'.repeat(100);
  expect(longFunctions(`class A {\n${many}\n};\n${list}${short}`)).toEqual([]);
  expect(longFunctions('int one() { return 1; }\n\nint two() {\n  return 2;\n}\n', 2)).toEqual([
    { line: 3, head: 'int two() {', lines: 3 },
  ]);
});

it('the check fails with file and line', () => {
  const root = temporaryFolder();
  mkdirSync(path.join(root, 'native-workers/core'), { recursive: true });
  writeFileSync(path.join(root, 'native-workers/core/a.cpp'), sourceOf(130));
  const { status, stdout } = spawnSync(process.execPath, [check, root], { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stdout).toBe(
    'native-workers/core/a.cpp:6: 130 lines, at most 120: void longOne(int first,\n',
  );
  const own = spawnSync(process.execPath, [check], { encoding: 'utf8' });
  expect([own.status, own.stdout]).toEqual([0, '']);
});
