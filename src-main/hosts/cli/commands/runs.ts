// `understory runs`: what has been simulated, and what can be done with it.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { bytesText, countText } from '#domain/shared/formats.ts';
import { addAction, addCommand, jsonText } from '../command.ts';
import { exitCodes } from '../exitCodes.ts';
import { detailLines, scanLines, timeText } from '../runLines.ts';
import { inOneSentence } from './refusals.ts';
import { addVerify } from './runsVerify.ts';
import { addRunsCollection } from './runsCollection.ts';
import type { CommandHost } from './shared.ts';

/** Adds the commands to the program. */
export function addRuns(program: Command, host: CommandHost): void {
  const runs = program
    .command('runs')
    .description('find, mark, show, export, verify and delete runs');
  addRunsCollection(runs, host);
  addCommand(runs, host, 'runs.show', { lines: detailLines });
  addCommand(runs, host, 'runs.log', {
    json: ({ lines }) => lines,
    lines: ({ lines }) =>
      lines.map(({ timeMs, level, message, details }) =>
        `${timeText(timeMs)} ${level}: ${message} ${details}`.trimEnd(),
      ),
    says: ({ lines }, { isJson }) => (isJson || lines.length > 0 ? [] : ['nothing was logged']),
  });
  addCommand(runs, host, 'runs.scans', {
    lines: (reply, { request }) => scanLines(reply, request.instance),
  });
  addCommand(runs, host, 'runs.export', {
    help: exportHelp,
    request: ({ request }) => ({ ...request, idTables: true }),
    refusal: inOneSentence,
    says: ({ points, files, leftOut }, { request: { format } }) => [
      `${countText(points)} ${format === 'boxes' ? 'boxes' : 'points'} in ${files.join(', ')}`,
      ...(leftOut.length > 0 ? [`left out: ${leftOut.join(', ')}`] : []),
    ],
  });
  addCommand(runs, host, 'runs.plants', {
    says: ({ plants, file }, { isJson }) =>
      isJson || file === null ? [] : [`${countText(plants)} plants in ${file}`],
  });
  addVerify(runs, host);
  addCommand(runs, host, 'runs.pack', {
    refusal: inOneSentence,
    says: ({ file, bytes, runs: packed }, { isJson }) => {
      const count = packed.length === 1 ? '1 run' : `${packed.length} runs`;
      return isJson ? [] : [`${count} in ${file} (${bytesText(bytes)})`];
    },
  });
  addUnpack(runs, host);
  addCommand(runs, host, 'runs.adopt', {
    says: ({ adopted, refused }) => [
      ...adopted.map(({ runId, scans, changes, simSeconds }) => {
        const length = `${countText(scans)} scans, ${simSeconds.toFixed(1)} s`;
        return `run ${runId}: ${length}; ${countText(changes)} rows changed`;
      }),
      ...refused.map(({ runId, reason }) => `run ${runId} is left out: ${reason}`),
      ...(adopted.length + refused.length === 0 ? ['every run folder has a row'] : []),
    ],
    exitCode: ({ refused }) => (refused.length === 0 ? exitCodes.ok : exitCodes.negative),
  });
}

/** Formats that other programs write better. */
const exportHelp = [
  '\nBeside a file with object_id or material_id: FILE.objects.csv (id, name, class, model, pose), FILE.materials.csv.',
  'LAS: intensity is scaled by the factor in the record Understory 1; relative_intensity has the values themselves.',
  'The origin and direction of beams of a run follow the poses within each tick; of earlier recordings without them, straight lines between the ends of ticks.',
  'LAZ: pdal translate cloud.las cloud.laz. E57: pdal translate cloud.las cloud.e57, or CloudCompare.',
].join('\n');

function addUnpack(runs: Command, host: CommandHost): void {
  addAction(runs, host, 'runs.unpack', {}, async ({ call, terminal, surroundings }, given) => {
    const replies = [];
    for (const file of given.args) {
      const path = resolve(surroundings.workingFolder, file);
      const { reply } = await call('runs.unpack', { path });
      terminal.endProgress();
      replies.push(reply);
      for (const { runId, name, isNew, hasRecording } of reply.runs) {
        const state = isNew ? 'new' : 'there already';
        const recording = hasRecording ? '' : ', without a recording';
        terminal.say(`run ${runId} (${name}): ${state}${recording}`);
      }
      for (const { runId, reason } of reply.refused) {
        terminal.say(`run ${runId} is left out: ${reason}`);
      }
    }
    const all = {
      runs: replies.flatMap((reply) => reply.runs),
      refused: replies.flatMap((reply) => reply.refused),
    };
    if (given.isJson) terminal.print(jsonText(all));
    return all.refused.length === 0 ? exitCodes.ok : exitCodes.negative;
  });
}
