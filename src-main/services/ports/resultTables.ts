// Files of tables of results.
import type { ResultColumn, ResultValue } from '#contract/host/campaignMethods.ts';

export interface ResultTables {
  /** A Parquet file: numbers as doubles, truth values, texts; what is not known is null. The same rows, the same bytes. */
  parquet(
    columns: readonly ResultColumn[],
    rows: readonly (readonly ResultValue[])[],
  ): Promise<Uint8Array>;
}
