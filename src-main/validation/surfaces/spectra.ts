// Spectra: one wall of which every sensor sees the reflectance at its own wavelength.
import { closedForm, formsPart, type ClosedForm } from '../closedForm.ts';
import { buildPlates, fire } from '../laboratory.ts';
import type { Piece } from '../parts.ts';
import { singleLaser, singleRay } from '../simpleSensors.ts';

/** About a green leaf: dark to 680 nm, bright from 780 nm on. */
const spectrum: [number, number][] = [
  [532, 0.1],
  [680, 0.06],
  [780, 0.46],
  [1550, 0.3],
];

/** On the red edge reflectance rises by 0.4 in 100 nm. */
const cases = [
  { where: 'before the first point', wavelengthNm: 355, expected: 0.1 },
  { where: 'a tenth up the red edge', wavelengthNm: 690, expected: 0.1 },
  { where: 'half up the red edge', wavelengthNm: 730, expected: 0.26 },
  { where: 'at a point', wavelengthNm: 1550, expected: 0.3 },
  { where: 'behind the last point', wavelengthNm: 2000, expected: 0.3 },
];

export const spectra: Piece = {
  name: 'spectra',
  async run(bench) {
    const forms: ClosedForm[] = [];
    for (const { where, wavelengthNm, expected } of cases) {
      await buildPlates(bench, { leaf: { reflectance: spectrum } }, [
        { material: 'leaf', faceM: [10, 0, 0] },
      ]);
      const sensor = singleLaser({ beam: singleRay, wavelengthNm });
      const { intensity } = await fire(bench, sensor, ['intensity']);
      forms.push(
        closedForm(`spectrum, ${where} (${wavelengthNm} nm): reflectance`, {
          measured: intensity[0] ?? NaN,
          expected,
          tolerance: 1e-7,
          source: 'rule of three; constant beyond the ends',
        }),
      );
    }
    return formsPart('Spectra: a wall head on, seen by lasers of five wavelengths.', forms);
  },
};
