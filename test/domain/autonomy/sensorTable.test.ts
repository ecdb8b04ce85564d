// Truth stays out of autonomy by type: these lines must compile, and those marked must not.
import { expect, it } from 'vitest';
import { returnColumns, type ReturnTable } from '#contract/columns.ts';
import { autonomyColumns, type SensorScan, type SensorTable } from '#domain/autonomy/signals.ts';
import { joinReturns } from '#domain/shared/joinColumns.ts';

it('has columns that a real sensor reports, and no others', () => {
  for (const name of autonomyColumns) expect(returnColumns[name].kind).toBe('sensor');
});

it('is a table without truth columns', () => {
  const seen: SensorTable = joinReturns([], autonomyColumns);
  const scan: SensorScan = { sensor: 0, table: [seen] };
  const withTruth = joinReturns([], [...autonomyColumns, 'object_id']);
  // @ts-expect-error: a truth column is refused
  const refused: SensorTable = withTruth;
  const any: ReturnTable = withTruth;
  // @ts-expect-error: so is a table that may have one
  const perhaps: SensorScan = { sensor: 0, table: [any] };
  expect(Object.keys(scan.table[0] ?? {})).toEqual([...autonomyColumns]);
  expect([refused, perhaps.table[0]].every((table) => 'object_id' in (table ?? {}))).toBe(true);
});
