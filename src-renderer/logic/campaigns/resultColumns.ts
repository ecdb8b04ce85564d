// The columns of a table of results: titles with units, alignment and width.
import type { ResultColumn } from '#contract/host/campaignMethods.ts';
import { fieldWords } from '#renderer/logic/forms/fieldNames.ts';
import { valueText, type ResultValue } from './resultValue.ts';

export interface ShownColumn {
  name: string;
  kind: ResultColumn['kind'];
  title: string;
  unit: string;
  isNumber: boolean;
  widthPx: number;
}

/** Columns of the plan that the table shows otherwise: the run as a link, the state as a mark. */
const shownElsewhere: ReadonlySet<string> = new Set(['run', 'state']);
const [minPx, maxPx, letterPx, marginPx] = [64, 220, 7.4, 30];

/** The columns after index and state, in their order. */
export function shownColumns(columns: readonly ResultColumn[]): ShownColumn[] {
  return columns
    .filter(({ name }) => !shownElsewhere.has(name))
    .map(({ name, kind, type }) => {
      // Why not of axes: their names are a person's own.
      const { label, unit } = kind === 'axis' ? { label: name, unit: '' } : fieldWords(name);
      const isNumber = type !== 'text';
      const letters = label.length + (unit === '' ? 0 : unit.length + 1);
      const width = Math.round(letters * letterPx + marginPx);
      const least = isNumber ? minPx : 84;
      return {
        name,
        kind,
        title: label,
        unit,
        isNumber,
        widthPx: Math.max(least, Math.min(maxPx, width)),
      };
    });
}

/** A cell: switches of a run are shown as words. */
export function cellText(value: ResultValue | undefined): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return valueText(value);
}
