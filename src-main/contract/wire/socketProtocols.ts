// Subprotocols that a page's WebSocket offers to the web host: the protocol, and the host's token.
// Why here and not in a cookie: cookies are sent to every port of a machine, also to those of other users.

/** The one that the host selects; the frames are those of PROTOCOL.md. */
export const socketProtocol = 'understory';

const tokenPrefix = 'token.';

/** For the constructor of a WebSocket. `token`: letters, digits, '-' and '_'. */
export function socketProtocols(token: string): [string, string] {
  return [socketProtocol, tokenPrefix + token];
}

/** The token in a header Sec-WebSocket-Protocol; null: there is none. */
export function tokenOffered(header: string | undefined): string | null {
  const offered = (header ?? '').split(',').map((protocol) => protocol.trim());
  return (
    offered.find((protocol) => protocol.startsWith(tokenPrefix))?.slice(tokenPrefix.length) ?? null
  );
}
