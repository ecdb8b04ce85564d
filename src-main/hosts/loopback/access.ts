// Access to a server of this machine: by its own name, by pages that it serves, with its token.
// Why: any page in any browser of the machine can send requests to 127.0.0.1. The Host check refuses
// names that resolve here (DNS rebinding), the Origin check other pages, the token other users.
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The parts of a request that decide; as node:http gives them. */
export interface RequestHeaders {
  host: string | undefined;
  origin: string | undefined;
}

export interface Access {
  /** True where the Host header names this host by loopback address or localhost, with its port. */
  isOwnHost(headers: RequestHeaders): boolean;
  /** True for the origin of this host's own pages. A missing one is none. */
  isOwnOrigin(headers: RequestHeaders): boolean;
  /** Compares in constant time. @param given null: none */
  isToken(given: string | null): boolean;
}

/** `port`: the one that the host listens on. */
export function createAccess(token: string, port: number): Access {
  const expected = Buffer.from(token);
  return {
    ...createOwnAddress(port),
    isToken(text) {
      const given = Buffer.from(text ?? '');
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}

/** The checks of names alone. */
export function createOwnAddress(port: number): Pick<Access, 'isOwnHost' | 'isOwnOrigin'> {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  return {
    isOwnHost: ({ host }) => host !== undefined && hosts.includes(host),
    isOwnOrigin: ({ host, origin }) => origin === `http://${host}` && hosts.includes(host ?? ''),
  };
}

export function headersOf({ headers }: IncomingMessage): RequestHeaders {
  return { host: headers.host, origin: headers.origin };
}
