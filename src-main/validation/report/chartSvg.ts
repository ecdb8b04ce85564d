// A chart as an SVG picture, drawn by ECharts without a browser. Only the parts that are used are loaded.
import { CustomChart, LineChart, ScatterChart } from 'echarts/charts';
import { GridComponent, LegendComponent, MarkLineComponent } from 'echarts/components';
import { init, use, type EChartsCoreOption } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import type { Axis, Chart, Series } from '../section.ts';

use([
  CustomChart,
  LineChart,
  ScatterChart,
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  SVGRenderer,
]);

const widthPx = 620;
const heightPx = 380;
const margin = { left: 64, right: 24, top: 44, bottom: 52 };
const palette = ['#3a6ea5', '#c8452f', '#3f8f4f', '#8a5fb0', '#b8862b', '#4a4a4a'];
const ink = '#333333';
const font = 'system-ui, sans-serif';

/** The drawing alone; its title and caption are the page's. */
export function chartSvg(chart: Chart): string {
  const size = chart.isPlan === true ? planSize(chart) : { width: widthPx, height: heightPx };
  const drawing = init(null, null, { renderer: 'svg', ssr: true, ...size });
  drawing.setOption(optionOf(chart));
  const svg = drawing.renderToSVGString();
  drawing.dispose();
  return svg;
}

/** One metre is as long across as it is up; needs from and to on both axes. */
function planSize({ x, y }: Chart): { width: number; height: number } {
  const across = (x.to ?? 1) - (x.from ?? 0);
  const up = (y.to ?? 1) - (y.from ?? 0);
  const plotWidth = widthPx - margin.left - margin.right;
  const height = (plotWidth * up) / across + margin.top + margin.bottom;
  return { width: widthPx, height: Math.round(height) };
}

function optionOf({ x, y, series, marks = [] }: Chart): EChartsCoreOption {
  const named = series.flatMap((each, index) => {
    const colour = each.colour ?? palette[index % palette.length] ?? ink;
    return [seriesOption(each, colour), ...errorBars(each, colour)];
  });
  return {
    animation: false,
    textStyle: { fontFamily: font, color: ink },
    grid: { ...margin, containLabel: false },
    legend: {
      show: series.length > 1,
      top: 6,
      itemHeight: 8,
      itemWidth: 18,
      // Why so wide: without a browser the widths of texts are estimated, a little short.
      itemGap: 22,
      textStyle: { color: ink },
      data: series.map(({ name }) => name),
    },
    xAxis: { ...axisOption(x), nameGap: 30 },
    yAxis: { ...axisOption(y), nameGap: 44 },
    series: [...named, ...markSeries(marks)],
  };
}

function axisOption({
  name,
  unit,
  from,
  to,
  isLog,
  isReversed = false,
}: Axis): Record<string, unknown> {
  return {
    type: isLog === true ? 'log' : 'value',
    inverse: isReversed,
    name: unit === '' ? name : `${name} (${unit})`,
    nameLocation: 'middle',
    nameTextStyle: { color: ink, fontSize: 13 },
    ...(from !== undefined && { min: from }),
    ...(to !== undefined && { max: to }),
    // Why not at zero: axes stay at the edges, whatever the values.
    axisLine: { show: true, onZero: false, lineStyle: { color: ink } },
    axisTick: { show: true },
    axisLabel: { color: ink, hideOverlap: true },
    splitLine: { lineStyle: { color: '#e6e6e6' } },
  };
}

function seriesOption(series: Series, colour: string): Record<string, unknown> {
  const { name, kind, data, widthX = 0 } = series;
  const shared = { name, data, color: colour, clip: true };
  switch (kind) {
    case 'points':
      return { ...shared, type: 'scatter', symbolSize: 5 };
    case 'bars':
      return { ...shared, type: 'custom', renderItem: barOf(widthX, colour) };
    default:
      return {
        ...shared,
        type: 'line',
        showSymbol: false,
        lineStyle: { width: 1.8, type: kind === 'dashed' ? 'dashed' : 'solid' },
      };
  }
}

/** What ECharts gives a custom series to draw with. */
interface DrawApi {
  value: (dimension: number) => number;
  coord: (point: [number, number]) => [number, number];
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
    const [x, y, error] = [api.value(0), api.value(1), api.value(2)];
    const [middle, top] = api.coord([x, y + error]);
    const bottom = api.coord([x, y - error])[1];
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
  const points = data.map(([x, y], index) => [x, y, errors[index] ?? 0]);
  return [{ name: `${name} (error)`, type: 'custom', renderItem, data: points, z: 3 }];
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
