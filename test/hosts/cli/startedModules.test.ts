// Modules that a command loads before it does anything: not the charts' library, half of all modules, which only
// pictures need.
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { mainFile } from '#test/support/commandLine.ts';

/** Prints the file of every module that is loaded, after the command's own output. */
const counter = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
process.on('exit', () => console.log(loaded.join('\\n')));
`)}`;

it('the start of a command loads no library of charts', () => {
  const args = ['--import', counter, mainFile, '--version'];
  const loaded = execFileSync(process.execPath, args, { encoding: 'utf8' });
  expect(loaded).toContain('src-main/hosts/cli/commands/drive.ts');
  expect(loaded).not.toMatch(/node_modules\/(echarts|zrender)\//);
});
