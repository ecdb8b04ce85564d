// Commands about learned models.
import { countingRules, learnedKinds } from '../worker/learnedModel.ts';
import {
  alias,
  choice,
  file,
  files,
  json,
  number,
  off,
  on,
  output,
  own,
  parameters,
  position,
  required,
  voxel,
  withDefault,
} from './commandOptions.ts';
import type { CommandRows } from './commandRow.ts';
import type { Method } from '../host/methods.ts';
import { learnPresetNames } from '../host/learnMethods.ts';
import { force, threads, threadsOfMetrics } from './sharedOptions.ts';

const drawnSeed = number('seed', '--seed <n>', 'of the ranges that models draw');

/** A parameter, as an option of its own. */
function learned<const N extends string>(parameter: N, flags: string, help: string) {
  return alias(number(`parameters.${parameter}` as const, flags, help));
}

export const learnCommands = {
  'learn.start': {
    words: 'learn',
    hasSubcommands: true,
    help: 'a model of a site from logs: elements, surfaces or points that beams meet',
    options: [
      files('logs', '<log...>', 'files of `log import`'),
      required(
        choice('model', '--model <kind>', 'what the model is made of (below)', learnedKinds),
      ),
      required(output('out', '--out <file>', 'a .ply, which CloudCompare and MeshLab open, too')),
      force,
      withDefault(
        choice('preset', '--preset <name>', 'parameters as they were published', learnPresetNames),
        'browning-2012',
      ),
      alias(
        voxel(
          'parameters.volume',
          '--voxel <m>',
          's, edge of a voxel, or auto: by held-out likelihood',
        ),
      ),
      learned(
        'volume.mahalanobisLimit',
        '--tau <n>',
        'Mahalanobis distance at which an element ends',
      ),
      alias(
        choice(
          'parameters.volume.counting',
          '--counting <rule>',
          'which elements and triangles a beam counts for',
          countingRules,
        ),
      ),
      learned('volume.minPoints', '--min-points <n>', 'N_v: returns that an element needs'),
      learned('volume.means', '--means <n>', 'K: clusters of a split'),
      learned(
        'volume.stopPoints',
        '--stop-points <n>',
        'N_p: clusters with fewer returns are not split',
      ),
      learned('volume.restarts', '--restarts <n>', 'starts of k-means'),
      learned('surface.gridM', '--grid <m>', "s of surfaces: edge of the grid's cubes"),
      learned(
        'surface.kernelM',
        '--kernel <m>',
        'K_s: radius of the kernel of surfaces and normals',
      ),
      learned(
        'surface.hitOffsetM',
        '--hit-offset <m>',
        'Δ_r: returns so near to a triangle are hits of it; four times as much by the rule owner',
      ),
      learned(
        'surface.pointRadiusM',
        '--point-radius <m>',
        'd_max: beams meet points nearer than this',
      ),
      learned(
        'classifier.volumeSphericity',
        '--sphericity <n>',
        's_vol: above it lies a volume; with --no-labels',
      ),
      alias(
        off(
          'parameters.classifier.isLearned',
          '--no-labels',
          'do not learn what separates surfaces from volumes',
        ),
      ),
      parameters(
        'parameters',
        '--set <path=value>',
        'any parameter, such as volume.minSigmaM=0.002',
      ),
      number('seed', '--seed <n>', 'of clusters and labels'),
      threads,
      json(),
    ],
  },
  'learn.evaluate': {
    help: 'learned models against the log of another drive (Browning 2012, section 5)',
    options: [
      files('models', '<model...>', 'files of `learn`'),
      required(
        file('log', '--log <file>', 'a log of a drive that the models were not learned from'),
      ),
      file(
        'floor',
        '--floor <file>',
        'a second log: what reality differs by from itself; else by sweeps',
      ),
      own(output('html', '--html <file>', 'write a page with tables and figures')),
      own(on('isReplacing', '--force', 'replace the page where there is one')),
      drawnSeed,
      threadsOfMetrics,
      json('print the metrics as JSON'),
    ],
  },
  'learn.place': {
    words: 'log ranges',
    help: 'where beams that pass a place end, in a log and in models (Deschaud 2012, figure 1)',
    options: [
      file('log', '<x.log>'),
      files('models', '[model...]', 'files of `learn`, up to 8'),
      required(position('placeM', '--at <x,y,z>', 'the place, in the world: metres')),
      number('radiusM', '--radius <m>', 'beams pass nearer than this'),
      number('windowM', '--window <m>', 'ranges so far before and behind the place'),
      number('bins', '--bins <n>', 'of the window'),
      drawnSeed,
      json('print shares, by bin of the window too, as JSON'),
    ],
  },
} as const satisfies CommandRows<Method>;
