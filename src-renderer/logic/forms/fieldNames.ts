// Names of fields in documents as words and units: 'divergenceHorizontalMrad' is 'Divergence horizontal', in mrad.
import type { FormWords } from '#contract/documents/formWords.ts';

/** Endings of names and the units that they mean, longer ones first. */
const units: readonly (readonly [ending: string, unit: string])[] = [
  ['DegPerSecond', '°/s'],
  ['PerSecond', 'per s'],
  ['DegPerS', '°/s'],
  ['MPerS2', 'm/s²'],
  ['MPerS', 'm/s'],
  ['PerM', 'm per m'],
  ['Mrad', 'mrad'],
  ['Deg', '°'],
  ['Hz', 'Hz'],
  ['Ns', 'ns'],
  ['Us', 'µs'],
  ['Ms', 'ms'],
  ['Nm', 'nm'],
  ['Ppm', 'ppm'],
  ['Kg', 'kg'],
  ['MB', 'MB'],
  ['Km', 'km'],
  ['M', 'm'],
  ['S', 's'],
];

/** The label of a field and its unit, '' where it has none: the words of its schema, or those that its name gives. */
export function fieldWords(name: string, form: FormWords = {}): { label: string; unit: string } {
  const found = units.find(
    ([ending]) => name.endsWith(ending) && /[a-z]/.test(name.at(-ending.length - 1) ?? ''),
  );
  const stem = found === undefined ? name : name.slice(0, -found[0].length);
  return { label: form.label ?? spacedWords(stem), unit: form.unit ?? found?.[1] ?? '' };
}

/** 'firingOffsets' -> 'Firing offsets', 'strongest-and-last' -> 'Strongest and last'. */
export function spacedWords(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z0-9])/g, '$1 $2')
    .replaceAll('-', ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
