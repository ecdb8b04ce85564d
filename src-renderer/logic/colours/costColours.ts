// Colours of a cost map that lies over the view of a scene: one hue, the stronger the higher the cost, and dark red
// hatching where a vehicle cannot pass. What is free or not seen stays clear.
import type { Rgb } from '#domain/shared/colours.ts';

/** Costs from here on are blocked. */
export const blockedCost = 100;
export const costHue: Rgb = [28, 96, 214];
export const blockedColour: Rgb = [140, 10, 24];
/** Opacity of the lowest and of the highest cost that is not blocked, and of blocked cells, at full opacity of the map. */
export const costAlphas = { lowest: 0.12, highest: 0.85, blocked: 1 } as const;
