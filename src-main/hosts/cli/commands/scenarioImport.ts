// `understory scenario import`: files of other programs become a scenario, with an account of what came over.
import { basename, join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { ImportReplies } from '#contract/host/importMethods.ts';
import { countText } from '#domain/shared/formats.ts';
import { documentName } from '#services/documents/documentFiles.ts';
import { addCommand } from '../command.ts';
import { prepareFile } from '../files.ts';
import type { CommandHost } from './shared.ts';

/** Adds the command to `scenario`. */
export function addScenarioImport(scenario: Command, host: CommandHost): void {
  const { surroundings } = host;
  const { workingFolder } = surroundings;
  addCommand(scenario, host, 'scenario.import', {
    request: ({ request, options, args }) => {
      const isFile = /\.(ya?ml|json)$/i.test(request.out);
      const title = documentName(basename(args[0] ?? '')).replace(/\.[^.]+$/, '');
      const target = isFile ? request.out : join(request.out, `${title}.understory.yaml`);
      const { isReplacing: force, species } = request;
      return {
        ...request,
        out: prepareFile(surroundings, target, { ...options, force, inputs: args }),
        ...(species && { species: filesResolved(species, workingFolder) }),
      };
    },
    lines: reportLines,
  });
}

function reportLines({ scenario, files, sources, notices }: ImportReplies['scenario.import']) {
  const count = ({ what, count: n }: { what: string; count: number }) => `${countText(n)} ${what}`;
  const lines = sources.flatMap(({ file, format, imported, ignored, notes }) => [
    `${file} (${format})`,
    `  imported: ${imported.map(count).join(', ') || 'nothing'}`,
    ...ignored.map((entry) => `  ignored: ${count(entry)}`),
    ...notes.map((note) => `  note: ${note}`),
  ]);
  return [
    ...lines,
    ...notices.map(({ path, message }) => `${path}: ${message}`),
    `${scenario}${files.length > 0 ? ` and ${countText(files.length)} files beside it` : ''}`,
  ];
}

/** Plants that are files by their absolute names; the others are ids. */
function filesResolved(
  species: Record<string, string>,
  workingFolder: string,
): Record<string, string> {
  const entries = Object.entries(species).map(([name, plant]) => {
    return [name, /\.(ya?ml|json)$/i.test(plant) ? resolve(workingFolder, plant) : plant] as const;
  });
  return Object.fromEntries(entries);
}
