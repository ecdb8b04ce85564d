// The pushes of a host (contract Events): services emit them, front ends (web host, window) forward them.
// Guarantees: listeners are called in the order of subscription, and one that throws does not stop the others.
import type { Events } from '#contract/host/methods.ts';

/** One push, its name and body belonging together. */
export type HostEvent = { [E in keyof Events]: { name: E; body: Events[E] } }[keyof Events];

export interface HostEvents {
  emit(event: HostEvent): void;
  /** Returns the function that ends the subscription. */
  subscribe(listener: (event: HostEvent) => void): () => void;
}

/** `onError` is called for a listener that threw. */
export function createEvents(onError: (error: unknown) => void): HostEvents {
  const listeners = new Set<(event: HostEvent) => void>();
  return {
    emit(event) {
      for (const listener of [...listeners]) {
        try {
          listener(event);
        } catch (error) {
          onError(error);
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
