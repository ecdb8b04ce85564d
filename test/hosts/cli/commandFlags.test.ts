// Commands run under the flags of Node that suit what their process does.
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { flagsOf } from '#hosts/cli/commandFlags.ts';
import { scanningFlags } from '#hosts/scanningFlags.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { start } from '#test/support/commandLine.ts';

describe('a command with flags of its own', () => {
  it('is found behind options with a value', () => {
    expect(flagsOf(['--log-level', 'debug', 'scan', 'box'])).toBe(scanningFlags);
    expect(flagsOf(['--log-level', 'scan', '--quiet', 'drive', 'box'])).toEqual([]);
    expect(flagsOf(['scan', 'box'])).toBe(scanningFlags);
    expect(flagsOf(['--data', 'scan', 'bench', 'nav'])).toBe(scanningFlags);
    expect(flagsOf(['--data', 'scan', 'drive', 'box'])).toEqual([]);
    expect(flagsOf(['campaign', 'run', 'scan'])).toEqual(['--max-semi-space-size=4']);
    expect(flagsOf(['--version'])).toEqual([]);
    expect(flagsOf([])).toEqual([]);
  });

  it('keeps its process id, its arguments and its exit code', async () => {
    const { child, finished } = start(temporaryFolder(), 'scan', 'box');
    const argumentsOf = (): string[] =>
      readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').split('\0');
    let seen = argumentsOf();
    while (child.exitCode === null && !seen.includes('--single-threaded-gc')) {
      await setTimeout(1);
      seen = argumentsOf();
    }
    expect(seen).toEqual(expect.arrayContaining([...scanningFlags, 'scan', 'box']));
    const { exitCode, stderr } = await finished;
    expect(exitCode).toBe(2);
    expect(stderr).toContain("required option '--out <file>'");
  });
});
