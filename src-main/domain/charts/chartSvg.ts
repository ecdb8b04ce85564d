// A chart as SVG text, drawn by ECharts without a browser. Only the parts that are used are loaded.
import { CustomChart, LineChart, ScatterChart } from 'echarts/charts';
import {
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  TitleComponent,
} from 'echarts/components';
import { init, use, type EChartsCoreOption } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { withMinus } from '#domain/shared/formats.ts';
import type { Axis, Chart, ChartLayout, PlacedText, Series, Shape } from './chart.ts';

use([
  CustomChart,
  LineChart,
  ScatterChart,
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  TitleComponent,
  SVGRenderer,
]);

/** A chart among the text of an HTML page. */
export const pageLayout: ChartLayout = {
  widthPx: 620,
  heightPx: 380,
  margin: { left: 64, right: 24, top: 44, bottom: 52 },
  fontFamily: 'system-ui, sans-serif',
  fontPx: 12,
  hasLegend: true,
  hasGridLines: true,
  hasFixedMargins: false,
};

const palette = ['#3a6ea5', '#c8452f', '#3f8f4f', '#8a5fb0', '#b8862b', '#4a4a4a'];
const ink = '#333333';

/** The drawing alone, without a title: one `<svg>` element. */
export function chartSvg(chart: Chart, layout: ChartLayout = pageLayout): string {
  const width = layout.widthPx;
  const height = chart.isPlan === true ? planHeight(chart, layout) : layout.heightPx;
  const drawing = init(null, null, { renderer: 'svg', ssr: true, width, height });
  drawing.setOption(optionOf(chart, layout));
  const svg = drawing.renderToSVGString();
  drawing.dispose();
  return svg;
}

/** One metre is as long across as it is up. */
function planHeight({ x, y }: Chart, { widthPx, margin }: ChartLayout): number {
  const across = (x.to ?? 1) - (x.from ?? 0);
  const up = (y.to ?? 1) - (y.from ?? 0);
  const plotWidth = widthPx - margin.left - margin.right;
  return Math.round((plotWidth * up) / across + margin.top + margin.bottom);
}

function optionOf(chart: Chart, layout: ChartLayout): EChartsCoreOption {
  const { x, y, series, marks = [], shapes = [], texts = [], imageUrl, caption } = chart;
  const { margin, fontFamily, fontPx, hasLegend, hasFixedMargins } = layout;
  const named = series.flatMap((each, index) => {
    const colour = each.colour ?? palette[index % palette.length] ?? ink;
    return [seriesOption(each, colour), ...errorBars(each, colour)];
  });
  return {
    animation: false,
    textStyle: { fontFamily, fontSize: fontPx, color: ink },
    grid: { ...margin, containLabel: false, outerBoundsMode: hasFixedMargins ? 'none' : 'auto' },
    ...(caption !== undefined && { title: captionOption(caption, layout) }),
    legend: {
      // A caption takes its place.
      show: hasLegend && series.length > 1 && caption === undefined,
      top: 6,
      itemHeight: 8,
      itemWidth: 18,
      // Why so wide: without a browser the widths of texts are estimated, a little short.
      itemGap: 22,
      textStyle: { color: ink },
      data: series.map(({ name }) => name),
    },
    xAxis: { ...axisOption(x, layout), nameGap: 2.5 * fontPx },
    // The name is beside the edge of the drawing, however long the labels are.
    yAxis: { ...axisOption(y, layout), nameGap: margin.left - 1.6 * fontPx },
    series: [
      ...(imageUrl === undefined ? [] : [imageSeries(imageUrl, x, y)]),
      ...named,
      ...(shapes.length === 0 ? [] : [shapeSeries(shapes)]),
      ...(texts.length === 0 ? [] : [textSeries(texts, fontPx)]),
      ...markSeries(marks),
    ],
  };
}

