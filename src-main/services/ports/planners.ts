// External planners: programs that listen, and decide where a vehicle drives.
import type { Channel } from '#contract/wire/rpc.ts';

export interface Planners {
  /**
   * A channel of frames to the planner at an address (contract/host/planner.ts). Waits some seconds for one to listen.
   * @param onBroken called once, before the channel closes, where the planner sends what is no frame ('protocol') or reads
   * nothing ('io')
   * @throws UnderstoryError 'io' where none listens, 'bad-input' for an address that is none, 'cancelled'
   */
  connect(
    address: string,
    signal: AbortSignal,
    onBroken: (error: unknown) => void,
  ): Promise<Channel>;
}
