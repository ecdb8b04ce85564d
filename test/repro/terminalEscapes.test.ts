// Escape sequences in names reached the terminal, a name of 10,000 letters made every row of a table that wide, and
// thousands of problems were printed in full.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tableLines } from '#hosts/cli/table.ts';
import { runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';

it('escape sequences of a document are shown, not sent', async () => {
  const folder = temporaryFolder();
  const keys = Array.from({ length: 500 }, (_, index) => `"k${index}\\e[31m": 1`);
  const text = `understory: 2\nname: "a\\e]0;T\\a"\n${keys.join('\n')}\n"${'x'.repeat(1000)}": 1\n`;
  writeFileSync(join(folder, 'a.yaml'), text);
  const { exitCode, stderr } = await runHere(folder, 'scenario', 'check', join(folder, 'a.yaml'));
  expect(exitCode).toBe(2);
  expect(stderr).toContain('\\u001b[31m');
  expect(stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  expect(stderr).toMatch(/and 40\d more/);
  expect(Math.max(...stderr.split('\n').map(({ length }) => length))).toBeLessThan(500);
});

it('a cell of a table is one line of bounded length', () => {
  const lines = tableLines(
    [{ name: `two\nlines ${'n'.repeat(1e4)}` }],
    [{ title: 'name', value: ({ name }) => name, maxLength: 60 }],
  );
  expect(lines).toHaveLength(3);
  expect(lines[2]).toMatch(/^two\\u000alines n+…$/);
  expect(lines[2]?.length).toBe(60);
});
