// How stores reach the one client of the page: provided by main.ts, so that a test can give another.
import { inject, type InjectionKey } from 'vue';
import type { Client } from './client.ts';

/** Under this key main.ts provides the client. */
export const clientKey: InjectionKey<Client> = Symbol('client');

/** Within a store or a component's set-up. @throws where main.ts provided none: a bug. */
export function useClient(): Client {
  const client = inject(clientKey);
  if (client === undefined) throw new Error('no client was provided');
  return client;
}
