// `understory learn`: a model of a site from logs; `learn evaluate`: models against the log of another drive.
import type { Command } from 'commander';
import type { LearnReplies } from '#contract/host/learnMethods.ts';
import { countText } from '#domain/shared/formats.ts';
import { addCommand } from '../command.ts';
import { addEvaluate } from './learnEvaluate.ts';
import type { CommandHost } from './shared.ts';

/** Adds the commands to the program. */
export function addLearn(program: Command, host: CommandHost): void {
  const command = addCommand(program, host, 'learn.start', {
    help: modelsHelp,
    json: ({ peakRssBytes, ...rest }) => ({ ...rest, peakRssMB: Math.round(peakRssBytes / 1e6) }),
    says: (reply) => [sentence(reply), ...reply.notes.map((note) => `note: ${note}`)],
  });
  addEvaluate(command, host);
}

function sentence(reply: LearnReplies['learn.start']): string {
  const { elements, triangles, points, beams, seconds, file } = reply;
  const parts = [
    ...(elements > 0 ? [`${countText(elements)} elements`] : []),
    ...(triangles > 0 ? [`${countText(triangles)} triangles`] : []),
    ...(points > 0 ? [`${countText(points)} points`] : []),
  ];
  const size = parts.length > 0 ? parts.join(' and ') : 'nothing';
  return `${size} of ${countText(beams)} beams in ${seconds.toFixed(1)} s: ${file}`;
}

const modelsHelp = `
Models (Browning 2012):
nearest-neighbors  the returns and their normals
surface            triangles of an implicit surface
permeable-surface  the same, each triangle with the share of beams that pass it
voxel              a Gaussian for each voxel, with the share of beams that pass it
top-down           a Gaussian for each cluster of a hierarchy
hybrid             permeable-surface for surfaces, top-down for volumes`;
