// `understory estimate`: leaf area density of voxels from logs, in a file and as sums.
import type { Command } from 'commander';
import type { EstimateReplies } from '#contract/host/estimateMethods.ts';
import { countText, numberText } from '#domain/shared/formats.ts';
import { addCommand } from '../command.ts';
import { tableLines } from '../table.ts';
import type { CommandHost } from './shared.ts';

type Reply = EstimateReplies['log.estimate'];

/** Adds the command to the program. */
export function addEstimate(program: Command, host: CommandHost): void {
  addCommand(program, host, 'log.estimate', {
    help: estimatesHelp,
    lines: estimateLines,
    says: ({ notes }) => notes.map((note) => `note: ${note}`),
  });
}

function estimateLines(reply: Reply): string[] {
  const { beams, split, voxelM, voxels, occludedShare, file } = reply;
  const { known, fewBeams, occluded, unseen } = voxels;
  const share = occludedShare === null ? '' : `, ${(100 * occludedShare).toFixed(1)} % occluded`;
  return [
    `${countText(beams)} beams through ${split.join(' × ')} voxels of ${voxelM} m${share}`,
    `known ${countText(known)}, too few beams ${countText(fewBeams)}, occluded ${countText(occluded)}, not seen ${countText(unseen)}`,
    ...estimatorLines(reply),
    file,
  ];
}

function estimatorLines({ leafAreaM2, errors }: Reply): string[] {
  const names = ['contact', 'likelihood', 'beerLambert'] as const;
  const right = { align: 'right' } as const;
  const unknown = '–';
  return tableLines(
    names.map((name) => ({ name, areaM2: leafAreaM2[name], errors: errors?.[name] ?? null })),
    [
      { title: 'estimator', value: ({ name }) => titles[name] },
      { title: 'leaf area m²', value: ({ areaM2 }) => numberText(areaM2), ...right },
      ...(errors === null
        ? []
        : ([
            {
              title: 'bias %',
              value: ({ errors: found }) => {
                const bias = found?.relativeBias ?? null;
                return bias === null ? unknown : (100 * bias).toFixed(1);
              },
              ...right,
            },
            {
              title: 'RMSE m²/m³',
              value: ({ errors: found }) => found?.rmse?.toFixed(3) ?? unknown,
              ...right,
            },
          ] satisfies Parameters<typeof tableLines<{ errors: ErrorsOrNone }>>[1])),
    ],
  );
}

type ErrorsOrNone = NonNullable<Reply['errors']>['contact'] | null;

const titles = {
  contact: 'contact frequency',
  likelihood: 'maximum likelihood',
  beerLambert: 'Beer and Lambert',
} as const;

const estimatesHelp = `
Estimators (PHYSICS.md, 2.14), one-sided leaf area in m² of a m³, each with its standard error:
contact       hits over the lengths of the beams, by the mean projection G of the law of angles
likelihood    of free paths (Pimont 2018), without the bias of few beams and of the size of leaves
beer_lambert  the logarithm of the share that passes, over the mean length of the lines
.csv: voxels that lines of beams cross; .npz and .vox: all. Not known: an empty cell, or NaN.`;
