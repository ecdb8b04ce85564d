// External planners: programs that listen, and decide where a vehicle drives.
import type { Channel } from '#contract/wire/rpc.ts';

export interface Planners {
  /**
   * A channel of frames to the planner at an address (contract/host/planner.ts). Waits some seconds for one to listen.
   * @param onBroken called once where the planner sends what is no frame, before the channel closes
   * @throws UnderstoryError 'io' where none listens, 'bad-input' for an address that is none, 'cancelled'
   */
  connect(
    address: string,
    signal: AbortSignal,
    onBroken: (error: unknown) => void,
  ): Promise<Channel>;
}
