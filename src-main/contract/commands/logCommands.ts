// Commands about logs.
import { lengthUnits, timeUnits } from '../documents/quantities.ts';
import { leafAngleNames } from '../documents/plant.ts';
import { allLogReturns } from '../log/log.ts';
import { logFormatsText } from '../log/logSources.ts';
import {
  box,
  choice,
  corners,
  document,
  file,
  files,
  json,
  number,
  off,
  on,
  output,
  own,
  pair,
  required,
  restingPose,
  source,
  text,
} from './commandOptions.ts';
import type { CommandRows } from './commandRow.ts';
import type { logRequests } from '../host/logMethods.ts';
import { endingsText, exportFormats } from '../host/exportFormats.ts';
import { force, threads, threadsOfMetrics } from './sharedOptions.ts';

const log = file('log', '<x.log>');

export const logCommands = {
  'log.import': {
    help: `a log from a run, or from ${logFormatsText}`,
    options: [
      source('source', '<source>', 'id of a run or its beginning; a file; a folder'),
      required(output('out', '--out <x.log>', 'the log to write')),
      force,
      text('sensor', '--sensor <name>', 'of a run with several'),
      text(
        'cloud',
        '--cloud <topic>',
        'of the clouds, or sender of packets; default: the only one',
      ),
      text('poses', '--poses <topic>', 'TF, Odometry or PoseStamped; default: detected'),
      file(
        'trajectory',
        '--trajectory <file>',
        'poses of the sensor for files of clouds and captures of packets: .tum, .txt or .csv',
      ),
      document(
        'calibration',
        '--calibration <id>',
        'of captures of packets: a sensor file, or the id of a sample; default: that of the model',
      ),
      restingPose(
        'pose',
        '--pose <x,y,z[,qx,qy,qz,qw]>',
        'of a sensor at rest, in place of poses: metres, and a quaternion where it is turned',
      ),
      number('maxGapS', '--max-gap <s>', 'longest time between two poses; default: 2'),
      text(
        'timeField',
        '--time-field <name>',
        'of the points: their times; none: the times of the clouds alone; default: by its name',
      ),
      choice('timeUnit', '--time-unit <unit>', 'of that field; default: by its name', timeUnits),
      text('frame', '--frame <name>', 'of the log; default: the uppermost frame above the clouds'),
      on('isInverse', '--inverse', 'the poses are those of the world in the sensor'),
      off('infersMisses', '--no-infer-misses', 'misses that the source leaves out stay unknown'),
      choice(
        'returns',
        '--returns <which>',
        'of a pulse with several; all: for `estimate`',
        allLogReturns,
      ),
      pair('azimuthDeg', '--azimuth <from,to>', 'only this sector: degrees counter-clockwise'),
      pair(
        'rangeM',
        '--range <from,to>',
        'returns outside are left out, passes of what is inside stay: metres',
      ),
      {
        ...box(
          'body',
          '--body [x,y,z,x,y,z]',
          "leave out returns of the vehicle: of a run's, or in this box of its frame; of other sources, of the sensor's",
        ),
        bare: 'vehicle',
      },
      number('fromS', '--from <s>', 'since the first beam'),
      number('toS', '--to <s>', 'since the first beam'),
      text('crs', '--crs <epsg|wkt>', 'coordinate system of the world, such as EPSG:25832'),
      choice(
        'unit',
        '--unit <unit>',
        'of positions in the world, points and poses alike; default: as the file states',
        lengthUnits,
      ),
      number('maxM', '--max-range <m>', "the sensor's, where the source does not state it"),
      number(
        'intensityOfWhite',
        '--white <intensity>',
        'of a white diffuse wall that faces the sensor',
      ),
      json(),
    ],
  },
  'log.show': {
    help: 'what a log holds; a damaged one is refused',
    options: [
      log,
      own(output('out', '--out <picture.png>', 'a top view, coloured by height')),
      own(on('isReplacing', '--force', 'replace the picture where there is one')),
      json('print as JSON'),
    ],
  },
  'log.export': {
    help: 'the beams of a log for other programs',
    options: [
      log,
      required(output('out', '--out <file>', `ends in ${endingsText(exportFormats)}`)),
      choice('format', '--format <name>', 'default: the ending of the file', exportFormats),
      on('misses', '--misses', 'also beams without a return'),
      force,
      json(),
    ],
  },
  'log.estimate': {
    words: 'estimate',
    help: 'leaf area density of voxels from the beams of logs, by three estimators',
    options: [
      files('logs', '<log...>', 'files of `log import` or `scan --out x.log`, of one site'),
      required(output('out', '--out <file>', 'ends in .csv, .npz or .vox (AMAPvox)')),
      force,
      number('voxelM', '--voxel <m>', 'edge of a voxel'),
      corners(
        'boxM',
        '--box <x,y,z,x,y,z>',
        'of the voxels, in the world; left out: around sensors and returns',
      ),
      choice('angles', '--angles <law>', 'of the angles of leaves', leafAngleNames),
      number('leafSizeM', '--leaf-size <m>', 'diameter of a leaf; 0: leaves are small'),
      number('minBeams', '--min-beams <n>', 'with fewer a voxel is not known'),
      file('truth', '--truth <file>', '.npz of `scenario truth --voxels-out`, of the same voxels'),
      threads,
      json(),
    ],
  },
  'log.compare': {
    words: 'compare',
    help: 'two logs, runs or clouds against each other (Browning 2012, section 5)',
    options: [
      source('one', '<one>', 'a log, the id of a run, or any source of `log import`'),
      source(
        'other',
        '<other>',
        'likewise; hits and misses are those of the first that the other has, too',
      ),
      threadsOfMetrics,
      json('print the metrics as JSON'),
    ],
  },
} as const satisfies CommandRows<keyof typeof logRequests>;
