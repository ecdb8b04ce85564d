// Commands about runs.
import {
  choice,
  columnWords,
  date,
  json,
  list,
  number,
  off,
  on,
  each,
  required,
  run,
  single,
  target,
  uprightBox,
  text,
  texts,
  withDefault,
  word,
  file,
} from './commandOptions.ts';
import type { CommandRows } from './commandRow.ts';
import { runStates } from '../host/run.ts';
import {
  captureFormats,
  datasetFormats,
  exportFormats,
  objectFormats,
} from '../host/exportFormats.ts';
import { type runRequests } from '../host/runMethods.ts';
import { runSortKeys, type runQueryRequests } from '../host/runQueries.ts';
import { force, frame, threads } from './sharedOptions.ts';

const runs = single('runIds', run.flags, run.help);

export const runCommands = {
  'runs.list': {
    help: 'the runs, the newest first',
    options: [
      text(
        'search',
        '--search <words>',
        'in name, scenario, sensors, notes and tags; beginnings will do',
      ),
      choice('state', '--state <state>', 'only these', runStates),
      text('scenario', '--scenario <name>', "only this scenario's, by its name"),
      text('sensor', '--sensor <id>', 'only those that this sensor took part in'),
      text('tag', '--tag <tag>', 'only those with this tag'),
      text(
        'where',
        '--where <condition>',
        'only those for which it is true: "campaign.density > 200"',
      ),
      date('fromMs', '--from <date>', 'started on this day or at this time, or later'),
      date('toMs', '--to <date>', 'started before this day or time'),
      word('with')('trash', '--trash', 'deleted ones too'),
      word('only')('trash', '--only-trash', 'deleted ones only'),
      withDefault(choice('sortBy', '--sort <column>', 'by what', runSortKeys), 'created'),
      off('isDescending', '--ascending', 'the least first'),
      number('limit', '--limit <n>', 'at most so many'),
      number('offset', '--offset <n>', 'leave out the first so many'),
      json('print as JSON'),
    ],
  },
  'runs.tag': {
    help: 'add tags to a run, or remove them; prints its tags afterwards',
    options: [
      runs,
      list('add', '--add <a,b>', 'tags to add'),
      list('remove', '--remove <a,b>', 'tags to remove'),
    ],
  },
  'runs.note': {
    help: 'write the notes of a run, in place of those it had; without a text, print them',
    options: [run, text('notes', '[text]', "the new notes; '' removes them")],
  },
  'runs.delete': {
    alias: 'trash',
    help: "move a run to the data folder's trash",
    options: [runs],
  },
  'runs.restore': {
    help: 'take a run out of the trash',
    options: [runs],
  },
  'runs.empty': {
    help: 'remove the runs in the trash permanently, their recordings too',
    options: [texts('runIds', '[runs...]', 'only these')],
  },
  'runs.show': {
    help: 'everything in the catalogue about a run',
    options: [run, json('print as JSON')],
  },
  'runs.plants': {
    help: 'truth of the plants of a run, measured once for all runs of its scene',
    options: [
      run,
      required(target('out', '--out <file>', '.csv: a row a plant')),
      force,
      json('print as JSON'),
    ],
  },
  'runs.log': {
    help: 'what was logged from the start of a run to its end',
    options: [run, json('print as JSON')],
  },
  'runs.scans': {
    help: 'the scans of a run, with returns by class, or those that saw one instance',
    options: [
      run,
      text(
        'instance',
        '--instance <name>',
        'only scans with returns from this instance, such as tree-12',
      ),
      number('minReturns', '--min-returns <n>', 'at least so many returns'),
      json('print as JSON'),
    ],
  },
  'runs.export': {
    help: 'the points of a run, or the boxes of what moves in it, for other programs',
    options: [
      run,
      required(
        choice(
          'format',
          '--format <format>',
          "boxes: what moves, as CSV; velodyne-pcap: a sensor's packets",
          [...exportFormats, ...datasetFormats, ...captureFormats, ...objectFormats],
        ),
      ),
      required(target('out', '--out <file>', 'the file to write; with semantickitti a folder')),
      text(
        'sensor',
        '--sensor <name>',
        'only the points of this one; default: all, with a column sensor',
      ),
      columnWords(
        'columns',
        '--columns <a,b>',
        'only these columns, or sets of them; default: all',
      ),
      frame,
      number('fromS', '--from <s>', 'from this simulated time on'),
      number('toS', '--to <s>', 'up to this simulated time'),
      uprightBox(
        'box',
        '--box <x,y,z,length,width,height[,yaw_deg]>',
        'only points in this upright box of the world, given by its centre: metres, degrees',
      ),
      force,
      json(),
    ],
  },
  'runs.verify': {
    help: 'check the recording, simulate the run again and compare every scan: hash and points',
    options: [
      text(
        'runId',
        '<run>',
        'id of a run, or the beginning of one; or a file: a bundle, a recording',
      ),
      threads,
      json(),
    ],
  },
  'runs.pack': {
    help: 'runs as one file, to be unpacked and verified elsewhere; equal runs, equal bytes',
    options: [
      texts('runIds', '<run...>', 'ids of runs, or the beginnings of them'),
      required(target('out', '--out <file>', 'the bundle to write, such as x.understory')),
      on(
        'recording',
        '--recording',
        'with the recordings: the runs can be played and exported elsewhere',
      ),
      list(
        'clouds',
        '--clouds <a,b>',
        `with the points as files, of these formats: ${exportFormats.join(', ')}`,
      ),
      on('pictures', '--pictures', 'with the cost map and the cloud of each run as pictures'),
      on('page', '--html', 'with index.html, which shows the runs in any browser, from disk'),
      force,
      json(),
    ],
  },
  'runs.unpack': {
    help: 'take runs from elsewhere: bundles, recordings, or whole data folders',
    options: [each(file('path', '<file...>', 'bundles, recordings, or data folders')), json()],
  },
  'runs.adopt': {
    help: 'take recordings into the catalogue: of one run, or of all that it does not have',
    options: [
      single(
        'runIds',
        '[run]',
        'id of a run; default: every folder in the data folder without a row',
      ),
      json(),
    ],
  },
} as const satisfies CommandRows<keyof typeof runRequests | keyof typeof runQueryRequests>;
