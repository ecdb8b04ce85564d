// Commands about campaigns.
import {
  choice,
  json,
  list,
  number,
  on,
  output,
  own,
  text,
  withDefault,
  campaign as campaignOption,
} from './commandOptions.ts';
import {
  resultFormats,
  type campaignRequests,
  type campaignRunRequests,
} from '../host/campaignMethods.ts';
import type { CommandRows } from './commandRow.ts';

const campaign = campaignOption(
  'campaign',
  '<campaign>',
  'a campaign file, the name of a sample, or of a campaign in the data folder',
);
const limit = number('limit', '--limit <n>', 'only the first n runs of the plan');
const jobs = number('jobs', '--jobs <n>', 'runs at once; default: as cores and memory allow');
const counts = json('print the counts at the end as JSON');
const recorded = campaignOption(
  'campaign',
  '<campaign>',
  'name of a campaign in the data folder, or its file',
);
const where = text(
  'where',
  '--where <condition>',
  'only rows for which it is true: "density > 200 and goal = 1"',
);
const by = list('by', '--group-by <a,b>', 'means and shares by these axes, with 95 % intervals');
const compare = text(
  'compare',
  '--compare <axis>',
  'with --group-by: differences from the first value, paired by seed',
);

export const campaignCommands = {
  'campaign.check': {
    help: 'every problem of a campaign and of its runs, at the axes that make them',
    options: [campaign, json('print the problems as JSON')],
  },
  'campaign.plan': {
    help: 'how many runs are new, and the time and disk space that they take',
    options: [
      campaign,
      limit,
      own(number('on', '--on <cores>', 'with the schedule on so many cores of a cluster')),
      own(
        number(
          'runsPerTask',
          '--runs-per-task <n>',
          'with --on: as campaign slurm would submit them; default: as makes the schedule the shortest',
        ),
      ),
      json('print the plan as JSON'),
    ],
  },
  'campaign.run': {
    help: 'execute the runs that are missing; Ctrl+C ends the runs under way, which are repeated later',
    options: [campaign, limit, jobs, counts],
  },
  'campaign.retry': {
    help: 'execute the runs again that have failed, and those that are missing',
    options: [campaign, own(limit), own(jobs), counts],
  },
  'campaign.status': {
    help: 'how many runs of a campaign are done, failed, running and pending',
    options: [campaign, json('print as JSON')],
  },
  'campaign.stop': {
    help: 'end a campaign that any process executes; finished runs are kept',
    options: [campaign],
  },
  'campaign.list': {
    help: 'the campaigns that come with Understory, and those of the data folder',
    options: [json('print as JSON')],
  },
  'campaign.results': {
    help: 'one row for each run that has ended, in plan order: simulated quantities only',
    options: [
      recorded,
      own(withDefault(choice('format', '--format <format>', undefined, resultFormats), 'csv')),
      own(output('out', '--out <file>', 'the file to write; default: stdout')),
      list('columns', '--columns <a,b>', 'only these columns, in this order'),
      where,
      on('hasTiming', '--timing', 'with wall time, host and attempts of each run'),
      own(by),
      own(compare),
      own(
        output('plot', '--plot <file>', 'a chart of --group-by with one or two axes, .svg or .png'),
      ),
      own(text('measure', '--measure <name>', 'of the chart; default: the first')),
      own(on('isReplacing', '--force', 'replace an existing file')),
      json('print as JSON'),
    ],
  },
  /** A form of campaign.results. */
  'campaign.group': {
    words: 'campaign results',
    help: 'groups of the runs that have ended',
    options: [recorded, by, compare, where],
  },
} as const satisfies CommandRows<keyof typeof campaignRequests | keyof typeof campaignRunRequests>;
