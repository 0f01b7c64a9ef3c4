import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { TLSSocket } from 'node:tls';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { isLoopback } from '../../base/loopback.ts';
import { plainAddress } from '../../base/plain-address.ts';
import { checkAddress, type AddressRules } from './address.ts';
import { AddressRefused, PartnerUnreachable } from '../guard/errors.ts';
import { guardedLookup, type Lookup } from '../../base/guarded-lookup.ts';
import { said } from '../../words/said.ts';

export interface DispatcherOptions extends AddressRules {
  /** SHA-256 fingerprint (lower-case hex) that the partner's certificate must have; then no authority is asked. */
  readonly certificate?: string;
  /** Ports that this node listens on: we never call ourselves. */
  readonly ownPorts: () => readonly number[];
  readonly connectTime: number;
  /** The look-up of names; tests put their own in. */
  readonly lookup?: Lookup;
}

/**
 * The only way out to one partner. What is checked is what is connected to: the check sits inside the
 * connection's own look-up, and every address of a name must pass (S2). Redirects are not followed (undici
 * follows none unless told to).
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const pinned = options.certificate;
  const connectorFor = (ownPort: boolean): buildConnector.connector =>
    buildConnector({
      timeout: options.connectTime,
      lookup: guardedLookup((address) => checkReached(address, options, ownPort), options.lookup),
      // With a pin the fingerprint alone decides, and a resumed session would not show the certificate.
      ...(pinned === undefined ? {} : { rejectUnauthorized: false, maxCachedSessions: 0 }),
    });
  const connectors = { own: connectorFor(true), other: connectorFor(false) };
  return new Agent({
    connections: 8,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    maxHeaderSize: 32 * 1024,
    connect(target, callback) {
      const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80);
      const ownPort = options.ownPorts().includes(port);
      try {
        checkTarget(target, options, ownPort);
      } catch (error) {
        callback(error as Error, null);
        return;
      }
      connectors[ownPort ? 'own' : 'other'](target, (error, socket) => {
        if (error) {
          callback(error, null);
        } else if (pinned !== undefined && fingerprint(socket as TLSSocket) !== pinned) {
          socket.destroy();
          callback(new PartnerUnreachable('certificate', PIN_BROKEN), null);
        } else {
          callback(null, socket);
        }
      });
    },
  });
}

const PIN_BROKEN = said('peer.other-certificate');

/** Numeric hosts never reach the look-up, so they are checked here; and so is the pin's need of encryption. */
function checkTarget(target: buildConnector.Options, options: DispatcherOptions, ownPort: boolean): void {
  if (options.certificate !== undefined && target.protocol !== 'https:') {
    throw new AddressRefused('not-pinned', said('peer.promised-encryption'));
  }
  const host = target.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) checkReached(host, options, ownPort);
}

function checkReached(address: string, options: DispatcherOptions, ownPort: boolean): void {
  checkAddress(address, options);
  if (ownPort && isThisComputer(address)) {
    throw new AddressRefused('own', said('peer.own-address'));
  }
}

function isThisComputer(address: string): boolean {
  const plain = plainAddress(address);
  if (isLoopback(plain)) return true;
  return Object.values(networkInterfaces()).some((list) =>
    list?.some((own) => plainAddress(own.address) === plain),
  );
}

function fingerprint(socket: TLSSocket): string | undefined {
  return socket.getPeerX509Certificate()?.fingerprint256.replaceAll(':', '').toLowerCase();
}
