// The check of document paths: `npm run check` fails for a dead path in ARCHITECTURE.md.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkStages } from '#test/checkStages.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { deadPaths } from './paths.ts';

const run = promisify(execFile);
const document = `
A scene is in \`a/one.ts\`; \`npm test\` and \`[1, 2]\` are no paths.

\`\`\`
a/           text about b/
  inner/     more
  left/ right/
c/           text
\`\`\`

\`\`\`sh
npm run x/
\`\`\`

| new | \`a/NAME.ts\`, \`README.md\` |
`;

it('finds paths in code and in trees, and replaces placeholders', () => {
  const seen: string[] = [];
  const dead = deadPaths(document, (pattern) => {
    seen.push(pattern);
    return pattern !== 'a/right/';
  });
  expect(seen).toEqual([
    'a/one.ts',
    'a/',
    'a/inner/',
    'a/left/',
    'a/right/',
    'c/',
    'a/*.ts',
    'README.md',
  ]);
  expect(dead).toEqual([{ line: 7, path: 'a/right/' }]);
});

describe('the stage of npm run check', () => {
  let folder: string;
  beforeEach(async () => {
    folder = temporaryFolder();
    await mkdir(path.join(folder, 'assets/sensors'), { recursive: true });
    await writeFile(path.join(folder, 'assets/sensors/one.yaml'), '');
  });
  const stage = checkStages.find(({ name }) => name === 'document paths');
  const check = async (text: string): Promise<{ stdout: string }> => {
    await writeFile(path.join(folder, 'ARCHITECTURE.md'), text);
    return run(stage?.command ?? '', [...(stage?.args ?? []), folder]);
  };

  it('passes where every path exists', async () => {
    expect((await check('`assets/sensors/NAME.yaml` and `assets/`\n')).stdout).toBe('');
  });

  it.each(['assets/sensor/', 'assets/sensors/NAME.yml', 'src-main/gone.ts'])(
    'fails for %s, with file and line',
    async (dead) => {
      await expect(check(`\nsee \`${dead}\`\n`)).rejects.toMatchObject({
        code: 1,
        stdout: `ARCHITECTURE.md:2: there is no ${dead.replace('NAME', '*')}\n`,
      });
    },
  );
});
