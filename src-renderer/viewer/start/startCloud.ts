// The picture of the start page: one scan that turns slowly. Still for people who want less motion.
import { Color } from 'three';
import { paintedRows, scalePainter } from '#renderer/logic/colours/paintedRows.ts';
import { createColouredCloud } from '../engine/points/colouredCloud.ts';
import { createViewport } from '../engine/viewport.ts';

/** As test/pictures/startPictures.ts writes it: base64 of x, y, z as int16 in centimetres. */
export interface StartScan {
  positionsCm: string;
}

export interface StartCloud {
  resize: (widthPx: number, heightPx: number, pixelRatio: number) => void;
  setBackground: (colour: string) => void;
  dispose: () => void;
}

/** Seconds of a turn, and between frames: a page that waits costs a few per cent of one core. */
const turnS = 120;
const frameMs = 80;
const heightsM = [-0.5, 7] as const;
const eyeM = { radius: 27, height: 10 };

/** Draws a scan on a canvas until it is disposed. */
export function createStartCloud(
  context: WebGL2RenderingContext,
  canvas: HTMLCanvasElement,
  scan: StartScan,
): StartCloud {
  const viewport = createViewport(context, canvas, {
    camera: {
      positionM: [eyeM.radius, 0, eyeM.height],
      minDistanceM: 1,
      maxDistanceM: 100,
      maxPolarRad: Math.PI / 2,
      tilt: [0, -1, 1],
      isEased: false,
    },
  });
  const cloud = createColouredCloud({ scale: 1.2 });
  const cm = new Int16Array(bytesOf(scan.positionsCm).buffer);
  cloud.setPositions(Float32Array.from(cm, (value) => value / 100));
  const colourOf = scalePainter('viridis', heightsM);
  cloud.setColours(paintedRows(cm.length / 3, (row) => colourOf((cm[3 * row + 2] ?? 0) / 100)));
  viewport.scene.add(cloud.object);
  viewport.camera.setEnabled(false);
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const fromMs = performance.now();
  turn();
  const timer = isStill ? undefined : setInterval(turn, frameMs);

  return {
    resize: viewport.resize,
    setBackground(colour) {
      viewport.scene.background = new Color(colour);
      viewport.invalidate();
    },
    dispose() {
      clearInterval(timer);
      cloud.dispose();
      viewport.dispose();
    },
  };

  function turn(): void {
    if (document.hidden) return;
    const angle = ((performance.now() - fromMs) / 1000 / turnS) * 2 * Math.PI;
    const [x, y] = [eyeM.radius * Math.cos(angle), eyeM.radius * Math.sin(angle)];
    viewport.camera.look([x, y, eyeM.height], [0, 0, 1]);
  }
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
