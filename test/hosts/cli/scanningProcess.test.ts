// Commands that scan in their own process run under the flags of a process that scans.
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { scansItself } from '#hosts/cli/scanningProcess.ts';
import { scanningFlags } from '#hosts/scanningFlags.ts';
import { temporaryFolder } from '#test/recordings/temporary.ts';
import { start } from './commandLine.ts';

describe('a command that scans in its own process', () => {
  it('is found behind options with a value', () => {
    expect(scansItself(['--log-level', 'debug', 'scan', 'box'])).toBe(true);
    expect(scansItself(['--log-level', 'scan', '--quiet', 'drive', 'box'])).toBe(false);
    expect(scansItself(['scan', 'box'])).toBe(true);
    expect(scansItself(['--data', 'scan', 'bench', 'nav'])).toBe(true);
    expect(scansItself(['--data', 'scan', 'drive', 'box'])).toBe(false);
    expect(scansItself(['--version'])).toBe(false);
    expect(scansItself([])).toBe(false);
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
