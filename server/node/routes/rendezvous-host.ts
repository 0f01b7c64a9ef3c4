import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { isLoopback } from '../../base/loopback.ts';
import type { Identity } from '../../federation/partners/identity.ts';
import { networkOf } from '../../base/network-of.ts';
import { bearerOf, Relay } from '../../routes/relay.ts';
import type { Rendezvous } from '../../routes/rendezvous.ts';

export interface RendezvousHostDeps {
  readonly rendezvous: Rendezvous;
  readonly clock: Clock;
  /** @throws Refusal for a token that is not good */
  readonly verify: (token: string) => Promise<Identity>;
  /** The partner that is carried under this ID, where our user allowed carrying. */
  readonly carried: (carryID: string) => string | undefined;
  /** The connection belongs to this partner from now on. */
  readonly keep: (socket: Socket, nodeID: string) => void;
}

const REGISTERS = /^(?:\/api)?\/federation\/footbridge\/register$/;

/**
 * Serves the rendezvous protocol on the partners' listener: partners that cannot be called register with their token, and
 * those whom our user carries can be called through us (docs/architecture.md: Routes).
 * @returns handler of HTTP upgrades; false for requests that are none of this protocol
 */
export function rendezvousHost(
  deps: RendezvousHostDeps,
): (request: IncomingMessage, socket: Socket, head: Buffer) => boolean {
  const { rendezvous, clock, verify, carried, keep } = deps;
  const registering = new WeakMap<IncomingMessage, string>();
  const relay = new Relay({
    rendezvous,
    clock,
    authorizeRegistration: (request) => registering.get(request),
    authorizeCall: (request) => carried(bearerOf(request) ?? ''),
    networkOf: (request) => networkOf(request.socket.remoteAddress),
    onAuthenticated: (request, nodeID) => keep(request.socket, nodeID),
  });
  return (request, socket, head) => {
    const path = request.url ?? '';
    // A token in the clear over a network is a token lost.
    const isEncrypted = 'encrypted' in socket && socket.encrypted === true;
    const isSafe = isEncrypted || isLoopback(socket.remoteAddress ?? '');
    if (!REGISTERS.test(path)) return isSafe && relay.upgrade(request, socket, head);
    if (!isSafe) return false;
    const token = bearerOf(request) ?? '';
    // HTTP listens no longer: without a listener, a caller that breaks off now would end this program.
    socket.on('error', () => undefined);
    verify(token)
      .then((who) => {
        if (who.kind === 'node') registering.set(request, who.node.nodeID);
      })
      .catch(() => undefined)
      .finally(() => relay.upgrade(request, socket, head));
    return true;
  };
}