function captionOption(text: string, { fontPx, margin }: ChartLayout): Record<string, unknown> {
  const textStyle = { color: ink, fontSize: fontPx, fontWeight: 'normal' };
  return { text, left: margin.left, top: 8, padding: 0, textStyle };
}

function axisOption(axis: Axis, { fontPx, hasGridLines }: ChartLayout): Record<string, unknown> {
  const { name, unit, from, to, ticks, tickLabels, isLog, isReversed = false } = axis;
  const customValues = ticks === undefined ? {} : { customValues: [...ticks] };
  return {
    type: isLog === true ? 'log' : 'value',
    inverse: isReversed,
    name: unit === '' ? name : `${name} (${unit})`,
    nameLocation: 'middle',
    nameTextStyle: { color: ink, fontSize: fontPx * 1.08 },
    ...(from !== undefined && { min: from }),
    ...(to !== undefined && { max: to }),
    // Why not at zero: axes stay at the edges, whatever the values.
    axisLine: { show: true, onZero: false, lineStyle: { color: ink } },
    axisTick: { show: true, lineStyle: { color: ink }, ...customValues },
    axisLabel: {
      color: ink,
      fontSize: fontPx,
      hideOverlap: true,
      ...(ticks !== undefined && {
        formatter: tickFormatter(ticks, tickLabels),
        showMinLabel: true,
      }),
      ...customValues,
    },
    splitLine: { show: hasGridLines, lineStyle: { color: '#e6e6e6' } },
  };
}

/** The label of a tick; without labels as many decimals as the closest two ticks need. */
function tickFormatter(
  ticks: readonly number[],
  labels: readonly string[] | undefined,
): (value: number) => string {
  if (labels !== undefined) return (value) => labels[ticks.indexOf(value)] ?? '';
  const [first = 0, second = 1] = ticks;
  const decimals = Math.max(0, -Math.floor(Math.log10(Math.abs(second - first)) + 1e-9));
  return (value) => (value === 0 ? '0' : withMinus(value.toFixed(decimals)));
}

function seriesOption(series: Series, colour: string): Record<string, unknown> {
  const { name, kind, data, widthX = 0, sizePx, edgeColour, isHollow = false } = series;
  const shared = { name, data, color: colour, clip: true };
  switch (kind) {
    case 'points':
      return {
        ...shared,
        type: 'scatter',
        data: pointData(series),
        symbolSize: sizePx ?? 5,
        itemStyle: {
          // Clouds of points of the usual size stay readable where they overlap.
          opacity: sizePx === undefined ? 0.8 : 1,
          ...(isHollow && { color: 'none' }),
          ...(edgeColour !== undefined && {
            borderColor: edgeColour,
            borderWidth: isHollow ? (sizePx ?? 5) / 4 : 1.5,
          }),
        },
        z: 4,
      };
    case 'bars':
      return { ...shared, type: 'custom', renderItem: barOf(widthX, colour) };
    default:
      return {
        ...shared,
        type: 'line',
        showSymbol: false,
        lineStyle: { width: sizePx ?? 1.8, type: kind === 'dashed' ? 'dashed' : 'solid' },
      };
  }
}

function pointData({ data, pointColours }: Series): unknown {
  if (pointColours === undefined) return data;
  return data.map((value, index) => ({ value, itemStyle: { color: pointColours[index] } }));
}

/** Arguments of a custom series in ECharts. */
interface DrawApi {
  value: (dimension: number) => number;
  coord: (point: readonly [number, number]) => [number, number];
}

function barOf(widthX: number, colour: string) {
  return (_params: unknown, api: DrawApi): Record<string, unknown> => {
    const [centre, count] = [api.value(0), api.value(1)];
    const [left, top] = api.coord([centre - widthX / 2, count]);
    const [right, bottom] = api.coord([centre + widthX / 2, 0]);
    return {
      type: 'rect',
      shape: { x: left, y: top, width: right - left, height: bottom - top },
      style: { fill: colour, fillOpacity: 0.35, stroke: colour, lineWidth: 0.5 },
    };
  };
}

