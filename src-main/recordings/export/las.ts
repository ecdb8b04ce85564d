// LAS 1.4 with points of format 6, or 7 with colours (ASPRS LAS specification 1.4 R15): for PDAL, CloudCompare, QGIS,
// LAStools. What the format has a field for goes there, every other column into extra bytes under its own name, or
// PDAL's, so that no value is lost. Positions are steps of 0.1 mm from the header's offset, the origin of the scene.
// Pulses without an echo have no position: they are left out, or, where that was asked for, points along their beams
// that are flagged as withheld.
import { badInput } from '#contract/errors.ts';
import { joinLas } from '../join/joinLas.ts';
import { type Format, type FormatOptions, type FormatWriter, rowSourceOf } from './format.ts';
import type { PartFile } from './partFile.ts';
import { adjustedGpsTimeS } from './gpsTime.ts';
import { hasBeams, lasLayout, positions } from './lasColumns.ts';
import { lasHeader } from './lasHeader.ts';
import { lasTimes, timesText } from './lasTimes.ts';
import { type LasPoints, packPoints, setIntensities } from './lasPoints.ts';
import { worldTable } from './worldColumns.ts';

const stepM = 1e-4;
/** Bytes that are changed at a time. */
const pieceBytes = 2 ** 20;

export const las: Format = { write: writeLas, join: joinLas };

/** @throws UnderstoryError 'bad-input' without the columns of the position */
async function writeLas(file: PartFile, options: FormatOptions): Promise<FormatWriter> {
  const { columns, originM, wkt } = options;
  if (!positions.every((name) => columns.includes(name))) {
    throw badInput('columns', 'expected x_m, y_m and z_m', {
      code: 'missing',
      title: 'a LAS file needs the columns x_m, y_m and z_m',
    });
  }
  const source = rowSourceOf(options);
  const layout = lasLayout(options);
  const zeroS = options.epochS === undefined ? null : adjustedGpsTimeS(options.epochS);
  const points: LasPoints = {
    layout,
    stepM,
    originM,
    times: lasTimes(zeroS ?? 0, options.firings),
    missRangeM: hasBeams(columns) ? (options.missRangeM ?? null) : null,
    extent: {
      points: 0,
      byReturn: Array<number>(15).fill(0),
      min: [Infinity, Infinity, Infinity],
      max: [-Infinity, -Infinity, -Infinity],
    },
    maxIntensity: 0,
    beyondReturns: 0,
  };
  const hasIntensity = columns.includes('intensity');
  const header = (): Uint8Array => {
    const intensityRange = hasIntensity ? rangeOf(points.maxIntensity) : null;
    return lasHeader({
      layout,
      stepM,
      originM,
      wkt,
      intensityRange,
      source,
      hasGpsTime: zeroS !== null,
      timesText: columns.includes('time_ns') ? timesText(points.times) : null,
      extent: points.extent,
    });
  };
  const leftOut: string[] = [];
  let misses = 0;
  const head = header();
  await file.append(head);
  return {
    async write(table, rows, sensor) {
      const sourceId = source === null ? 0 : sensor + 1;
      const travelAt = (timeNs: number) => options.travelAt?.(sensor, timeNs) ?? null;
      const packed = packPoints(points, worldTable(table, originM), rows, {
        source: sensor,
        sourceId,
        travelAt,
      });
      misses += rows - packed.byteLength / layout.stride;
      await file.append(packed);
    },
    async finish() {
      const range = rangeOf(points.maxIntensity);
      if (hasIntensity && range !== 1) {
        const { stride, extras } = layout;
        const relativeAt = extras.find(({ column }) => column === 'intensity')?.offset ?? 0;
        const rescale = (piece: Uint8Array): void =>
          setIntensities(piece, { stride, relativeAt }, range);
        await file.transform(head.byteLength, stride * Math.ceil(pieceBytes / stride), rescale);
      }
      await file.patchHead(header());
      if (misses > 0) leftOut.push(`${misses} pulses without an echo`);
      if (points.beyondReturns > 0) {
        leftOut.push(`numbers of ${points.beyondReturns} returns beyond the 15th of a pulse`);
      }
      return points.extent.points;
    },
    leftOut,
  };
}

/**
 * The relative intensity that becomes 65535: the power of two at the largest or above. Why not the largest itself:
 * files of one sensor mostly have the same factor.
 */
function rangeOf(maxIntensity: number): number {
  return maxIntensity > 0 ? 2 ** Math.ceil(Math.log2(maxIntensity)) : 1;
}
