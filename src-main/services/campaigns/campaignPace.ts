// The cost of executing a campaign beside its runs, measured while it is executed: the start of host work, processes and
// workers, and what lies between two runs of a process. Memory: a few numbers for each scenario and sensor.
import type { CampaignPace } from '#services/ports/campaigns.ts';
import type { TimedRun } from './executeCampaign.ts';

export interface PaceMeter {
  take(run: TimedRun): void;
  /**
   * Null: too few runs ended.
   * @param prepareS wall time of the call before its runs
   * @param endS wall time of the call after its last run
   * @param hostS processor time of the host from the end of the first run on, when its code is compiled
   */
  pace(jobs: number, prepareS: number, endS: number, hostS: number): CampaignPace | null;
}

export function createPaceMeter(): PaceMeter {
  const firsts: TimedRun[] = [];
  const warm = new Map<string, { runs: number; runS: number; wallS: number; sinceS: number }>();
  return {
    take(run) {
      if (run.isFirst) {
        firsts.push(run);
        return;
      }
      const key = JSON.stringify([run.planned.scenario, run.planned.sensor]);
      const sums = warm.get(key) ?? { runs: 0, runS: 0, wallS: 0, sinceS: 0 };
      sums.runs += 1;
      sums.runS += run.sinceS - run.buildS;
      sums.wallS += run.wallS;
      sums.sinceS += run.sinceS;
      warm.set(key, sums);
    },
    pace(jobs, prepareS, endS, hostS) {
      const all = [...warm.values()];
      const sum = (field: 'runs' | 'runS' | 'wallS' | 'sinceS'): number =>
        all.reduce((total, each) => total + each[field], 0);
      if (firsts.length === 0) return null;
      const extra = firsts.map(({ planned, sinceS, buildS, wallS }) => {
        const alike = warm.get(JSON.stringify([planned.scenario, planned.sensor]));
        const { runs: count, runS } = alike ?? { runs: sum('runs'), runS: sum('runS') };
        return Math.max(0, count > 0 ? sinceS - buildS - runS / count : sinceS - wallS);
      });
      const coldS = extra.reduce((total, each) => total + each, 0) / extra.length;
      const laneFactor = sum('wallS') > 0 ? Math.max(1, sum('sinceS') / sum('wallS')) : 1;
      const runs = sum('runs');
      const hostRunS = hostS / Math.max(1, firsts.length + runs - 1);
      return { jobs, startUpS: prepareS + coldS + endS, laneFactor, runs, hostRunS };
    },
  };
}
