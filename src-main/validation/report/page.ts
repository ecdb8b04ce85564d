// The report as one HTML page that needs nothing else: the verdict, every criterion, then the experiments.
import { encode } from 'fast-png';
import { chartSvg } from '#domain/charts/chartSvg.ts';
import { withUnit } from '#domain/shared/formats.ts';
import type { Criterion } from '#contract/host/validation.ts';
import type { Picture, Section, Table, TitledChart } from '../section.ts';
import type { Outcome } from '../validate.ts';
import { expectationOf, seedsText } from './criterionText.ts';
import { pageStyle } from './pageStyle.ts';

/** The whole page. */
export function reportPage({ validation, sections }: Outcome): string {
  const { criteria, passed, version, isa, seeds, seconds, isQuick } = validation;
  const held = criteria.filter(({ pass }) => pass).length;
  const form = isQuick ? 'the shorter form' : 'the full form';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Understory: validation</title>
<style>${pageStyle}</style>
</head>
<body>
<header>
<h1>Validation of the LIDAR simulation</h1>
<p class="verdict ${passed ? 'pass' : 'fail'}">${held} of ${criteria.length} criteria hold</p>
<p>Understory ${escapeHtml(version)}, ray kernels ${escapeHtml(isa)}, ${form}, ${seedsText(seeds)} (of several, the worst counts), ${seconds.toFixed(0)} s. Every range, intensity and picture below was traced by the same worker, through the same protocol, as a user's scan.</p>
</header>
<h2>Overview</h2>
${overview(sections)}
${sections.map(sectionOf).join('\n')}
</body>
</html>
`;
}

type Part = Outcome['sections'][number];

/** One line an experiment; its criteria are with it, and those that failed here too. */
function overview(sections: Outcome['sections']): string {
  const rows = sections.map(({ experiment, section: { criteria }, seconds }) => {
    const held = criteria.filter(({ pass }) => pass).length;
    const verdict =
      criteria.length === 0 ? 'shown without criteria' : `${held} of ${criteria.length} hold`;
    const link = `<a href="#${experiment.name}">${escapeHtml(experiment.title)}</a>`;
    return `<tr class="${held === criteria.length ? 'pass' : 'fail'}"><td>${link}</td><td class="number">${seconds.toFixed(1)} s</td><td>${verdict}</td></tr>`;
  });
  const failed = sections.flatMap(({ section }) => section.criteria.filter(({ pass }) => !pass));
  return `<table class="criteria"><thead><tr><th>experiment</th><th class="number">time</th><th>criteria</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>
${failed.length === 0 ? '' : `<h3>Failed</h3>\n${criteriaTable(failed)}`}`;
}

function criteriaTable(criteria: readonly Criterion[]): string {
  const rows = criteria.map((criterion) => {
    const { name, value, unit, pass } = criterion;
    const verdict = pass ? 'holds' : 'FAILS';
    return `<tr class="${pass ? 'pass' : 'fail'}"><td>${escapeHtml(name)}</td><td class="number">${withUnit(value, unit)}</td><td class="number">${escapeHtml(expectationOf(criterion))}</td><td>${verdict}</td></tr>`;
  });
  return `<table class="criteria"><thead><tr><th>criterion</th><th class="number">value</th><th class="number">expected</th><th></th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>`;
}

function sectionOf({ experiment, section }: Part, index: number): string {
  return `<section id="${experiment.name}">
<h2>${index + 1}. ${escapeHtml(experiment.title)}</h2>
${besides(section)}
${section.criteria.length > 0 ? criteriaTable(section.criteria) : ''}
<div class="figures">
${[...section.pictures.map(pictureOf), ...section.charts.map(chartOf)].join('\n')}
</div>
${section.tables.map(tableOf).join('\n')}
</section>`;
}

function besides({ paper, ours }: Section): string {
  return `<div class="besides">
<div><h3>The statement</h3>${paragraphs(paper)}</div>
<div><h3>Ours</h3>${paragraphs(ours)}</div>
</div>`;
}

function chartOf(chart: TitledChart): string {
  return figureOf(chart.title, chartSvg(chart), chart.caption);
}

function pictureOf({ title, caption, widthPx, heightPx, rgb }: Picture): string {
  const png = encode({ width: widthPx, height: heightPx, data: rgb, channels: 3, depth: 8 });
  const source = `data:image/png;base64,${base64Of(png)}`;
  const image = `<img src="${source}" width="${widthPx}" height="${heightPx}" alt="${escapeHtml(title)}">`;
  return figureOf(title, image, caption);
}

function figureOf(title: string, content: string, caption = ''): string {
  const below = caption === '' ? '' : `<p>${escapeHtml(caption)}</p>`;
  return `<figure><figcaption>${escapeHtml(title)}</figcaption>${content}${below}</figure>`;
}

function tableOf({ title, columns, rows, caption = '' }: Table): string {
  const cells = (texts: readonly string[], tag: string): string =>
    texts.map((text) => `<${tag}${classOf(text)}>${escapeHtml(text)}</${tag}>`).join('');
  const head = columns.map((text, column) => {
    const isNumber = rows.every((row) => isNumeric(row[column] ?? ''));
    return `<th${isNumber ? ' class="number"' : ''}>${escapeHtml(text)}</th>`;
  });
  return `<h3>${escapeHtml(title)}</h3>
<table><thead><tr>${head.join('')}</tr></thead><tbody>
${rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')}
</tbody></table>
${caption === '' ? '' : `<p class="aside">${escapeHtml(caption)}</p>`}`;
}

function classOf(text: string): string {
  return isNumeric(text) ? ' class="number"' : '';
}

function isNumeric(text: string): boolean {
  return /^[−-]?[\d.,]+(e[−-]?\d+)?( ?%| ± .*)?$/.test(text);
}

function paragraphs(texts: readonly string[]): string {
  return texts.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n');
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Base64 in pieces that fit on the stack. */
function base64Of(bytes: Uint8Array): string {
  const pieceBytes = 0x8000;
  let text = '';
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    text += String.fromCharCode(...bytes.subarray(at, at + pieceBytes));
  }
  return btoa(text);
}