function errorBars({ name, data, errors }: Series, colour: string): Record<string, unknown>[] {
  if (errors === undefined) return [];
  const renderItem = (_params: unknown, api: DrawApi): Record<string, unknown> => {
    const [x, y, below, above] = [api.value(0), api.value(1), api.value(2), api.value(3)];
    const [middle, top] = api.coord([x, y + above]);
    const bottom = api.coord([x, y - below])[1];
    const line = (x1: number, y1: number, x2: number, y2: number): Record<string, unknown> => ({
      type: 'line',
      shape: { x1, y1, x2, y2 },
      style: { stroke: colour, lineWidth: 1.2 },
    });
    return {
      type: 'group',
      children: [
        line(middle, top, middle, bottom),
        line(middle - 4, top, middle + 4, top),
        line(middle - 4, bottom, middle + 4, bottom),
      ],
    };
  };
  const points = data.map(([x, y], index) => {
    const error = errors[index] ?? 0;
    return [x, y, ...(typeof error === 'number' ? [error, error] : error)];
  });
  return [{ name: `${name} (error)`, type: 'custom', renderItem, data: points, z: 3 }];
}

/** The image over the whole rectangle of the axes, whatever their direction. */
function imageSeries(image: string, { from = 0, to = 1 }: Axis, y: Axis): Record<string, unknown> {
  const renderItem = (_params: unknown, api: DrawApi): Record<string, unknown> => {
    const [x1, y1] = api.coord([from, y.from ?? 0]);
    const [x2, y2] = api.coord([to, y.to ?? 1]);
    const [left, top] = [Math.min(x1, x2), Math.min(y1, y2)];
    const [width, height] = [Math.abs(x2 - x1), Math.abs(y2 - y1)];
    return { type: 'image', style: { image, x: left, y: top, width, height } };
  };
  return { type: 'custom', renderItem, data: [[from, y.from ?? 0]], z: 1 };
}

function shapeSeries(shapes: readonly Shape[]): Record<string, unknown> {
  const renderItem = (params: { dataIndex: number }, api: DrawApi): Record<string, unknown> => {
    const { points = [], fill, stroke, strokePx = 1 } = shapes[params.dataIndex] ?? {};
    return {
      type: 'polygon',
      shape: { points: points.map((point) => api.coord(point)) },
      style: { fill: fill ?? 'none', ...(stroke !== undefined && { stroke, lineWidth: strokePx }) },
    };
  };
  const data = shapes.map(({ points }) => points[0] ?? [0, 0]);
  return { type: 'custom', renderItem, data, clip: true, z: 5 };
}

function textSeries(texts: readonly PlacedText[], fontPx: number): Record<string, unknown> {
  const renderItem = (params: { dataIndex: number }, api: DrawApi): Record<string, unknown> => {
    const { at = [0, 0], text = '', colour = ink } = texts[params.dataIndex] ?? {};
    const [x, y] = api.coord(at);
    const style = { x, y, text, fill: colour, fontSize: fontPx, align: 'center' };
    return { type: 'text', style: { ...style, verticalAlign: 'middle' } };
  };
  return { type: 'custom', renderItem, data: texts.map(({ at }) => at), z: 6 };
}

function markSeries(marks: NonNullable<Chart['marks']>): Record<string, unknown>[] {
  if (marks.length === 0) return [];
  return [
    {
      type: 'line',
      data: [],
      markLine: {
        silent: true,
        symbol: 'none',
        lineStyle: { color: ink, type: 'dotted', width: 1.2 },
        label: { color: ink, formatter: '{b}', position: 'insideEndTop' },
        data: marks.map(({ axis, at, label }) => ({
          name: label,
          ...(axis === 'x' ? { xAxis: at } : { yAxis: at }),
        })),
      },
    },
  ];
}
