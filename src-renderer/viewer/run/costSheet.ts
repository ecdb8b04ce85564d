// The sheet of cost maps on a canvas: maps with their letters and names, paths, vehicle, a bar of length and
// the key of the colours.
import type { Pose } from '#contract/host/run.ts';
import { greyColour } from '#domain/shared/colours.ts';
import { costMapPixels, unseenColour } from '#domain/shared/costMapImage.ts';
import { attitudeOf } from '#domain/shared/pose.ts';
import { roundBelow } from '#domain/shared/roundNumbers.ts';
import type { OriginM } from '#contract/worldOrigin.ts';
import { mapEdges } from '#renderer/logic/scene/worldPlaces.ts';
import {
  axesPx,
  costMapTimeS,
  sheetLayout,
  sheetMarginPx,
  type CostView,
  type SheetPanel,
} from '#renderer/logic/drive/costViews.ts';

export interface NamedCostView {
  name: string;
  view: CostView;
  /** World position that the view is relative to. */
  originM: OriginM;
}

const mapPx = 480;
const colours = {
  paper: '#ffffff',
  ink: '#17211c',
  muted: '#5a6b63',
  planned: '#4fc3f7',
  driven: '#ff9f43',
  vehicle: '#ff6b81',
};
const font = '15px system-ui, "DejaVu Sans", sans-serif';

/** Draws the views in their order; the canvas takes the size of the sheet. */
export function drawCostSheet(canvas: HTMLCanvasElement, views: readonly NamedCostView[]): void {
  const layout = sheetLayout(views.length, mapPx);
  canvas.width = layout.widthPx;
  canvas.height = layout.heightPx;
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.fillStyle = colours.paper;
  context.fillRect(0, 0, canvas.width, canvas.height);
  for (const [index, { name, view, originM }] of views.entries()) {
    const panel = layout.panels[index];
    if (panel === undefined) continue;
    drawMap(context, panel, name, view);
    drawEdges(context, panel, mapEdges(originM, view.map));
  }
  drawKey(context, layout.keyYPx, views[0]?.view);
}

function drawMap(
  context: CanvasRenderingContext2D,
  { letter, xPx, yPx, sizePx }: SheetPanel,
  name: string,
  { map, cost, timeS, pose, plannedM, drivenM }: CostView,
): void {
  const image = document.createElement('canvas');
  image.width = map.cells;
  image.height = map.cells;
  const pixels = new ImageData(costMapPixels(map, cost), map.cells, map.cells);
  image.getContext('2d')?.putImageData(pixels, 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(image, xPx, yPx, sizePx, sizePx);
  context.fillStyle = colours.ink;
  context.font = `600 ${font}`;
  context.textBaseline = 'alphabetic';
  const time = Math.abs(timeS - costMapTimeS) < 1e-6 ? '' : `, ${timeS.toFixed(1)} s`;
  context.fillText(`${letter} ${name}${time}`, xPx, yPx - 9);

  const pxPerM = sizePx / (map.cells * map.cellM);
  const toPx = (xM: number, yM: number): [number, number] => [
    xPx + (xM - map.originM[0]) * pxPerM,
    yPx + sizePx - (yM - map.originM[1]) * pxPerM,
  ];
  context.save();
  context.beginPath();
  context.rect(xPx, yPx, sizePx, sizePx);
  context.clip();
  drawPath(context, plannedM, toPx, colours.planned, [7, 5]);
  drawPath(context, drivenM, toPx, colours.driven, []);
  drawVehicle(context, pose, toPx);
  context.restore();
}

/** Below the map: x on the left, y on the right. */
function drawEdges(
  context: CanvasRenderingContext2D,
  { xPx, yPx, sizePx }: SheetPanel,
  [xText = '', yText = '']: readonly string[],
): void {
  const textYPx = yPx + sizePx + axesPx - 4;
  context.font = font.replace('15px', '13px');
  context.fillStyle = colours.muted;
  context.fillText(xText, xPx, textYPx);
  context.textAlign = 'right';
  context.fillText(yText, xPx + sizePx, textYPx);
  context.textAlign = 'left';
}

function drawPath(
  context: CanvasRenderingContext2D,
  placesM: Float32Array,
  toPx: (xM: number, yM: number) => [number, number],
  colour: string,
  dash: number[],
): void {
  context.beginPath();
  for (let at = 0; at + 1 < placesM.length; at += 2) {
    context.lineTo(...toPx(placesM[at] ?? 0, placesM[at + 1] ?? 0));
  }
  context.strokeStyle = colour;
  context.lineWidth = 2.5;
  context.setLineDash(dash);
  context.stroke();
  context.setLineDash([]);
}

/** A triangle that points where the vehicle goes: to scale it would be too small to be seen. */
function drawVehicle(
  context: CanvasRenderingContext2D,
  { positionM: [xM, yM], rotation }: Pose,
  toPx: (xM: number, yM: number) => [number, number],
): void {
  context.save();
  context.translate(...toPx(xM, yM));
  context.rotate(-attitudeOf(rotation).yawRad);
  context.beginPath();
  context.moveTo(11, 0);
  context.lineTo(-7, 7);
  context.lineTo(-7, -7);
  context.closePath();
  context.fillStyle = colours.vehicle;
  context.fill();
  context.restore();
}

function drawKey(
  context: CanvasRenderingContext2D,
  topPx: number,
  view: CostView | undefined,
): void {
  if (view === undefined) return;
  const widthPx = 150;
  for (let px = 0; px < widthPx; px += 1) {
    context.fillStyle = `rgb(${greyColour(px / (widthPx - 1)).join(' ')})`;
    context.fillRect(sheetMarginPx + px, topPx, 1.5, 14);
  }
  context.strokeStyle = colours.muted;
  context.strokeRect(sheetMarginPx + 0.5, topPx + 0.5, widthPx, 14);
  context.font = font.replace('15px', '13px');
  context.fillStyle = colours.ink;
  context.fillText('cost 0', sheetMarginPx, topPx + 31);
  context.textAlign = 'right';
  context.fillText('100', sheetMarginPx + widthPx, topPx + 31);
  context.textAlign = 'left';

  context.fillStyle = `rgb(${unseenColour.join(' ')})`;
  context.fillRect(sheetMarginPx + widthPx + 22, topPx, 14, 14);
  context.fillStyle = colours.ink;
  context.fillText('not seen', sheetMarginPx + widthPx + 42, topPx + 12);
  for (const [row, [colour, text]] of [
    [colours.planned, 'planned'],
    [colours.driven, 'driven'],
  ].entries()) {
    const yPx = topPx + 29 + 16 * row;
    context.fillStyle = colour ?? colours.ink;
    context.fillRect(sheetMarginPx + widthPx + 20, yPx - 5, 18, 3);
    context.fillStyle = colours.ink;
    context.fillText(text ?? '', sheetMarginPx + widthPx + 42, yPx);
  }

  const { cells, cellM } = view.map;
  // At most a quarter of the map.
  const barM = roundBelow((cells * cellM) / 4);
  const barPx = (barM * mapPx) / (cells * cellM);
  const leftPx = sheetMarginPx + mapPx - barPx;
  context.fillRect(leftPx, topPx + 8, barPx, 3);
  context.fillRect(leftPx, topPx + 4, 2, 11);
  context.fillRect(leftPx + barPx - 2, topPx + 4, 2, 11);
  context.textAlign = 'center';
  context.fillText(`${barM} m`, leftPx + barPx / 2, topPx + 31);
  context.textAlign = 'left';
}
