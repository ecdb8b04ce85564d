// Colours of shapes on the ground, by the theme that is shown.
import { themeColours } from '#renderer/browser/themeColour.ts';
import type { ShapeColours } from '#renderer/viewer/scene/shapeMarks.ts';

export function shapeColours(): ShapeColours {
  const named = themeColours();
  return {
    area: named('--accent'),
    clear: named('--warning'),
    route: named('--info'),
    ring: named('--panel'),
    held: named('--text'),
  };
}
