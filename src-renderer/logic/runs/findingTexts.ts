// Findings of a check of the data folder, as the page writes them.
import {
  repairTexts,
  type CheckedCounts,
  type DataReplies,
  type Finding,
  type FindingKind,
  type Repair,
} from '#contract/host/dataMethods.ts';
import { bytesText, shortCountText } from '#domain/shared/formats.ts';

export const findingTexts: Record<FindingKind, string> = {
  'catalogue-damaged': 'Catalogue damaged',
  'index-damaged': 'Index of the catalogue damaged',
  'rows-unreachable': 'Rows of what is gone',
  'row-damaged': 'Row damaged',
  'scenario-damaged': 'Stored scenario damaged',
  'campaign-differs': 'Planned run done by another run',
  'recording-missing': 'Recording missing',
  'recording-damaged': 'Recording damaged',
  'recording-cut-off': 'Recording cut off',
  'recording-differs': 'Recording and catalogue differ',
  'side-file-missing': 'File of the run missing',
  'side-file-damaged': 'File of the run damaged',
  'mesh-missing': 'Mesh missing',
  'mesh-damaged': 'Mesh damaged',
  'log-damaged': 'Log damaged',
  'model-damaged': 'Learned model damaged',
  'lock-damaged': 'Lock damaged',
  'run-without-row': 'Run not in the catalogue',
  'run-under-way': 'Run under way, not checked',
  'run-interrupted': 'Run interrupted',
  'campaign-interrupted': 'Campaign interrupted',
  'run-misplaced': 'Folder in the wrong place',
  'mesh-unused': 'Mesh that no run uses',
  leftover: 'Leftover of a process',
  'token-readable': 'Token readable by others',
  'unknown-file': 'Unknown file',
};

export const outcomeTexts: Record<Finding['outcome'], string> = {
  found: '',
  repaired: 'repaired',
  marked: 'tagged',
  failed: 'not repaired',
};

/** '3 runs, 2 recordings, 1 mesh checked; 1.2 MB read'. */
export function checkedText({
  checked,
  bytesRead,
}: Pick<DataReplies['data.check'], 'checked' | 'bytesRead'>): string {
  const counts = Object.entries(checked) as [keyof CheckedCounts, number][];
  const parts = counts
    .filter(([name, count]) => count > 0 || name === 'runs')
    .map(([name, count]) => `${shortCountText(count)} ${count === 1 ? singular[name] : name}`);
  return `${parts.join(', ')} checked; ${bytesText(bytesRead)} read`;
}

const singular: Record<keyof CheckedCounts, string> = {
  runs: 'run',
  recordings: 'recording',
  campaigns: 'campaign',
  meshes: 'mesh',
  logs: 'log',
  models: 'model',
};

/** Effects of a repair, with the number of findings of each. */
export function openRepairs(findings: readonly Finding[]): { text: string; count: number }[] {
  const counts = new Map<Repair, number>();
  for (const { repair, outcome } of findings) {
    if (repair !== null && outcome === 'found') counts.set(repair, (counts.get(repair) ?? 0) + 1);
  }
  return [...counts].map(([repair, count]) => ({ text: repairTexts[repair], count }));
}
