// One page about a sensor: footprint at a range, where the pulses of a scan go, its lasers, and in words the
// rest. Everything drawn is what the worker describes; as seen from the sensor, left at the left.
import { countText } from '../table.ts';
import { createCanvas, type Canvas, type Point } from './canvas.ts';
import { markColours, viridisColour } from './colourMaps.ts';
import { drawLasers } from './laserTable.ts';
import { drawColourBar, drawPlot, drawTitle, plotColours, wrapText, type RectPx } from './plot.ts';
import { drawDetail, drawScan, outlineSpot } from './scanPlots.ts';
import { number, sensorFacts, type ShownSensor } from '#contract/host/sensorFacts.ts';

const { ink, softInk, paper } = plotColours;
const sizePx = { width: 2040, height: 1500 };
const footprintPx: RectPx = { left: 110, top: 200, width: 600, height: 600 };
const factsPx: RectPx = { left: 790, top: 140, width: 690, height: 720 };
const scanPx: RectPx = { left: 110, top: 980, width: 790, height: 390 };
const detailPx: RectPx = { left: 1030, top: 980, width: 430, height: 390 };
const tablePx: RectPx = { left: 1540, top: 140, width: 450, height: 1300 };

/** @returns a PNG */
export function drawSensor(picture: ShownSensor): Uint8Array {
  const { sensor } = picture.shown;
  const canvas = createCanvas(sizePx.width, sizePx.height, paper);
  canvas.text(sensor.name, 60, 36, { colour: ink, scale: 4 });
  const [source = '', ...more] = wrapText(
    `${sensor.id}, from: ${sensor.source}`,
    sizePx.width - 120,
  );
  const subtitle = more.length === 0 ? source : `${source} ...`;
  canvas.text(subtitle, 60, 88, { colour: softInk });
  drawFootprint(canvas, picture);
  drawFacts(canvas, picture);
  drawScan(canvas, scanPx, picture);
  drawDetail(canvas, detailPx, picture);
  drawLasers(canvas, tablePx, picture);
  return canvas.png();
}

function drawFootprint(canvas: Canvas, { shown, columns }: ShownSensor): void {
  const { description, recipe } = shown;
  const { rangeM, spotM } = description;
  const { ray_left: left, ray_up: up, ray_weight: weights } = columns;
  const mm = 1000 * rangeM;
  const reach = [...left, ...up].reduce((most, at) => Math.max(most, Math.abs(at) * mm), 0);
  const spotReach = 500 * Math.max(spotM.width, spotM.height);
  const halfMm = 1.15 * Math.max(reach, spotReach) || 10;
  drawTitle(canvas, footprintPx, `Footprint at ${number(rangeM)} m`);
  const plot = drawPlot(
    canvas,
    footprintPx,
    { label: 'across (mm)', from: halfMm, to: -halfMm },
    { label: 'up (mm)', from: -halfMm, to: halfMm },
  );
  const halfPx: Point = [500 * spotM.width * plot.pxPerX, 500 * spotM.height * plot.pxPerY];
  const centre = plot.toPx(0, 0);
  outlineSpot(canvas, recipe.beam.shape, centre, halfPx, 3, markColours.skyBlue);
  const heaviest = weights.reduce((most, weight) => Math.max(most, weight), 0);
  const lightest = weights.reduce((least, weight) => Math.min(least, weight), Infinity);
  // As large as the rays leave room for: their share of the spot, but to be seen.
  const radiusPx = Math.max(2.5, Math.min(10, 110 / Math.sqrt(weights.length)));
  const isEven = heaviest - lightest <= 1e-9 * heaviest;
  for (const [ray, weight] of weights.entries()) {
    const at = plot.toPx((left[ray] ?? 0) * mm, (up[ray] ?? 0) * mm);
    const share = isEven ? 0.35 : (weight - lightest) / (heaviest - lightest);
    canvas.disc(at, radiusPx, viridisColour(0.9 * share));
  }
  const labelY = footprintPx.top + footprintPx.height + 66;
  if (isEven) {
    const outline = spotReach > 0 ? '; outline: full angle' : '';
    const which = description.differsByPulse ? ' of pulse 0' : '';
    const text = `${countText(weights.length)} × weight ${number(heaviest)}${which}${outline}`;
    canvas.text(text, footprintPx.left, labelY, { colour: softInk });
    return;
  }
  const bar = { left: footprintPx.left + 150, top: labelY - 2, width: 220, height: 18 };
  drawColourBar(canvas, bar, (share) => viridisColour(0.9 * share), {
    from: number(lightest),
    to: `${number(heaviest)} weight`,
  });
}

function drawFacts(canvas: Canvas, { shown }: ShownSensor): void {
  let y = factsPx.top;
  for (const { title: heading, lines } of sensorFacts(shown)) {
    if (heading === 'Source') continue;
    canvas.text(heading, factsPx.left, y, { colour: markColours.vermilion });
    y += 24;
    for (const line of lines.flatMap((text) => wrapText(text, factsPx.width - 20))) {
      canvas.text(line, factsPx.left + 20, y, { colour: ink });
      y += 23;
    }
    y += 14;
  }
}
