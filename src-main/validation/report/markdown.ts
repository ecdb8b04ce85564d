// The report as Markdown: the verdict, every criterion and table, and the texts. Drawings are in the page alone.
import type { Criterion } from '#contract/host/validation.ts';
import { withUnit } from '#domain/shared/formats.ts';
import type { Table } from '../section.ts';
import type { Outcome } from '../validate.ts';
import { expectationOf, seedsText } from './criterionText.ts';

/** The whole document. Guarantees: the same outcome gives the same text; times are left out but for the total. */
export function reportMarkdown({ validation, sections }: Outcome): string {
  const { criteria, version, isa, seeds, seconds, isQuick } = validation;
  const held = criteria.filter(({ pass }) => pass).length;
  const form = isQuick ? 'the shorter form' : 'the full form';
  return [
    '# Validation of the LIDAR simulation',
    `**${held} of ${criteria.length} criteria hold.** Understory ${version}, ray kernels ${isa}, ${form}, ${seedsText(seeds)} (of several, the worst counts), ${seconds.toFixed(0)} s.`,
    ...sections.flatMap(sectionOf),
  ]
    .map((part) => `${part}\n`)
    .join('\n');
}

function sectionOf({ experiment, section }: Outcome['sections'][number]): string[] {
  const { paper, ours, criteria, tables } = section;
  return [
    `## ${experiment.title}`,
    `\`npm run validate -- --only ${experiment.name}\``,
    '**Statement.**',
    ...paper.map(escaped),
    '**Ours.**',
    ...ours.map(escaped),
    ...(criteria.length === 0 ? [] : [criteriaTable(criteria)]),
    ...tables.flatMap(tableOf),
  ];
}

function criteriaTable(criteria: readonly Criterion[]): string {
  return markdownTable(
    ['criterion', 'value', 'expected', ''],
    criteria.map((criterion) => [
      criterion.name,
      withUnit(criterion.value, criterion.unit),
      expectationOf(criterion),
      criterion.pass ? 'holds' : 'FAILS',
    ]),
  );
}

function tableOf({ title, columns, rows, caption = '' }: Table): string[] {
  const table = [`### ${escaped(title)}`, markdownTable(columns, rows)];
  return caption === '' ? table : [...table, escaped(caption)];
}

function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => escaped(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Signs that Markdown would take for its own. */
function escaped(text: string): string {
  return text.replace(/[*_<`]/g, '\\$&');
}
