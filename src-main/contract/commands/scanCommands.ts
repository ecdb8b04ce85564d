// Commands for scans, renders, depth maps, poses and drives.
import { returnModes } from '../documents/sensorReturns.ts';
import { trajectoryFormats } from '../documents/trajectoryFile.ts';
import {
  choice,
  columns,
  document,
  file,
  files,
  json,
  list,
  number,
  on,
  output,
  own,
  part,
  pose,
  required,
  settings,
  place,
  off,
  size,
  text,
  withDefault,
} from './commandOptions.ts';
import type { CommandRows } from './commandRow.ts';
import type { Method } from '../host/methods.ts';
import { datasetFormats, endingsText, scanFileFormats } from '../host/exportFormats.ts';
import { compute, force, foxglove, frame, seed } from './sharedOptions.ts';

const atTime = number('atS', '--at-time <s>', 'simulated time: what moves is where it is then');

export const scenario = document(
  'scenario',
  '<scenario>',
  'a scenario file, or the name of a sample',
);
export const rateHz = number(
  'rateHz',
  '--rate-hz <r>',
  "turns, scans or lines a second; default: the sensor's",
);

/** Sets of sensors that `drive --sensor` names, from the sparsest to the densest: as built, and as Goodin 2018 models them. */
export const sensorSets = {
  all: ['lms-291', 'vlp-16', 'hdl-32e', 'hdl-64e'],
  paper: ['lms-291-goodin2018', 'vlp-16-goodin2018', 'hdl-32e-goodin2018', 'hdl-64e-goodin2018'],
} as const;

