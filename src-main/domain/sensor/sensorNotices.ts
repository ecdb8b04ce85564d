// Remarks on a sensor that can be simulated but not built so: modes that its receiver cannot form. For reports of
// `sensor check`, `scenario check` and `scan`.
import { rangeCellM, type ReturnMode } from '#contract/documents/sensorReturns.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import type { Notice } from '#domain/shared/notice.ts';

/** Modes that choose among echoes; the nearest ray is the same with and without a receiver. */
const choosingModes: readonly ReturnMode[] = ['strongest', 'last', 'first'];

/** None for sensors whose receiver sums the rays of a pulse, and for beams of one ray. @param path of the sensor's file */
export function sensorNotices(
  { beam, returns }: Pick<SensorRecipe, 'beam' | 'returns'>,
  path = '',
): Notice[] {
  const { divergenceHorizontalRad, divergenceVerticalRad, stencil, rays } = beam;
  const isWide =
    divergenceHorizontalRad > 0 ||
    divergenceVerticalRad > 0 ||
    (beam.apertureHorizontalM ?? 0) > 0 ||
    (beam.apertureVerticalM ?? 0) > 0;
  const isOneRay = !isWide || (stencil === 'rays' && rays?.count === 1);
  const cellM = rangeCellM({ ...returns, rangeResolutionM: returns.rangeResolutionM ?? 0 });
  if (isOneRay || cellM > 0 || !choosingModes.includes(returns.mode)) return [];
  const message = `'${returns.mode}' chooses among single rays, because no length in range joins them: what a fraction of the spot meets is returned as a whole echo. Expected a rangeResolutionM or a signalCutoffM above 0, or a waveform`;
  return [{ path: `${path}returns.mode`, message }];
}
