// Arrays of numbers in archives of NumPy (.npz).
import type { ColumnArray } from '#contract/columns.ts';

export interface NumberArrays {
  /**
   * The arrays of these names, each of at most `maxBytes`. @throws UnderstoryError 'corrupt' for an archive without one of
   * them, with a larger one, or damaged; 'not-found' | 'io'
   */
  read(
    file: string,
    names: readonly string[],
    maxBytes: number,
  ): Promise<Record<string, { shape: number[]; values: ColumnArray }>>;
}
