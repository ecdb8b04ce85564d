// The page around a map of the world: title, axes in metres, colour bar and legend. x runs to the right, y up.
import type { Chart } from '#domain/charts/chart.ts';
import { chartSvg } from '#domain/charts/chartSvg.ts';
import type { Rgb } from '#domain/shared/colours.ts';
import { multiplesOf, roundBelow } from '#domain/shared/roundNumbers.ts';
import { fontFamily, pngOfSvg } from './png.ts';
import { colourBar, ink, page, rect, softInk, text } from './svg.ts';

export interface LegendEntry {
  /** '#rrggbb'. */
  colour: string;
  label: string;
  mark: 'line' | 'disc' | 'ring' | 'box';
}

export interface MapPage {
  title: string;
  subtitle: string;
  /** Corners of the map in the world, metres. */
  minM: readonly [number, number];
  maxM: readonly [number, number];
  /** Pixels of the map, axes and legend apart. */
  sizePx: { width: number; height: number };
  /** Fills the map: see Chart. */
  imageUrl: string;
  layers: Pick<Chart, 'series' | 'shapes'>;
  bar: { label: string; ticks: { share: number; label: string }[]; colour: (share: number) => Rgb };
  legend: LegendEntry[];
}

const margin = { left: 96, right: 16, top: 16, bottom: 72 };
const headPx = 84;
const legendPx = 260;
const fontPx = 20;

/** Where the map's own pixels begin on the page. */
export const mapCornerPx = { left: margin.left, top: headPx + margin.top };

/** A PNG; the map's left upper pixel is at `mapCornerPx`. */
export function drawMapPage(map: MapPage): Uint8Array {
  const { sizePx } = map;
  const widthPx = margin.left + sizePx.width + margin.right;
  const heightPx = margin.top + Math.max(sizePx.height, 520) + margin.bottom;
  const left = widthPx + 24;
  const elements = [
    text(map.title, margin.left, 46, { sizePx: 30, isBold: true }),
    text(map.subtitle, margin.left, 80, { sizePx: fontPx, colour: softInk }),
    mapChart(map, widthPx),
    ...barElements(map.bar, left, mapCornerPx.top),
    ...map.legend.flatMap((entry, index) =>
      legendElements(entry, left, mapCornerPx.top + 330 + 36 * index),
    ),
  ];
  return pngOfSvg(page(widthPx + legendPx, headPx + heightPx, elements));
}

function mapChart({ minM, maxM, sizePx, imageUrl, layers }: MapPage, widthPx: number): string {
  const stepM = roundBelow(Math.max(maxM[0] - minM[0], maxM[1] - minM[1]) / 5);
  const chart: Chart = {
    x: axisOf('x, east', 0),
    y: axisOf('y, north', 1),
    imageUrl,
    ...layers,
  };
  const svg = chartSvg(chart, {
    widthPx,
    heightPx: margin.top + sizePx.height + margin.bottom,
    margin,
    fontFamily,
    fontPx,
    hasLegend: false,
    hasGridLines: false,
    hasFixedMargins: true,
  });
  return svg.replace('<svg ', `<svg y="${headPx}" `);

  function axisOf(name: string, at: 0 | 1): Chart['x'] {
    const [from, to] = [minM[at], maxM[at]];
    return { name, unit: 'm', from, to, ticks: multiplesOf(stepM, from, to) };
  }
}

function barElements(
  { label, ticks, colour }: MapPage['bar'],
  left: number,
  top: number,
): string[] {
  const bar = { left, top: top + 32, width: 30, height: 240 };
  return [
    text(label, left, top + 14, { sizePx: fontPx, isBold: true }),
    colourBar(bar, colour),
    ...ticks.flatMap((tick) => {
      const y = bar.top + bar.height * (1 - tick.share);
      return [
        rect({ left: left + bar.width, top: y - 0.5, width: 6, height: 1 }, ink),
        text(tick.label, left + bar.width + 12, y + 7, { sizePx: fontPx }),
      ];
    }),
  ];
}

function legendElements({ colour, label, mark }: LegendEntry, left: number, y: number): string[] {
  const name = text(label, left + 44, y + 7, { sizePx: fontPx });
  switch (mark) {
    case 'line':
      return [
        rect({ left, top: y - 3.5, width: 30, height: 7 }, '#000000'),
        rect({ left, top: y - 2, width: 30, height: 4 }, colour),
        name,
      ];
    case 'box':
      return [rect({ left: left + 4, top: y - 10, width: 22, height: 20 }, colour, ink), name];
    case 'disc':
      return [
        `<circle cx="${left + 15}" cy="${y}" r="8" fill="${colour}" stroke="#000000" stroke-width="1.5"/>`,
        name,
      ];
    case 'ring':
      return [
        `<circle cx="${left + 15}" cy="${y}" r="8" fill="none" stroke="${colour}" stroke-width="5"/>`,
        name,
      ];
  }
}
