// Cost maps of the courtyard in each weather after ten simulated seconds, each with its name, and the key of their colours: a
// page to be taken as a picture.
import { encode } from 'fast-png';
import { markColours, toHex } from '#domain/shared/colours.ts';
import { costMapPixels, unseenColour } from '#domain/shared/costMapImage.ts';
import { callContext } from '#test/support/context.ts';
import type { RealHost } from '../e2e/browser.ts';
import { driveRun } from '../e2e/realRuns.ts';

const samples = {
  courtyard: 'Clear',
  'courtyard-rain': 'Rain',
  'courtyard-snow': 'Snow',
  'courtyard-fog': 'Fog',
  'courtyard-dust': 'Dust',
};
const seconds = 10;
const sidePx = 300;
/** The whole map: its south-west quarter is shown, where the drives begin. */
const mapPx = 2 * sidePx;

/** Drives all of them. */
export async function weatherPage(host: RealHost): Promise<string> {
  const figures: string[] = [];
  let sideM = 0;
  for (const [scenario, name] of Object.entries(samples)) {
    const runId = await driveRun(host, { scenario, sensor: 'vlp-16', seconds });
    const { handlers } = host.understory;
    const at = await handlers['runs.at']({ runId, timeS: 1e6, maxPoints: 0 }, callContext);
    const { map } = at.reply;
    const cost = at.columns?.['cost'];
    if (map === null || !(cost instanceof Uint8Array)) throw new Error(`${scenario} has no map`);
    const { columns = {} } = await handlers['runs.ticks']({ runId }, callContext);
    sideM = map.cells * map.cellM;
    const { truth_x_m: xM, truth_y_m: yM } = columns;
    const places = Array.from({ length: xM?.length ?? 0 }, (_, row) => {
      const [x, y] = [Number(xM?.[row]), Number(yM?.[row])];
      const shares = [(x - map.originM[0]) / sideM, 1 - (y - map.originM[1]) / sideM];
      return shares.map((share) => (mapPx * share).toFixed(1)).join();
    });
    figures.push(figureOf(name, pngOf(map.cells, costMapPixels(map, cost)), places));
  }
  return `<style>${style}</style><main>${figures.join('')}${keyOf(sideM)}</main>`;
}

function pngOf(cells: number, data: Uint8ClampedArray): string {
  const png = encode({ width: cells, height: cells, data, channels: 4, depth: 8 });
  return `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
}

function figureOf(name: string, source: string, places: readonly string[]): string {
  const path = `<polyline points="${places.join(' ')}"/>`;
  return `<figure><figcaption>${name}</figcaption><div><img src="${source}"><svg>${path}</svg></div></figure>`;
}

function keyOf(sideM: number): string {
  const box = (colour: string, text: string): string =>
    `<li><i style="background:${colour}"></i>${text}</li>`;
  const boxes = [
    box('linear-gradient(90deg,#000,#fff)', 'cost 0 to 100'),
    box(toHex(unseenColour), 'not seen'),
    box(toHex(markColours.orange), 'driven path'),
  ];
  return `<ul>${boxes.join('')}<li>VLP-16, ${seconds} s</li><li>${sideM / 2} × ${sideM / 2} m, north is up</li></ul>`;
}

const style = `
body { margin: 0; background: #fff; color: #222; font: 16px/1.6 system-ui, sans-serif; }
main { display: grid; grid-template-columns: repeat(3, ${sidePx}px); gap: 10px; width: max-content; padding: 10px; }
figure { margin: 0; }
figcaption { font-weight: 600; }
div { position: relative; width: ${sidePx}px; height: ${sidePx}px; overflow: hidden; }
img, svg { position: absolute; bottom: 0; left: 0; width: ${mapPx}px; height: ${mapPx}px; }
img { image-rendering: pixelated; }
polyline { fill: none; stroke: ${toHex(markColours.orange)}; stroke-width: 2.5; }
ul { align-self: center; margin: 0 0 0 16px; padding: 0; list-style: none; }
i { display: inline-block; width: 34px; height: 14px; margin-right: 10px; border: 1px solid #777; vertical-align: -2px; }
`;
