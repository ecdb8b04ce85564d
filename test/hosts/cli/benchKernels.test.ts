// `understory bench kernels` around its program, replaced by Node; the program itself runs in the
// native stages of the tests.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { kernelArguments, runKernels } from '#hosts/cli/commands/benchKernels.ts';
import { temporaryFolder } from '#test/support/folder.ts';

function surroundings(stop = new AbortController().signal) {
  const written = { stdout: '', stderr: '' };
  const output = {
    stdout: (text: string) => void (written.stdout += text),
    stderr: (text: string) => void (written.stderr += text),
    isTerminal: false,
    columns: 100,
  };
  return { output, stop, written };
}

it("puts its options in google-benchmark's words", () => {
  expect(kernelArguments('/here', {})).toEqual([]);
  expect(kernelArguments('/here', { filter: 'hash', minSeconds: '0.1', json: 'a.json' })).toEqual([
    '--benchmark_filter=hash',
    '--benchmark_min_time=0.1',
    '--benchmark_out=/here/a.json',
    '--benchmark_out_format=json',
  ]);
});

it('passes on what the program writes, and fails as it does', async () => {
  const { written, ...around } = surroundings();
  const code = "console.log('out'); console.error('err')";
  await runKernels(process.execPath, ['--eval', code], around);
  expect(written).toEqual({ stdout: 'out\n', stderr: 'err\n' });
  const refused = runKernels(process.execPath, ['--eval', 'process.exit(1)'], around);
  await expect(refused).rejects.toMatchObject({ code: 'bad-input' });
});

it('says how to build the program where there is none', async () => {
  const program = join(temporaryFolder(), 'none');
  await expect(runKernels(program, [], surroundings())).rejects.toMatchObject({
    code: 'unsupported',
    message: `'${program}' was not built: npx understory bench kernels does that`,
  });
});

it('ends the program when it is stopped', async () => {
  const stop = new AbortController();
  const { output } = surroundings();
  const onStdout = (): void => stop.abort();
  const code = "console.log('running'); setInterval(() => undefined, 1000)";
  const around = { output: { ...output, stdout: onStdout }, stop: stop.signal };
  const running = runKernels(process.execPath, ['--eval', code], around);
  await expect(running).rejects.toMatchObject({ code: 'cancelled' });
});
