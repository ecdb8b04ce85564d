// `understory scenario truth`: what is known of the plants of a scenario, in files and as sums.
import type { Command } from 'commander';
import type { PlotSummary, TruthReplies, VoxelSummary } from '#contract/host/truthMethods.ts';
import { countText, numberText } from '#domain/shared/formats.ts';
import { addCommand } from '../command.ts';
import { tableLines } from '../table.ts';
import type { CommandHost } from './shared.ts';

/** Adds the command to `scenario`. */
export function addScenarioTruth(scenario: Command, host: CommandHost): void {
  addCommand(scenario, host, 'scenario.truth', { help: filesHelp, lines: truthLines });
}

function truthLines(reply: TruthReplies['scenario.truth']): string[] {
  const { plants, leafAreaM2, woodAreaM2, woodVolumeM3, voxels, plot, files } = reply;
  return [
    `plants        ${countText(plants)}`,
    `leaf area     ${numberText(leafAreaM2)} m², one-sided`,
    `wood          ${numberText(woodVolumeM3)} m³ with ${numberText(woodAreaM2)} m² of surface`,
    ...(voxels === null ? [] : voxelLines(voxels)),
    ...(plot === null ? [] : plotLines(plot)),
    ...files,
  ];
}

function voxelLines({ split, voxelM, leafAreaM2, woodAreaM2 }: VoxelSummary): string[] {
  const grid = `${split.join(' × ')} of ${voxelM} m`;
  return [
    `voxels        ${grid}: ${numberText(leafAreaM2)} m² of leaves, ${numberText(woodAreaM2)} m² of wood`,
  ];
}

function plotLines(plot: PlotSummary): string[] {
  const index = (value: number): string => value.toFixed(3);
  return [
    `plot          ${numberText(plot.groundAreaM2)} m²`,
    `leaf area index        ${index(plot.leafAreaIndex)}, effective ${index(plot.effectiveLeafAreaIndex)}`,
    `plant area index       ${index(plot.plantAreaIndex)}, effective ${index(plot.effectivePlantAreaIndex)}`,
    '',
    ...tableLines(plot.zeniths, [
      { title: 'zenith °', value: ({ zenithDeg }) => zenithDeg.toFixed(1), align: 'right' },
      { title: 'gap', value: ({ gapFraction }) => gapFraction.toFixed(4), align: 'right' },
      {
        title: 'clumping',
        value: ({ clumping }) => clumping?.toFixed(3) ?? '–',
        align: 'right',
      },
      {
        title: 'leaf gap',
        value: ({ leafGapFraction }) => leafGapFraction.toFixed(4),
        align: 'right',
      },
      {
        title: 'leaf clumping',
        value: ({ leafClumping }) => leafClumping?.toFixed(3) ?? '–',
        align: 'right',
      },
    ]),
  ];
}

const filesHelp = `
--out         id, name, class, model, plant, foot, scale; diameter at 1.3 m, height, base, width and volume of the crown,
              leaf area (one-sided), area and volume of the wood. Empty: there is none, or it is not known
--voxels-out  .vox and .npz: all voxels; .csv: those with a part of a plant
--plot-out    .npz: also heights of canopy and terrain in cells of --voxel, by x and y
--canopy-out, --terrain-out  one band of cells of --voxel; the canopy is 0 without a part of a plant`;
