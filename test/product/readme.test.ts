// Every command of the README does what the README says. A command that is added there and not here
// turns this red.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { projectRoot } from '#test/stages.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { startUnderstory, understory, type Finished } from './command.ts';
import { runPython } from './pythonCommand.ts';

const folder = temporaryFolder();
let readme: string;
beforeAll(async () => {
  readme = await readFile(path.join(projectRoot, 'README.md'), 'utf8');
  const [post = '', ...blocks] = codeBlocks('yaml');
  await writeFile(path.join(folder, 'post.understory.yaml'), post);
  // Blocks that describe a file are added to the first; those that only name it are whole.
  for (const block of blocks) {
    const [, name, mark] = /^# (\S+\.understory\.yaml)(:|\n)/.exec(block) ?? [];
    if (name === undefined) continue;
    await writeFile(path.join(folder, name), mark === ':' ? `${post}${block}` : block);
  }
  await writeFile(path.join(folder, 'path.csv'), codeBlocks('csv')[0] ?? '');
});
function codeBlocks(language: string): string[] {
  const pattern = new RegExp('```' + language + '\\n([\\s\\S]*?)```', 'g');
  return [...readme.matchAll(pattern)].map((match) => match[1] ?? '');
}

/** Words of a command line; double quotes group. */
function words(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? '');
}

/**
 * Run by courtyardGoal.test.ts, CI, validation/quick.test.ts (of learned models the closed forms: their long form takes
 * hours), courtyardTenSeconds.long.test.ts, in short by `npm test`, and below.
 */
const elsewhere = [
  'npm run courtyard',
  'npm test',
  'npm run validate',
  'npm run validate -- --learned --json learned.json',
  'npm run courtyard -- --sensor all --seconds 10 --json out.json',
  'npm run e2e',
  'npx understory serve',
];

describe('the commands of the README', () => {
  it('work, one after another', { timeout: 3_600_000 }, async () => {
    await understory(folder, ['drive', 'courtyard', '--seconds', '2', '--misses', '--quiet']);
    const { stdout } = await understory(folder, ['runs', 'list', '--json']);
    const [run] = JSON.parse(stdout) as { id: string }[];
    expect(run).toBeDefined();
    const commands = codeBlocks('sh')
      .flatMap((block) => block.split('\n'))
      .map((line) => line.replace(/\s+#.*$/, '').trim())
      .filter((line) => line !== '' && !elsewhere.includes(line));
    expect(commands.length).toBeGreaterThanOrEqual(10);
    const background: Promise<Finished>[] = [];
    for (const command of commands) {
      const isApart = command.endsWith('&');
      const [npx, program = '', ...args] = words(command.replace(/\s*&$/, ''));
      if (isApart) {
        expect(npx, command).toBe('python3');
        background.push(runPython(folder, program, args));
        continue;
      }
      if (npx === 'python3') {
        const { code, stderr } = await runPython(folder, program, args);
        expect(code, stderr).toBe(0);
        continue;
      }
      expect([npx, program], command).toEqual(['npx', 'understory']);
      await understory(
        folder,
        args.map((arg) => (arg === 'RUN' ? (run?.id ?? '') : arg)),
      );
    }
    // Parts of the survey join to the bytes of the whole.
    const [whole, joined] = await Promise.all(
      ['strips.las', 'joined.las'].map((name) => readFile(path.join(folder, name))),
    );
    expect(whole?.length).toBeGreaterThan(1_000_000);
    expect(joined?.equals(whole ?? Buffer.of())).toBe(true);
    for (const { code, stderr } of await Promise.all(background)) expect(code, stderr).toBe(0);
  });

  it('serve prints the address of a page', async () => {
    const { child, finished } = startUnderstory(folder, ['serve', '--port', '0']);
    const address = await new Promise<string>((resolve, reject) => {
      let printed = '';
      child.stdout?.on('data', (data: Buffer) => {
        printed += data.toString();
        const match = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(printed);
        if (match !== null) resolve(match[0]);
      });
      child.on('close', () => reject(new Error('serve ended before it printed an address')));
    });
    const page = await fetch(address);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Understory');
    child.kill('SIGINT');
    expect((await finished).code).toBe(0);
  });
});
