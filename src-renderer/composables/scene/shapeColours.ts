// Colours of shapes on the ground.
import { themeColours } from '#renderer/browser/themeColour.ts';
import type { ShapeColours } from '#renderer/viewer/scene/shapeMarks.ts';

export function shapeColours(): ShapeColours {
  const named = themeColours();
  return {
    area: named('--shape-area'),
    clear: named('--shape-clear'),
    route: named('--shape-route'),
    ring: named('--shape-ring'),
    held: named('--shape-held'),
  };
}
