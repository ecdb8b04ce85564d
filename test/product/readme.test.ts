// Every command of README.md and of the manual does what the document says. A command that is added there and
// fails turns this red.
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { manualPages } from '#contract/host/manualMethods.ts';
import { projectRoot } from '#test/stages.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { startUnderstory, understory, type Finished } from './command.ts';
import { runPython } from './pythonCommand.ts';

/** README.md and the pages of the manual, in the order of reading. They share files and a run. */
const documents = ['README.md', ...manualPages.map((page) => `assets/manual/${page}.md`)];
const textOf = (document: string): string => readFileSync(path.join(projectRoot, document), 'utf8');

const folder = temporaryFolder();
let run: string;
beforeAll(async () => {
  await writeNamedFiles();
  await understory(folder, ['drive', 'courtyard', '--seconds', '2', '--misses', '--quiet']);
  const { stdout } = await understory(folder, ['runs', 'list', '--json']);
  const [listed] = JSON.parse(stdout) as { id: string }[];
  run = listed?.id ?? '';
  expect(run).not.toBe('');
}, 600_000);

/** Blocks whose first line names a file: whole, or with a colon the lines that follow those of the first file. */
async function writeNamedFiles(): Promise<void> {
  const blocks = documents.flatMap((document) => codeBlocks(document, 'yaml'));
  const [first = ''] = blocks;
  expect(first).toMatch(/^# post\.understory\.yaml\n/);
  for (const block of blocks) {
    const [, name, mark] = /^# (\S+\.understory\.yaml)(:|\n)/.exec(block) ?? [];
    if (name === undefined) continue;
    await writeFile(path.join(folder, name), mark === ':' ? `${first}${block}` : block);
  }
  const [poses = ''] = codeBlocks('assets/manual/surveys.md', 'csv');
  await writeFile(path.join(folder, 'path.csv'), poses);
}

function codeBlocks(document: string, language: string): string[] {
  const pattern = new RegExp('```' + language + '\\n([\\s\\S]*?)```', 'g');
  return [...textOf(document).matchAll(pattern)].map((match) => match[1] ?? '');
}

/** Command lines of a document, without comments. */
function commandsOf(document: string): string[] {
  return codeBlocks(document, 'sh')
    .flatMap((block) => block.split('\n'))
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => line !== '');
}

/** Words of a command line; double quotes group. */
function words(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? '');
}

/** Run by courtyardGoal.test.ts, CI, courtyardTenSeconds.long.test.ts (in short by `npm test`), and below. */
const elsewhere = [
  'npm run courtyard',
  'npm test',
  'npm run courtyard -- --sensor all --seconds 10 --json out.json',
  'npx understory serve',
];

/** Runs a command to its end; one that ends in `&` is started, and its end returned. */
async function runCommand(command: string): Promise<Promise<Finished>[]> {
  const [npx, program = '', ...args] = words(command.replace(/\s*&$/, ''));
  if (npx === 'python3') {
    const finished = runPython(folder, program, args);
    if (command.endsWith('&')) return [finished];
    const { code, stderr } = await finished;
    expect(code, stderr).toBe(0);
    return [];
  }
  expect([npx, program], command).toEqual(['npx', 'understory']);
  await understory(
    folder,
    args.map((arg) => (arg === 'RUN' ? run : arg)),
  );
  return [];
}

describe('the commands of the documents', () => {
  it.each(documents)('work one after another: %s', { timeout: 3_600_000 }, async (document) => {
    const background: Promise<Finished>[] = [];
    for (const command of commandsOf(document)) {
      if (!elsewhere.includes(command)) background.push(...(await runCommand(command)));
    }
    for (const { code, stderr } of await Promise.all(background)) expect(code, stderr).toBe(0);
  });

  it('join parts of a survey to the bytes of the whole', async () => {
    const [whole, joined] = await Promise.all(
      ['strips.las', 'joined.las'].map((name) => readFile(path.join(folder, name))),
    );
    expect(whole?.length).toBeGreaterThan(1_000_000);
    expect(joined?.equals(whole ?? Buffer.of())).toBe(true);
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
