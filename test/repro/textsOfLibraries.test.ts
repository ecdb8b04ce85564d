// Faults of documents came out in the words of libraries ("Maximum call stack size exceeded", "please use
// YAML.parseAllDocuments()"), bytes of another encoding as other letters.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { parseScenario } from '#domain/scenario/documentText.ts';
import { temporaryFolder } from '#test/support/folder.ts';

it.each([
  ['100,000 brackets', `a: ${'['.repeat(100_000)}`, 'expected less nesting'],
  ['two documents', '---\na: 1\n---\nb: 2\n', 'expected one document, found more'],
  ['a NUL character', 'name: "a\0b"\n', 'expected text, found a NUL character'],
])('%s', (_, text, message) => {
  const { problems } = parseScenario(text);
  expect(problems).toHaveLength(1);
  expect(problems[0]?.message).toContain(message);
});

it('a file that is no UTF-8', async () => {
  const file = join(temporaryFolder(), 'latin1.yaml');
  writeFileSync(file, Buffer.from('name: caf\xe9\n', 'latin1'));
  const read = createNodeFiles({ assetsFolder: '' }).readText(file);
  await expect(read).rejects.toMatchObject({ code: 'corrupt' });
});

it('cells of a cost map have a least size, which bounds the stamp of an obstacle', () => {
  const { problems } = parseScenario(`
understory: 2
name: stamps
scene: {}
navigation: { costMap: { cellM: 0.0002 } }
`);
  expect(problems.map(({ path }) => path)).toContain('navigation.costMap.cellM');
});
