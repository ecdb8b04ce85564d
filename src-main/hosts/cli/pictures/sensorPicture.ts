// One page about a sensor: footprint at a range, where the pulses of a scan go, its lasers, and a summary in
// words. Everything drawn is what the worker describes; as seen from the sensor, left at the left.
import type { Chart } from '#domain/charts/chart.ts';
import { scaleColour, toHex, type Rgb } from '#domain/shared/colours.ts';
import { countText, numberText } from '#domain/shared/formats.ts';
import { footprintScaleM, sensorSummary, type ShownSensor } from '#domain/shared/sensorSummary.ts';
import { extent } from '#domain/shared/statistics.ts';
import { laserTable } from './laserTable.ts';
import { pngOfSvg } from './png.ts';
import { detailPlot, plotAxis, plotFontPx, scanPlot, spotShape, titledPlot } from './scanPlots.ts';
import { colourBar, headingInk, page, softInk, text, wrapText, type RectPx } from './svg.ts';

const sizePx = { width: 2080, height: 1520 };
const footprintPx: RectPx = { left: 130, top: 190, width: 590, height: 590 };
const summaryPx: RectPx = { left: 800, top: 170, width: 660, height: 730 };
const scanPx: RectPx = { left: 130, top: 1000, width: 760, height: 380 };
const detailPx: RectPx = { left: 1010, top: 1000, width: 430, height: 380 };
const lasersPx: RectPx = { left: 1530, top: 170, width: 460, height: 1310 };

/** @returns a PNG */
export function drawSensor(sensor: ShownSensor): Uint8Array {
  const { name, id, source } = sensor.shown.sensor;
  const [firstLine = '', ...more] = wrapText(`${id}. Source: ${source}`, sizePx.width - 100, 20);
  return pngOfSvg(
    page(sizePx.width, sizePx.height, [
      text(name, 46, 66, { sizePx: 40, isBold: true }),
      text(more.length === 0 ? firstLine : `${firstLine} …`, 46, 106, {
        sizePx: 20,
        colour: softInk,
      }),
      ...footprint(sensor),
      ...summary(sensor),
      ...scanPlot(scanPx, sensor),
      ...detailPlot(detailPx, sensor),
      ...laserTable(lasersPx, sensor),
    ]),
  );
}

/** The rays where they meet a plane across the axis, in the colour of their weight. */
function footprint({ shown, columns }: ShownSensor): string[] {
  const { description, recipe } = shown;
  const { rangeM, spotM } = description;
  const { ray_left: left, ray_up: up, ray_weight: weights } = columns;
  const [acrossMm, upMm] = footprintScaleM(recipe, rangeM).map((metres) => 1000 * metres) as [
    number,
    number,
  ];
  const halfSpotMm = [500 * spotM.width, 500 * spotM.height] as const;
  const [, reachMm] = extent([
    0,
    ...Array.from(left, (at) => Math.abs(at) * acrossMm),
    ...Array.from(up, (at) => Math.abs(at) * upMm),
  ]);
  const halfMm = 1.15 * Math.max(reachMm, ...halfSpotMm) || 10;
  const [minWeight, maxWeight] = extent(weights);
  const isEven = maxWeight - minWeight <= 1e-9 * maxWeight;
  const shareOf = (weight: number): number =>
    isEven ? 0.4 : (weight - minWeight) / (maxWeight - minWeight);
  const ends = [-halfMm, halfMm] as const;
  const chart: Chart = {
    x: {
      ...plotAxis({ name: 'across', unit: 'mm' }, ends, footprintPx.width, 90),
      isReversed: true,
    },
    y: plotAxis({ name: 'up', unit: 'mm' }, ends, footprintPx.height, 60),
    series: [
      {
        name: 'rays',
        kind: 'points',
        data: Array.from(left, (at, ray) => [at * acrossMm, (up[ray] ?? 0) * upMm]),
        pointColours: Array.from(weights, (weight) => toHex(weightColour(shareOf(weight)))),
        // As large as the number of rays permits, and never too small to be visible.
        sizePx: 2 * Math.max(2.5, Math.min(10, 110 / Math.sqrt(weights.length))),
      },
    ],
    shapes: spotShape(recipe.beam.shape, [0, 0], halfSpotMm, 3),
  };
  const plot = titledPlot(`Footprint at ${numberText(rangeM)} m`, footprintPx, chart);
  const keyTop = footprintPx.top + footprintPx.height + 84;
  const outline = halfSpotMm[0] > 0 ? '; outline: full angle' : '';
  if (isEven) {
    const which = description.differsByPulse ? ' of pulse 0' : '';
    const rays = `${countText(weights.length)} ${weights.length === 1 ? 'ray' : 'rays'}${which}`;
    const key = `${rays} of weight ${numberText(maxWeight)}${outline}`;
    return [...plot, text(key, footprintPx.left, keyTop + 15, { sizePx: plotFontPx })];
  }
  const bar = { left: footprintPx.left + 190, top: keyTop, width: 220, height: 18 };
  const from = `ray weight: ${numberText(minWeight)}`;
  return [
    ...plot,
    text(from, bar.left - 12, keyTop + 15, { sizePx: plotFontPx, anchor: 'end' }),
    colourBar(bar, weightColour),
    text(numberText(maxWeight) + outline, bar.left + bar.width + 12, keyTop + 15, {
      sizePx: plotFontPx,
    }),
  ];
}

// Why not to the end: yellow is not visible on white.
function weightColour(share: number): Rgb {
  return scaleColour('viridis', 0.88 * share);
}

/** The summary in words, its lines as far apart as the area permits. */
function summary({ shown }: ShownSensor): string[] {
  const groups = sensorSummary(shown)
    .filter(({ title }) => title !== 'Source')
    .map(({ title, lines }) => ({
      title,
      lines: lines.flatMap((line) => wrapText(line, summaryPx.width - 20, 19)),
    }));
  const rows = groups.reduce((sum, { lines }) => sum + lines.length + 1.6, 0);
  const rowPx = Math.min(27, summaryPx.height / rows);
  const fontPx = Math.min(19, 0.76 * rowPx);
  let y = summaryPx.top;
  return groups.flatMap(({ title, lines }) => {
    const heading = text(title, summaryPx.left, y, {
      sizePx: fontPx + 3,
      isBold: true,
      colour: headingInk,
    });
    const first = y;
    y += (lines.length + 1.6) * rowPx;
    return [
      heading,
      ...lines.map((line, index) =>
        text(line, summaryPx.left + 20, first + (index + 1) * rowPx, { sizePx: fontPx }),
      ),
    ];
  });
}
