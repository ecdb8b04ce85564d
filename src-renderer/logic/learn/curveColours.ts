// Colours of curves that are compared with reality: reality in vermilion, models in others of the same set (figure 1 of
// Deschaud 2012 has red and green).
import { markColours, toHex } from '#domain/shared/colours.ts';

const { vermilion, green, blue, purple, orange, skyBlue, yellow, grey } = markColours;
const models = [green, skyBlue, purple, orange, blue, yellow, grey, green].map(toHex);

/** 0: the log; from 1: models. */
export function curveColour(index: number): string {
  return index === 0 ? toHex(vermilion) : (models[(index - 1) % models.length] ?? '#000000');
}
