// The length of C++ functions: `npm run check` fails for one of more than 120 lines.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/folder.ts';
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

/** A body of so many lines. */
function bodyOf(lines: number, indent: string): string {
  return `${`${indent}  call();\n`.repeat(lines)}${indent}}`;
}

it('counts the functions of classes, nested ones and their constructors', () => {
  const source = `class A final : public B<int> {
 public:
  explicit A(int first,
             int second)
      : first_(first),
        second_{second} {
${bodyOf(3, '  ')}

  struct Inner {
    template <typename Visit>
    void visit(Visit&& each) const {
${bodyOf(4, '    ')}
    int one() const { return 1; }
    std::vector<int> list{
        1,
        2,
    };
  };

  enum class Kind {
    one,
    two,
  };

  A(const A&) = delete;
  void after(
      int value);
  bool isLast() const override {
${bodyOf(5, '  ')}

 private:
  int first_;
};

template <typename T>
struct Box {
  T get() {
${bodyOf(2, '  ')}
};

struct Box<int> boxOf(int value) {
${bodyOf(6, '')}
`;
  expect(longFunctions(source, 3)).toEqual([
    { line: 3, head: 'explicit A(int first,', lines: 8 },
    { line: 14, head: 'void visit(Visit&& each) const {', lines: 6 },
    { line: 35, head: 'bool isLast() const override {', lines: 7 },
    { line: 49, head: 'T get() {', lines: 4 },
    { line: 55, head: 'struct Box<int> boxOf(int value) {', lines: 8 },
  ]);
  expect(longFunctions(source, 7).map(({ lines }) => lines)).toEqual([8, 8]);
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
