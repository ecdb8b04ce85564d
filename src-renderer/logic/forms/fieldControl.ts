// A value of a document as a form shows it: label, unit, kind of input, the value that holds where nothing is written.
import type { FormWords } from '#contract/documents/formWords.ts';
import type { NumberBounds } from './numberEntry.ts';
import type { DocumentPath } from './jsonSchema.ts';

interface FieldBase {
  /** From the part. */
  path: DocumentPath;
  label: string;
  unit?: string;
  /** Beside the label. */
  hint?: string;
  /** Below the control. */
  help?: string;
  /** Over the whole width. */
  isWide?: boolean;
  /** May be left out of the document. */
  isOptional?: boolean;
}

/** A field of a form, and what to type it with. */
export type FieldControl =
  | (FieldBase & {
      kind: 'number';
      fallback?: number;
      step?: number;
      /** Bounds of the schema. */
      bounds?: NumberBounds | undefined;
      /** Drawn as a slider too, over this range; numbers beyond it can be typed. */
      slider?: readonly [number, number];
    })
  /** Numbers side by side: a place, sizes, a span. */
  | (FieldBase & {
      kind: 'numbers';
      parts: readonly string[];
      fallback?: readonly number[];
      step?: number;
      /** Bounds of each part. */
      bounds?: readonly (NumberBounds | undefined)[];
    })
  | (FieldBase & { kind: 'text'; fallback?: string; isLong?: boolean })
  | (FieldBase & {
      kind: 'choice';
      options: readonly string[];
      /** The options as they are shown, where that is not the same. */
      texts?: readonly string[];
      fallback?: string;
      isOpen?: boolean;
      /** Where its options come from. */
      refersTo?: FormWords['refersTo'];
    })
  | (FieldBase & { kind: 'switch'; fallback: boolean })
  | (FieldBase & { kind: 'colour'; fallback: string })
  /** Rows of numbers, a line each. Without names of columns a row has any number of them. */
  | (FieldBase & { kind: 'rows'; columns: readonly string[] })
  /** Numbers or words in one line, between commas; `parts`: names of the numbers. */
  | (FieldBase & { kind: 'list'; item: 'number' | 'word'; parts: readonly string[] })
  /** Shown, not edited. */
  | (FieldBase & { kind: 'fixed' })
  /** One number, or rows of wavelength and number. */
  | (FieldBase & {
      kind: 'spectrum';
      fallback?: number;
      bounds?: NumberBounds | undefined;
      /** Kind of the numbers; shares from 0 to 1 have a slider. */
      numbers: 'share' | 'per m';
    })
  /** Names with their values. */
  | (FieldBase & {
      kind: 'mapping';
      /** Allowed values of a name. */
      options: readonly string[];
      /** Existing names, with or without a value; none: they are not known. */
      names: readonly string[];
      /** The value for a name without an entry. */
      otherwise: string;
    })
  /** Circles [{ centreM, radiusM }], a line each: x, y, radius. */
  | (FieldBase & { kind: 'circles' });

export type NumberField = Extract<FieldControl, { kind: 'number' }>;
export type NumbersField = Extract<FieldControl, { kind: 'numbers' }>;
export type ChoiceField = Extract<FieldControl, { kind: 'choice' }>;
export type ListField = Extract<FieldControl, { kind: 'list' }>;
export type TextField = Extract<FieldControl, { kind: 'text' }>;
export type ColourField = Extract<FieldControl, { kind: 'colour' }>;
export type MappingField = Extract<FieldControl, { kind: 'mapping' }>;
export type SpectrumField = Extract<FieldControl, { kind: 'spectrum' }>;
