// Columns of an export, as a person chooses them: all that were recorded, a named set, or one by one.
import {
  columnSetNames,
  columnSets,
  returnColumnNames,
  type ColumnSetName,
  type ReturnColumnName,
} from '#contract/columns.ts';

export type ColumnChoice = '' | ColumnSetName | 'own';

/** The choices, the default first. */
export const columnChoices: readonly { value: ColumnChoice; label: string }[] = [
  { value: '', label: 'all that were recorded' },
  ...columnSetNames
    .filter((name) => name !== 'all')
    .map((name) => ({ value: name, label: `${name}: ${columnSets[name].meaning}` })),
  { value: 'own', label: 'my choice' },
];

/** As the request has them; none: all that were recorded. Own columns come in the table's order. */
export function chosenColumns(
  choice: ColumnChoice,
  own: readonly ReturnColumnName[],
): (ReturnColumnName | ColumnSetName)[] {
  if (choice === '') return [];
  if (choice !== 'own') return [choice];
  return returnColumnNames.filter((name) => own.includes(name));
}
