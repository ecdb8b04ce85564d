// The page of a run, and the list of several, as one HTML file each: no other file, no network, no server. The policy in
// its head allows the one script and the one style that are in it. Every text that comes from a run is escaped.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countText, withUnit } from '#domain/shared/formats.ts';
import { markup, scriptJson, verbatim, type Markup } from '#domain/shared/markup.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import type { DrawnRun, ListedRun } from '#services/ports/runDrawings.ts';
import type { CloudData } from './cloudData.ts';
import type { CloudSample } from './cloudSample.ts';
import {
  endingOf,
  textTables,
  listedTexts,
  mainTexts,
  type NamedText,
  type TextTable,
} from './runTexts.ts';

/** Drawings on the page of a run; null: the run has no data for it. */
export interface PageDrawings {
  map: Markup | null;
  cloud: { data: CloudData; sample: CloudSample } | null;
}

/** The page of one run. */
export function runPage(drawn: DrawnRun, { map, cloud }: PageDrawings): string {
  const { run, compiled } = drawn;
  const { name, description } = compiled.scenario;
  const sensors = compiled.sensors.map((sensor) => sensor.name).join(', ');
  const ending = endingOf(run);
  const body = markup`<header>
<p class="kind">Simulated run</p>
<h1>${run.name}</h1>
<p class="ending ${ending.isGood ? 'good' : 'bad'}">${ending.text}</p>
<p class="lead">${[name === run.name ? '' : name, sensors, `seed ${compiled.scenario.seed}`].filter((text) => text !== '').join(' · ')}</p>
${description === '' ? '' : markup`<p class="lead">${description}</p>`}
</header>
${tiles(mainTexts(drawn))}
<div class="figures">
${cloudFigure(cloud)}
${mapFigure(map)}
</div>
<div class="tables">
${textTables(drawn).map(tableOf)}
</div>
<footer>
<p>The bundle around this page can be unpacked and simulated again: <code>understory runs verify FILE</code> compares every scan with its hash.</p>
</footer>
${cloud === null ? '' : cloudScripts(cloud.data)}`;
  return htmlPage(run.name, body, cloud !== null);
}

/** A table of runs, each with a link to its page. */
export function runList(runs: readonly ListedRun[]): string {
  const rows = runs.map((listed) => {
    const link = markup`<a href="runs/${listed.identity}/index.html">${listed.run.name}</a>`;
    const texts = listedTexts(listed);
    return markup`<article><h2>${link}</h2>${definitionList(texts)}</article>`;
  });
  const count = countText(runs.length);
  const body = markup`<header><p class="kind">Simulated runs</p><h1>${count} runs</h1></header>
<div class="tables">
${rows}
</div>`;
  return htmlPage(`${count} runs`, body, false);
}

function htmlPage(title: string, body: Markup, hasScript: boolean): string {
  const style = asset('style.css');
  const policy = [
    `default-src 'none'`,
    `img-src data:`,
    `style-src '${sourceHash(style)}'`,
    ...(hasScript ? [`script-src '${sourceHash(asset('viewer.mjs'))}'`] : []),
  ].join('; ');
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Understory">
<title>${title} – Understory</title>
<style>${verbatim(style)}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`.markup;
}

function tiles(texts: readonly NamedText[]): Markup {
  const list = texts.map(({ name, value }) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`);
  return markup`<dl class="tiles">
${list}
</dl>`;
}

function mapFigure(map: Markup | null): Markup {
  if (map === null) {
    return emptyFigure('Path', 'The run was packed without a recording, or recorded no path.');
  }
  const legend = [
    ['driven', 'driven path'],
    ['planned', 'planned path at the end'],
    ['start', 'start'],
    ['goal', 'goal'],
    ['unseen', 'not seen'],
  ].map(([kind, label]) => markup`<li><i class="${kind ?? ''}"></i>${label ?? ''}</li>`);
  return markup`<figure id="map"><figcaption>Path on the last cost map</figcaption>
${map}
<ul class="legend">${legend}<li><i class="cost"></i>cost 0 to 100</li></ul>
</figure>`;
}

function cloudFigure(cloud: PageDrawings['cloud']): Markup {
  if (cloud === null || cloud.sample.count === 0) {
    return emptyFigure('Point cloud', 'The run was packed without a recording, or saw nothing.');
  }
  const { count, seen, cubeM } = cloud.sample;
  const share =
    count === seen
      ? `All ${countText(count)} points.`
      : `${countText(count)} of ${countText(seen)} points: at most one in each cube of ${withUnit(cubeM, 'm')}.`;
  return markup`<figure id="cloud"><figcaption>Point cloud</figcaption>
<div class="view">
<canvas id="cloud-view" tabindex="0" role="img" aria-label="Point cloud. Arrow keys turn it, plus and minus zoom."></canvas>
<p id="cloud-message" class="message">The point cloud needs JavaScript and WebGL.</p>
</div>
<div class="controls" id="cloud-controls" hidden>
<label>Colour <select id="cloud-colour"><option value="height">height</option><option value="intensity">intensity</option><option value="class">class</option></select></label>
<label>Point size <input id="cloud-size" type="range" min="1" max="6" step="0.5" value="2"></label>
<button id="cloud-reset" type="button">Reset view</button>
<span class="scale"><span id="cloud-low"></span><canvas id="cloud-bar" width="130" height="10"></canvas><span id="cloud-high"></span></span>
<ul class="legend" id="cloud-classes"></ul>
</div>
<p class="small">${share} Drag to turn, drag with Shift to move, turn the wheel to zoom.</p>
</figure>`;
}

function cloudScripts({ head, base64 }: CloudData): Markup {
  return markup`<script type="application/json" id="cloud-head">${scriptJson(head)}</script>
<script type="text/plain" id="cloud-data">${verbatim(base64)}</script>
<script type="module">${verbatim(asset('viewer.mjs'))}</script>`;
}

function emptyFigure(title: string, text: string): Markup {
  return markup`<figure><figcaption>${title}</figcaption><p class="empty">${text}</p></figure>`;
}

function tableOf({ title, texts }: TextTable): Markup {
  return markup`<section><h2>${title}</h2>${definitionList(texts)}</section>`;
}

function definitionList(texts: readonly NamedText[]): Markup {
  const rows = texts.map(({ name, value }) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`);
  return markup`<dl>
${rows}
</dl>`;
}

/** How a policy names a script or a style that is in its page. */
function sourceHash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function asset(name: string): string {
  return readFileSync(join(assetsFolder, 'runPage', name), 'utf8');
}
