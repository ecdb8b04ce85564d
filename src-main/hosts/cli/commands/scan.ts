// `understory scan`: one sensor at one place, along poses, or along the scenario's survey, to a file.
import type { Command } from 'commander';
import { columnSets, rayColumns, returnColumns } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { Replies } from '#contract/host/methods.ts';
import { meshNotices } from '#domain/scene/meshNotices.ts';
import { countText } from '#domain/shared/formats.ts';
import { addCommand, type Given } from '../command.ts';
import type { CommandHost } from './shared.ts';

/** Adds the command to the program. */
export function addScan(program: Command, host: CommandHost): void {
  addCommand(program, host, 'scan.start', {
    help: trajectoryHelp + columnsHelp + filesHelp,
    check: checkTrajectoryOptions,
    says: sentencesOf,
  });
}

function sentencesOf(reply: Replies['scan.start']): string[] {
  const { pulses, returns, rows, files, leftOut, legs, rayRows, waveforms, notes, summary } = reply;
  const counts = `${countText(pulses)} pulses, ${countText(returns)} returns`;
  return [
    `${counts}, ${countText(rows)} rows in ${files.join(', ')}`,
    ...legs.map((leg) => {
      return `leg ${leg.leg} ${leg.name}: ${countText(leg.pulses)} pulses, ${countText(leg.returns)} returns`;
    }),
    ...meshNotices(summary.models).map(({ path, message }) => `${path}: ${message}`),
    ...(rayRows === null ? [] : [`${countText(rayRows)} rows of rays`]),
    ...(waveforms === null ? [] : [`${countText(waveforms)} waveforms`]),
    ...notes.map((note) => `note: ${note}`),
    ...(leftOut.length > 0 ? [`left out: ${leftOut.join(', ')}`] : []),
  ];
}

/** @throws UnderstoryError 'bad-input' for options of a trajectory without one */
function checkTrajectoryOptions({ request: { trajectory } }: Given<'scan.start'>): void {
  if (trajectory === undefined || 'file' in trajectory) return;
  const option = 'format' in trajectory ? '--trajectory-format' : '--max-gap';
  throw new UnderstoryError('bad-input', `${option} needs a --trajectory`);
}

/** The formats that --trajectory takes. */
const trajectoryHelp = [
  '\nTrajectories (worldFromSensor; straight and turning evenly between poses):',
  '  tum    time, x, y, z, qx, qy, qz, qw: seconds and metres, separated by spaces (.tum, .txt)',
  '  csv    named columns: time_s or time_ns, x_m, y_m, z_m, and qx, qy, qz, qw, or roll_deg, pitch_deg, yaw_deg (.csv)',
  '  kitti  3 × 4 matrices in camera axes, with times.txt beside the file',
  'Times since 1970 begin at their first whole second.',
  '',
].join('\n');

/** The files that --out writes. */
const filesHelp = [
  '\n\nFiles:',
  '  Beside a file with object_id or material_id: FILE.objects.csv (id, name, class, model, pose), FILE.materials.csv.',
  '  LAS: intensity is scaled by the factor in the record Understory 1; relative_intensity has the values themselves.',
  '  --misses writes pulses without an echo as withheld points at the largest range.',
  '  .log: every pulse with its pose, for `understory learn`; --misses is implied.',
  '  LAZ: pdal translate cloud.las cloud.laz. E57: pdal translate cloud.las cloud.e57, or CloudCompare.',
].join('\n');

/** Values of --columns: the sets, then every column with its unit. */
const columnsHelp = [
  '\nSets of columns:',
  ...Object.entries(columnSets).map(([name, { columns, meaning }]) => {
    const members = columns.length > 12 ? '' : `: ${columns.join(', ')}`;
    return `  ${name.padEnd(16)} ${meaning}${members}`;
  }),
  '\nWaveforms (numpy.load): pulse, time_ns, first_range_m (lower edge of the first bin), bins (one row a',
  "pulse, one column a bin: the share of the beam's energy sampled in it), bin_m (length of a bin).",
  '\nColumns (unit):',
  ...Object.entries(returnColumns).map(
    ([name, { unit, meaning }]) => `  ${name.padEnd(16)} ${meaning} (${unit})`,
  ),
  '\nColumns of rays (unit):',
  ...Object.entries(rayColumns).map(
    ([name, { unit, meaning }]) => `  ${name.padEnd(16)} ${meaning} (${unit})`,
  ),
].join('\n');
