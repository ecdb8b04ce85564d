// Metrics of learned models as one HTML page that needs nothing else: table, by class, by range, figures.
import type { EvaluationFloor } from '#contract/host/learnMethods.ts';
import type { ChartLayout } from '#domain/charts/chart.ts';
import { chartSvg, pageLayout } from '#domain/charts/chartSvg.ts';
import { markup, verbatim, type Markup } from '#domain/shared/markup.ts';
import type { TableColumn } from '../table.ts';
import {
  classPlan,
  likelihoodFigure,
  modelPlan,
  rangeFigure,
  sliceFigures,
  type EvaluatedModel,
  type Figure,
} from './evaluationDrawings.ts';
import {
  bhattacharyyaNote,
  groupColumns,
  groupRows,
  metricColumns,
  metricRows,
} from './metricTables.ts';

/** Without a legend: many names would wrap over the axes; it is text between title and drawing. */
const layout: ChartLayout = {
  ...pageLayout,
  margin: { ...pageLayout.margin, top: 16 },
  hasLegend: false,
};

/** The whole page. */
export function evaluationPage(
  log: string,
  models: readonly EvaluatedModel[],
  floor: EvaluationFloor,
): string {
  const metrics = models.map((model) => ({ ...model.metrics, name: model.name }));
  const rows = metricRows(metrics, floor);
  const note = bhattacharyyaNote(rows);
  const [first] = models;
  const figures = [
    rangeFigure(models),
    likelihoodFigure(models),
    ...sliceFigures(models),
    ...(first === undefined ? [] : [classPlan(first)]),
    ...models.map(modelPlan),
  ];
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Understory: learned models</title>
<style>${verbatim(style)}</style>
</head>
<body>
<h1>Learned models against a log</h1>
<p>${log}, ${first?.metrics.beams ?? 0} beams. Metrics of Browning 2012, section 5. The floor is what reality differs by from itself: ${
    floor.log === null ? 'sweeps of this log against each other' : floor.log
  }.</p>
${table('Metrics', rows, metricColumns)}
${note === null ? markup`` : markup`<p>${note}.</p>`}
${table('By class', groupRows(metrics, 'classes'), groupColumns)}
${table('By range', groupRows(metrics, 'ranges'), groupColumns)}
<div class="figures">${figures.map(figure)}</div>
</body>
</html>
`;
  return page.markup;
}

function figure({ title, ...chart }: Figure): Markup {
  return markup`<figure><figcaption>${title}</figcaption>${legendOf(chart.series)}${verbatim(chartSvg(chart, layout))}</figure>`;
}

function legendOf(series: Figure['series']): Markup {
  if (series.length < 2) return markup``;
  const entries = series.map(
    ({ name, colour }) => markup`<span><i style="background:${colour ?? ''}"></i>${name}</span>`,
  );
  return markup`<p class="legend">${entries}</p>`;
}

function table<Row>(
  title: string,
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
): Markup {
  if (rows.length === 0) return markup``;
  const head = columns.map((column) => markup`<th>${column.title}</th>`);
  const body = rows.map(
    (row) => markup`<tr>${columns.map((column) => markup`<td>${column.value(row)}</td>`)}</tr>`,
  );
  return markup`<h2>${title}</h2>
<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
}

const style = `
body { margin: 2rem auto; max-width: 1320px; padding: 0 1.5rem; font: 15px/1.5 system-ui, sans-serif; color: #222; background: #fff; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin: 1.6rem 0 0.3rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: 0.15rem 0.9rem 0.15rem 0; border-bottom: 1px solid #e4e4e4; }
th:first-child, td:first-child { text-align: left; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(560px, 100%), 1fr)); gap: 1rem; align-items: end; }
.legend { display: flex; flex-wrap: wrap; gap: 0 1.2rem; margin: 0.2rem 0; font-size: 0.85rem; }
.legend i { display: inline-block; width: 0.8em; height: 0.8em; margin-right: 0.4em; border-radius: 2px; }
figure { margin: 0.5rem 0; } figcaption { font-weight: 600; }
figure svg { max-width: 100%; height: auto; background: #fff; border-radius: 4px; }
@media (prefers-color-scheme: dark) {
  body { color: #ddd; background: #17191c; }
  th, td { border-color: #3a3d42; }
}
`;
