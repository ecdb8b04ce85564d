// The sink of returns: it passes them on to a file or to the caller, and counts them.
import type { Replies } from '#contract/host/methods.ts';
import type { PlannedScan, ReturnsFile, ScanSink } from './scanSink.ts';

const counted = ['pulses', 'rays', 'hits', 'returns', 'rows'] as const;

export function returnsSink({ plan, worker }: PlannedScan, file: ReturnsFile): ScanSink {
  const { path, misses } = plan;
  const counts = { pulses: 0, rays: 0, hits: 0, returns: 0, rows: 0, hash: '' };
  const legs = new Map<number, Replies['scan.start']['legs'][number]>();
  let pieces = 0;
  return {
    async trace(piece) {
      const { tick, fromNs, toNs, number, trajectory, options } = piece;
      const request = { ...piece.pulses, misses, columns: file.columns };
      const { body } = await worker.call('scan', request, trajectory, {
        ...options,
        onChunk: (chunk) => file.rows(chunk.columns, chunk.body.rows, piece),
      });
      const { pulses, returns, hash } = body;
      await file.endPiece?.({ tick, sensor: 0, fromNs, toNs, pulses, returns, hash }, piece);
      for (const name of counted) counts[name] += body[name];
      pieces += 1;
      // Why: a hash is over one interval; with several, a recording has one for each.
      counts.hash = plan.pieceNs === null && pieces === 1 ? hash : '';
      const leg = legs.get(number) ?? {
        leg: number + 1,
        name: piece.leg.name,
        pulses: 0,
        returns: 0,
      };
      legs.set(number, { ...leg, pulses: leg.pulses + pulses, returns: leg.returns + returns });
    },
    close: async () => ({
      ...counts,
      legs: path.isSurvey ? [...legs.values()] : [],
      ...(await file.close()),
    }),
    abort: () => file.abort(),
  };
}
