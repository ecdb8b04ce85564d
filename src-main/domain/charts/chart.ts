// A chart in x and y as data: axes, series, shapes and an image under them. It is independent of drawing libraries.

export interface Chart {
  x: Axis;
  y: Axis;
  series: Series[];
  /** Lines across the chart at a value of x or y. */
  marks?: { axis: 'x' | 'y'; at: number; label: string }[];
  /** The same scale on both axes: plans and scan plots. Needs `from` and `to` of both. */
  isPlan?: boolean;
  /** Fills the rectangle from (x.from, y.from) to (x.to, y.to), under everything else: a data URL. */
  imageUrl?: string;
  /** Closed outlines in the coordinates of the axes, above the lines. */
  shapes?: readonly Shape[];
  /** Texts at places of the axes, above everything. */
  texts?: readonly PlacedText[];
  /** One line above the axes. */
  caption?: string;
}

export interface Axis {
  name: string;
  /** '' for a pure number. */
  unit: string;
  from?: number;
  to?: number;
  isLog?: boolean;
  /** Greater values to the left or below. */
  isReversed?: boolean;
  /** Where ticks and grid lines are; default: round values. */
  ticks?: readonly number[];
  /** Texts of the ticks; default: their values. */
  tickLabels?: readonly string[];
}

export interface Series {
  name: string;
  /** 'bars': columns of a histogram, x being their centres and `widthX` their width. */
  kind: 'line' | 'dashed' | 'points' | 'bars';
  data: readonly (readonly [x: number, y: number])[];
  widthX?: number;
  /** Lengths of the error bars, one for each point: the same both ways, or [below, above]. */
  errors?: readonly (number | readonly [below: number, above: number])[];
  /** '#rrggbb'; default: the next of the palette. */
  colour?: string;
  /** Colours of single points, '#rrggbb'. */
  pointColours?: readonly string[];
  /** Width of a line, diameter of a point. */
  sizePx?: number;
  /** Outline of points: '#rrggbb'. */
  edgeColour?: string;
  /** Points as rings: the outline alone. */
  isHollow?: boolean;
}

/** Colours as '#rrggbb'; without one there is no area, or no outline. */
export interface Shape {
  points: readonly (readonly [x: number, y: number])[];
  fill?: string;
  stroke?: string;
  strokePx?: number;
}

export interface PlacedText {
  at: readonly [x: number, y: number];
  text: string;
  /** '#rrggbb'. */
  colour: string;
}

/** Size and lettering of a drawing, in pixels. */
export interface ChartLayout {
  widthPx: number;
  /** Height of a plan, which follows from the width. */
  heightPx: number;
  margin: { left: number; right: number; top: number; bottom: number };
  fontFamily: string;
  fontPx: number;
  hasLegend: boolean;
  hasGridLines: boolean;
  /** The rectangle of the axes lies exactly within the margins; else it gives way to long labels. */
  hasFixedMargins: boolean;
}
