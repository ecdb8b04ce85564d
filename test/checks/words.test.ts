// The check of words: `npm run check` fails for a phrase of words.txt in any source or document.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkStages } from '#test/checkStages.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { findWords, readWordRules } from './words.ts';

const run = promisify(execFile);
const sampleRules = '# comment\n\nold phrase = new phrase\n/\\bhuge[A-Z]/ = max…\n';

describe('the rules', () => {
  const rules = readWordRules(sampleRules);

  it('match whole words in any case and with any spacing, once a line', () => {
    const text = 'An Old  phrase, an old phrase.\nolder phrases\nold phrase_ends\nlineold phrase';
    expect(findWords(text, rules)).toEqual([
      { line: 1, phrase: 'old phrase', replacement: 'new phrase' },
      { line: 3, phrase: 'old phrase', replacement: 'new phrase' },
    ]);
  });

  it('between slashes are expressions that distinguish case', () => {
    expect(
      findWords('hugeRows\nhugely\nathugeAll\nhugerows', rules).map(({ line }) => line),
    ).toEqual([1]);
  });

  it('are refused with their line where they are none', () => {
    expect(() => readWordRules('good = better\nonly a phrase')).toThrow('words.txt:2');
  });
});

describe('the stage of npm run check', () => {
  let folder: string;
  beforeEach(async () => {
    folder = temporaryFolder();
    await mkdir(path.join(folder, 'src-main/node_modules'), { recursive: true });
    await writeFile(path.join(folder, 'words.txt'), sampleRules);
    await writeFile(path.join(folder, 'src-main/node_modules/foreign.ts'), 'old phrase');
  });
  const stage = checkStages.find(({ name }) => name === 'words');
  const check = (): Promise<{ stdout: string }> =>
    run(stage?.command ?? '', [...(stage?.args ?? []), folder]);

  it('passes a clean work tree, words.txt itself and generated folders excepted', async () => {
    await writeFile(path.join(folder, 'README.md'), 'A new phrase.\n');
    expect((await check()).stdout).toBe('');
  });

  it('leaves out the files that earlier versions wrote', async () => {
    await mkdir(path.join(folder, 'test/versions/fixtures'), { recursive: true });
    await writeFile(path.join(folder, 'test/versions/fixtures/plant-v1.yaml'), 'old phrase');
    expect((await check()).stdout).toBe('');
  });

  it.each(['a.ts', 'B.vue', 'c.mjs', 'd.cpp', 'e.h', 'f.sql', 'g.yaml', 'h.md', 'i.css', 'j.sh'])(
    'fails for a phrase in %s, with file, line and replacement',
    async (name) => {
      await writeFile(path.join(folder, 'src-main', name), '\nan old phrase\n');
      await expect(check()).rejects.toMatchObject({
        code: 1,
        stdout: `src-main/${name}:2: "old phrase": write new phrase\n`,
      });
    },
  );
});
