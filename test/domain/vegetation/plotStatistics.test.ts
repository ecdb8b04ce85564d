// Indices of a plot from gap fractions that follow a known law.
import { describe, expect, it } from 'vitest';
import { plotSummary, type PlotMeasurement } from '#domain/vegetation/plotStatistics.ts';

const steps = 18;
const zeniths = Array.from({ length: steps }, (_, step) => ((step + 0.5) / steps) * (Math.PI / 2));
const groundAreaM2 = 100;

/** A plot of spherical leaves, G = ½, whose gaps follow Nilson's law with one clumping index. */
function plotOf(
  leafAreaIndex: number,
  clumping: number,
  more: Partial<PlotMeasurement> = {},
): PlotMeasurement {
  const gaps = zeniths.map((zenith) =>
    Math.exp((-clumping * 0.5 * leafAreaIndex) / Math.cos(zenith)),
  );
  return {
    groundAreaM2,
    raysPerZenith: 1e6,
    leafAreaM2: leafAreaIndex * groundAreaM2,
    woodAreaM2: 0,
    leafShownM2: zeniths.map(() => 0.5 * leafAreaIndex * groundAreaM2),
    woodShownM2: zeniths.map(() => 0),
    gapFraction: gaps,
    leafGapFraction: gaps,
    ...more,
  };
}

describe('a plot', () => {
  it.each([
    [3, 1],
    [5, 0.6],
    [0.5, 0.8],
  ])('of leaf area index %f has its clumping of %f back', (leafAreaIndex, clumping) => {
    const plot = plotSummary(plotOf(leafAreaIndex, clumping));
    expect(plot.leafAreaIndex).toBeCloseTo(leafAreaIndex, 12);
    // Angles without enough rays have the contacts of the last one before, which G = ½ makes the same.
    expect(plot.effectiveLeafAreaIndex).toBeCloseTo(clumping * leafAreaIndex, 9);
    expect(plot.zeniths[3]?.leafClumping).toBeCloseTo(clumping, 9);
  });

  it('counts half of the surface of wood', () => {
    const woodShownM2 = zeniths.map(() => 100);
    const plot = plotSummary(plotOf(2, 1, { woodAreaM2: 200, woodShownM2 }));
    expect(plot.plantAreaIndex).toBeCloseTo(3, 12);
    expect(plot.zeniths[0]?.clumping).toBeCloseTo(1 / 1.5, 9);
  });

  it('says nothing of angles at which hardly a ray passes', () => {
    const plot = plotSummary(plotOf(6, 1));
    expect(plot.zeniths.at(-1)).toMatchObject({ clumping: null, leafClumping: null });
    expect(plot.zeniths[0]?.clumping).toBeCloseTo(1, 9);
  });

  it('of open ground has an effective index of 0', () => {
    expect(plotSummary(plotOf(0, 1)).effectivePlantAreaIndex).toBe(0);
  });
});
