// `understory check`: whether everything in the data folder is what the catalogue and the files' own checksums say.
import type { Command } from 'commander';
import { repairTexts, type Finding } from '#contract/host/dataMethods.ts';
import type { Replies } from '#contract/host/methods.ts';
import { bytesText, countText } from '#domain/shared/formats.ts';
import { addCommand } from '../command.ts';
import { exitCodeOfCode, exitCodes } from '../exitCodes.ts';
import { printableLine } from '../printable.ts';
import type { CommandHost } from './shared.ts';

type Checked = Replies['data.check'];

/** Adds the command to the program. */
export function addCheck(program: Command, host: CommandHost): void {
  addCommand(program, host, 'data.check', {
    help: helpText,
    lines: checkLines,
    exitCode: ({ isSound }) => (isSound ? exitCodes.ok : exitCodeOfCode('corrupt')),
    config: { isCatalogueNeeded: false },
  });
}

const helpText = [
  '\nA run that is under way is not checked. Repairs:',
  ...Object.values(repairTexts).map((text) => `  ${text}`),
  'No repair removes a recording or a mesh. What is damaged and cannot be repaired stays as it is.',
].join('\n');

/** A summary, a line for each finding and what to do. */
function checkLines(checked: Checked): string[] {
  const { findings, leftOut, isSound } = checked;
  const lines = [`${checked.dataFolder}: ${summaryOf(checked)}`];
  lines.push(...findings.map(findingLine));
  if (leftOut > 0) lines.push(`and ${countText(leftOut)} more`);
  const open = findings.filter(
    ({ repair, outcome }) => repair !== null && repair !== 'tag' && outcome === 'found',
  );
  if (open.length > 0) {
    const count = open.length === 1 ? '1 finding' : `${countText(open.length)} findings`;
    lines.push(`${count} can be repaired: understory check --repair`);
  }
  lines.push(isSound ? 'nothing is damaged' : 'there is damage');
  return lines;
}

function summaryOf({ checked, bytesRead, findings, leftOut }: Checked): string {
  const names = ['run', 'recording', 'campaign', 'mesh', 'log', 'model'] as const;
  const counts = [
    checked.runs,
    checked.recordings,
    checked.campaigns,
    checked.meshes,
    checked.logs,
    checked.models,
  ];
  const parts = names.flatMap((name, index) => {
    const count = counts[index] ?? 0;
    return count === 0 && index > 1 ? [] : countOf(count, name);
  });
  const found = countOf(findings.length + leftOut, 'finding');
  return `${parts.join(', ')}; ${bytesText(bytesRead)} read, ${found}`;
}

function countOf(count: number, noun: string): string {
  const plural = noun === 'mesh' ? 'meshes' : `${noun}s`;
  return `${countText(count)} ${count === 1 ? noun : plural}`;
}

const maxLineLength = 400;

function findingLine({ kind, severity, path, expected, found, repair, ...end }: Finding): string {
  const done: Record<Finding['outcome'], string> = {
    found: '',
    repaired: repair === null ? '' : `; repaired: ${repairTexts[repair]}`,
    marked: repair === null ? '' : `; marked: ${repairTexts[repair]}`,
    failed: `; not repaired: ${end.failure}`,
  };
  const text = `${path}: expected ${expected}, found ${found}${done[end.outcome]}`;
  return printableLine(`${severity.padEnd(6)}  ${kind}  ${text}`, maxLineLength);
}
