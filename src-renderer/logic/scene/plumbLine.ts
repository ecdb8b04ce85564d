// A sensor of one ray: turned downwards it finds how high something lies.

/** Its file's text; it sees `reachM` far. */
export function plumbLine(reachM: number): string {
  return `understorySensor: 2
id: plumb-line
name: Plumb line
source: one ray, of no product
scan: { kind: sweep, rateHz: 10, minAzimuthDeg: 0, maxAzimuthDeg: 0, slotsPerScan: 1 }
banks: [{ name: laser, elevationsDeg: [0] }]
range: { minM: 0, maxM: ${Math.ceil(reachM)} }
beam: { shape: circular, divergenceHorizontalMrad: 0, divergenceVerticalMrad: 0 }
returns: { mode: closest, signalCutoffM: 0 }
`;
}