export const scanCommands = {
  'drive.start': {
    words: 'drive',
    help: 'drive through a scenario to its goal',
    options: [
      withDefault(
        document('scenario', '[scenario]', 'a scenario file, or the name of a sample'),
        'courtyard',
      ),
      document(
        'sensor',
        '--sensor <id>',
        `instead of the scenario's own sensors, all of which look at once: a sensor file, the id of a sample, all (${sensorSets.all.join(', ')}) or paper (the presets of Goodin 2018), one drive each`,
      ),
      number('seconds', '--seconds <s>', 'stop after this much simulated time'),
      seed,
      place('startM', '--start <x,y>', "in metres; default: the mission's"),
      place('goalM', '--goal <x,y>', "in metres; default: the mission's"),
      text(
        'commands',
        '--commands <run>',
        'drive as this run was driven: by the commands in its recording',
      ),
      text(
        'planner.address',
        '--planner <address>',
        'an external planner of this machine decides: tcp://127.0.0.1:PORT or unix:PATH, where it listens (PROTOCOL.md)',
      ),
      number(
        'planner.timeoutS',
        '--planner-timeout <s>',
        'wall time for which each tick waits for its command; then the last one holds',
      ),
      number(
        'planner.holdS',
        '--planner-hold <s>',
        'simulated time for which a command holds without another; then the vehicle stops',
      ),
      number('speed', '--speed <x>', 'simulated seconds a second at most; default: no limit'),
      own(
        text(
          'epoch',
          '--epoch <time>',
          'wall time of the first tick in the recording: 2026-11-22T12:00:00Z, or seconds since 1970; default: 0',
        ),
      ),
      own(
        off('truth', '--no-truth', 'record the clouds of the sensors alone, without ground truth'),
      ),
      own(
        on(
          'organised',
          '--organised',
          'record clouds of the sensors as grids: a row for each ring, NaN where nothing returned',
        ),
      ),
      own(
        on(
          'misses',
          '--misses',
          'record pulses without an echo too, with the ground truth: for logs',
        ),
      ),
      own(foxglove),
      own(text('out', '--out <dir>', 'folder for the pictures; default: out/SCENARIO')),
      own(output('json', '--json <file>', 'write the report, an array with one entry a sensor')),
      off(
        'isPipelined',
        '--no-pipeline',
        'scan, map and record one after another; never changes a byte',
      ),
      settings,
      ...compute,
    ],
  },
  'scan.start': {
    words: 'scan',
    help: 'scan a scenario with one sensor: at one place, along poses, or as its survey says',
    options: [
      scenario,
      document(
        'sensor',
        '--sensor <id>',
        'a sensor file, or the id of a sample; default: of the survey',
      ),
      pose(
        'pose',
        '--pose <x,y,z,yaw_deg[,pitch_deg]>',
        "the sensor's own pose in the world: metres, degrees, pitch positive down",
      ),
      file(
        'trajectory.file',
        '--trajectory <file>',
        'poses of the sensor over time, in place of --pose (below)',
      ),
      choice(
        'trajectory.format',
        '--trajectory-format <format>',
        "default: by the file's name",
        trajectoryFormats,
      ),
      number('trajectory.maxGapS', '--max-gap <s>', 'longest time between two poses; default: 2'),
      number('fromS', '--from <s>', 'start; default: 0, or the first pose of the trajectory'),
      number('toS', '--to <s>', 'end, in place of --seconds'),
      number(
        'seconds',
        '--seconds <s>',
        'simulated time; default: up to the last pose of the trajectory, or one panorama',
      ),
      part('part', '--part <k/n>', 'the k-th of n equal parts, for `understory join`'),
      required(output('out', '--out <file>', `ends in ${endingsText(scanFileFormats)}`)),
      choice(
        'format',
        '--format <layout>',
        'of a folder --out; default: the ending of the file',
        datasetFormats,
      ),
      frame,
      on('isReplacing', '--force', 'replace the files where there are some'),
      seed,
      rateHz,
      text(
        'mode',
        '--mode <mode>',
        `${returnModes.slice(0, -1).join(', ')} or ${returnModes.at(-1)}`,
      ),
      on('misses', '--misses', 'also one row for each pulse without an echo'),
      columns('columns', '--columns <a,b>', 'names of columns, or of sets of them (below)'),
      output('rays', '--rays <file>', 'also every ray, hit by hit: .csv or .npz'),
      output(
        'waveforms',
        '--waveforms <file>',
        'also what a sensor with a waveform samples: .npz (below)',
      ),
      output('posesOut', '--poses-out <file>', 'also the pose of each pulse time: .tum or .csv'),
      number('ranks', '--ranks <n>', 'over MPI processes, of one thread without --threads'),
      json(),
      settings,
      ...compute,
    ],
  },
  'scan.join': {
    words: 'join',
    help: 'join parts of one scan (scan --part, --from, --to): the bytes of the whole',
    options: [
      files(
        'parts',
        '<part...>',
        'files of parts, in any order; each with its .part.json beside it',
      ),
      required(output('out', '--out <file>', 'the whole, of the format of the parts')),
      force,
      json(),
    ],
  },
  'render.start': {
    words: 'render',
    help: 'a ray-traced picture of a scenario',
    options: [
      settings,
      scenario,
      required(
        pose(
          'camera',
          '--camera <x,y,z,yaw_deg,pitch_deg>',
          'metres and degrees, pitch positive down',
        ),
      ),
      required(
        own(
          output(
            'out',
            '--out <file>',
            'a PNG; FILE.camera.json beside it has the intrinsics and the pose',
          ),
        ),
      ),
      own(force),
      withDefault(size('widthPx heightPx', '--size <WxH>', 'in pixels'), [1280, 720], '1280x720'),
      number('verticalFovDeg', '--fov-deg <deg>', 'vertical field of view'),
      number(
        'orthographicHeightM',
        '--top <m>',
        'parallel view, this many metres from edge to edge vertically',
      ),
      number('samplesPerPixel', '--samples <n>', 'rays per pixel'),
      atTime,
      seed,
    ],
  },
  'render.depth': {
    words: 'depth',
    help: 'a depth map of a scenario: one ray a pixel',
    options: [
      scenario,
      required(
        pose(
          'camera',
          '--pose <x,y,z,yaw_deg[,pitch_deg]>',
          "the camera's pose in the world: metres, degrees, pitch positive down",
        ),
      ),
      required(own(output('out', '--out <file>', 'ends in .npy or .png (below)'))),
      own(force),
      withDefault(size('widthPx heightPx', '--size <WxH>', 'in pixels'), [2000, 2000], '2000x2000'),
      number('horizontalFovDeg', '--fov-deg <deg>', 'horizontal field of view'),
      withDefault(
        choice('kind', '--kind <kind>', "planar: ahead of the camera's plane; ray: along the ray", [
          'planar',
          'ray',
        ]),
        'planar',
      ),
      number('maxRangeM', '--max-range <m>', 'what lies farther is not seen'),
      own(withDefault(number('stepMm', '--step-mm <mm>', 'depth of one step of a PNG'), 1)),
      atTime,
      seed,
      json(),
      settings,
      ...compute,
    ],
  },
  'scenario.poses': {
    words: 'poses',
    help: 'where objects, vehicle and sensors are, as text',
    options: [
      document(
        'scenario',
        '<scenario|run>',
        'id of a run or its beginning; a scenario file, or a sample',
      ),
      required(own(output('out', '--out <file>', 'the text file to write'))),
      own(force),
      list('objects', '--objects <a,b>', 'only these; * matches anything, as in tree-*'),
      number('fromS', '--from <s>', 'from this simulated time on'),
      number('toS', '--to <s>', 'up to this simulated time, included'),
      number('stepS', '--step <s>', 'at these steps; default: at the end of each tick'),
      number('seed', '--seed <n>', 'of a scenario; default: its own'),
      json(),
    ],
  },
} as const satisfies CommandRows<Method>;
