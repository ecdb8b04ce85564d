// Words and controls of a field in forms, beside what its schema says. Schemas of forms (publishedSchemas.ts) have them as `form`.

/** `.meta(form({ … }))`: what a form cannot take from name, type, bounds and default of a field. */
export interface FormWords {
  /** In place of the field's name as words. */
  label?: string;
  /** In place of the unit at the end of the name. */
  unit?: string;
  /** A few words beside the label. */
  hint?: string;
  /** Value without an entry, where the schema states no default. */
  fallback?: string | number | boolean;
  /** Value in a new entry of which it is a required field. */
  start?: unknown;
  /** Usual range, drawn as a slider; numbers beyond it can be typed. */
  slider?: [number, number];
  /** Names of numbers side by side. */
  parts?: string[];
  control?: 'colour' | 'spectrum' | 'circles' | 'mapping' | 'text' | 'long text';
  /** Entries of the scene, or files, of which it names one. */
  refersTo?: 'models' | 'materials' | 'motions' | 'sensors' | 'plants';
  /** Over the whole width of a form. */
  isWide?: boolean;
}

export function form(words: FormWords): { form: FormWords } {
  return { form: words };
}
