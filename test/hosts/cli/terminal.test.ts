// Progress: one overwritten line on a terminal, a few plain lines elsewhere, nothing with --quiet.
import { expect, test } from 'vitest';
import { createTerminal } from '#hosts/cli/terminal.ts';

function terminalAt(options: { isTerminal: boolean; isQuiet?: boolean }) {
  const time = { ms: 0 };
  const written = { stdout: '', stderr: '' };
  const terminal = createTerminal(
    {
      stdout: (text) => void (written.stdout += text),
      stderr: (text) => void (written.stderr += text),
      isTerminal: options.isTerminal,
      columns: 40,
    },
    { isQuiet: options.isQuiet === true, nowMs: () => time.ms },
  );
  return { terminal, time, written };
}

test('without a terminal a line comes every five seconds, and the last one at the end', () => {
  const { terminal, time, written } = terminalAt({ isTerminal: false });
  for (time.ms = 0; time.ms <= 12_000; time.ms += 100) terminal.progress(() => `at ${time.ms}`);
  terminal.endProgress();
  expect(written.stderr).toBe('at 0\nat 5000\nat 10000\nat 12100\n');
  expect(written.stdout).toBe('');
});

test('the first line of another phase is shown at once', () => {
  const { terminal, time, written } = terminalAt({ isTerminal: false });
  terminal.progress(() => 'building');
  time.ms = 100;
  terminal.beginPhase();
  terminal.progress(() => 'driving');
  terminal.progress(() => 'driving on');
  expect(written.stderr).toBe('building\ndriving\n');
});

test('without a terminal the last line is not said twice', () => {
  const { terminal, written } = terminalAt({ isTerminal: false });
  terminal.progress(() => 'drawing');
  terminal.endProgress();
  expect(written.stderr).toBe('drawing\n');
});

test('on a terminal the line is overwritten and never wraps', () => {
  const { terminal, written } = terminalAt({ isTerminal: true });
  terminal.progress(() => 'x'.repeat(100));
  terminal.say('a message');
  expect(written.stderr).toBe(`\r\u001b[2K${'x'.repeat(39)}\r\u001b[2Ka message\n`);
});

test('quiet leaves only data', () => {
  const { terminal, written } = terminalAt({ isTerminal: true, isQuiet: true });
  terminal.progress(() => 'progress');
  terminal.say('message');
  terminal.print('data');
  terminal.endProgress();
  expect(written).toEqual({ stdout: 'data\n', stderr: '' });
});
