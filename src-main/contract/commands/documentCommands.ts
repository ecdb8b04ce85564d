// Commands about the documents that a person writes, and about the data folder.
import { lengthUnits } from '../documents/quantities.ts';
import {
  area,
  choice,
  corners,
  document,
  each,
  file,
  files,
  json,
  number,
  on,
  output,
  own,
  pairs,
  place,
  required,
  settings,
  target,
  text,
} from './commandOptions.ts';
import type { CommandRows } from './commandRow.ts';
import type { Method } from '../host/methods.ts';
import { importFormats } from '../host/importMethods.ts';
import { manualPages } from '../host/manualMethods.ts';
import { rateHz, scenario } from './scanCommands.ts';
import { force, seed, threads } from './sharedOptions.ts';

const sensor = document('sensor', '<sensor>', 'a sensor file, or the id of a sample');

export const documentCommands = {
  'scenario.check': {
    help: 'every problem of a scenario and of the files it refers to',
    options: [scenario, json('print the problems as JSON')],
  },
  'scenario.plan': {
    help: 'triangles, extents and memory of a scenario before anything is built',
    options: [scenario, seed, json()],
  },
  'scenario.bake': {
    help: 'the physics of a scenario, simulated once: poses over time of its bodies, in the file that it names',
    options: [
      scenario,
      output('out', '--out <file>', 'another file than that of the scenario'),
      seed,
      json(),
      settings,
    ],
  },
  'scenario.truth': {
    help: 'measures of plants, voxels and a plot of a scenario',
    options: [
      scenario,
      target('out', '--out <file>', 'CSV: a row a plant'),
      target(
        'voxelsOut',
        '--voxels-out <file>',
        'leaf and wood area of each voxel: ends in .vox (AMAPvox), .csv or .npz',
      ),
      target(
        'plotOut',
        '--plot-out <file>',
        'gap fractions, leaf area index, canopy and terrain: ends in .npz or .json',
      ),
      target(
        'canopyOut',
        '--canopy-out <file>',
        'heights of the canopy above the ground: ends in .tif (GeoTIFF)',
      ),
      target('terrainOut', '--terrain-out <file>', 'heights of the ground: ends in .tif (GeoTIFF)'),
      number('voxelM', '--voxel <m>', 'edge of a voxel, and of a cell of a plot'),
      corners(
        'boxM',
        '--box <x,y,z,x,y,z>',
        'of voxels and plot, and of the feet of plants, in the world; default: around all plants',
      ),
      number('rays', '--rays <n>', 'through a plot, of all zenith angles together'),
      threads,
      seed,
      on('isReplacing', '--force', 'replace existing files'),
      json(),
      settings,
    ],
  },
  'scenario.import': {
    help: 'a scenario from files of other programs: tree lists (CSV), terrain (GeoTIFF, ESRI ASCII), glTF, MAVS (JSON), HELIOS++ (XML)',
    options: [
      files('files', '<files...>', 'files that make one scenario, such as a terrain and its trees'),
      required(
        target('out', '--out <folder|file.yaml>', 'the scenario to write, or a folder for it'),
      ),
      choice(
        'format',
        '--format <name>',
        "of every file; default: by the file's name",
        importFormats,
      ),
      text(
        'crs',
        '--crs <epsg|wkt>',
        "coordinate reference system, such as EPSG:25832; default: the files'",
      ),
      choice('unit', '--unit <unit>', 'of columns of a tree list that name none', lengthUnits),
      area(
        'areaM',
        '--area <x,y,x,y>',
        'opposite corners of the part of a terrain to import, in its coordinates',
      ),
      number(
        'cellM',
        '--cell <m>',
        "distance of heights of a terrain, larger than the file's: each is a mean",
      ),
      pairs(
        'columns',
        '--column <field=title[:unit]>',
        'of a tree list: x, y, distance, azimuth, height, dbh, crown, crown-radius, species, name or z; repeatable',
      ),
      place(
        'plotCentreM',
        '--plot-centre <x,y>',
        'of a tree list: zero of distances and azimuths; default: 0,0',
      ),
      on('skipsBadRows', '--skip-bad-rows', 'of a tree list: leave out lines that are no trees'),
      pairs(
        'species',
        '--species <name=plant>',
        'a plant (id or file) for a species of a tree list; * for unknown ones; repeatable',
      ),
      files(
        'meshes',
        '--meshes <folder>',
        'where meshes that a scene names are looked for first; repeatable',
      ),
      on('isReplacing', '--force', 'replace existing files'),
      json('print the report as JSON'),
    ],
  },
  'scenario.addModel': {
    words: 'scenario add-model',
    help: 'a learned model in a scenario, or in a new one with level ground and a drive',
    options: [
      file('model', '<model>', 'a .ply of `learn`'),
      document(
        'scenario',
        '--to <scenario>',
        'a scenario file, or the name of a sample; default: a new one',
      ),
      file(
        'log',
        '--log <file>',
        'of a new scenario: its ground and its drive are those of this log',
      ),
      required(output('out', '--out <file.yaml>', 'the scenario to write')),
      force,
      json(),
    ],
  },
  'scenario.list': {
    help: 'the scenarios that come with Understory',
    options: [json('print as JSON')],
  },
  'document.reference': {
    words: 'docs',
    help: 'the reference of a document format with an example, as Markdown',
    options: [
      text('kind', '<document>', 'scenario, sensor, plant or campaign'),
      own(output('out', '--out <file>', 'default: stdout')),
      own(on('isReplacing', '--force', 'replace an existing file')),
    ],
  },
  'manual.read': {
    words: 'manual',
    help: 'a page of the manual, as Markdown; without one the list of pages',
    options: [choice('page', '[page]', 'name of a page', manualPages), json()],
  },
  'document.upgrade': {
    words: 'upgrade',
    help: 'rewrite documents of older versions; comments stay',
    options: [
      each(file('file', '<files...>', 'scenario, sensor, plant or campaign files')),
      on('isDryRun', '--dry-run', 'say what would change, and write nothing'),
      json('print as JSON'),
    ],
  },
  'sensor.list': {
    help: 'the sensors that come with Understory',
    options: [json('print as JSON')],
  },
  'sensor.check': {
    help: 'every problem of a sensor file',
    options: [sensor, json('print the problems as JSON'), settings],
  },
  'sensor.show': {
    help: 'a sensor as it is simulated: footprint, lasers, pulses of a scan, rates',
    options: [
      sensor,
      own(output('out', '--out <file>', 'ends in .png')),
      own(force),
      number('rangeM', '--range <m>', 'at which the footprint is drawn'),
      rateHz,
      text('mode', '--mode <mode>', "return mode; default: the sensor's"),
      number('seed', '--seed <n>', 'of rays that are drawn, and of biases'),
      json('print everything but the pulses as JSON'),
      settings,
    ],
  },
  'data.check': {
    words: 'check',
    help: 'check the data folder: catalogue, recordings, meshes, logs, locks, leftovers',
    options: [
      on(
        'isQuick',
        '--quick',
        'structure and sizes only: no recording, mesh or log is read as a whole',
      ),
      on('isRepairing', '--repair', 'repair what can be repaired without losing anything'),
      json(),
    ],
  },
} as const satisfies CommandRows<Method>;
