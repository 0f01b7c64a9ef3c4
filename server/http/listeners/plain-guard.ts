import type { RequestHandler } from 'express';
import type { ErrorBody } from '../../contract/common.ts';
import { isLoopback } from '../../base/loopback.ts';
import { isFromHere } from './from-here.ts';
import { networkAddresses } from './own-address.ts';

/**
 * Refuses unencrypted requests that come over a network (SECURITY.md: An attacker on the network path): whoever can listen in
 * would read tokens and rows. What this computer says to itself never leaves it and needs no encryption. The user may
 * allow it for partners that cannot check a self-made certificate, after a plain warning.
 *
 * @param onRefused told the address that was turned away
 */
export function plainGuard(
  plainAllowed: () => boolean,
  onRefused: (address: string | undefined) => void,
): RequestHandler {
  return (req, res, next) => {
    if (req.secure || isFromHere(req, isThisComputer) || plainAllowed()) {
      next();
      return;
    }
    onRefused(req.ip);
    res.status(426).set({ Upgrade: 'TLS/1.2, HTTP/1.1', Connection: 'close' });
    res.json({
      error: {
        code: 'transport.plain',
        message: 'Use https:// here: Footbridge takes nothing unencrypted from the network.',
      },
    } satisfies ErrorBody);
  };
}

function isThisComputer(address: string | undefined): boolean {
  if (address === undefined || isLoopback(address)) return address !== undefined;
  const plain = address.replace(/^::ffff:/, '');
  return networkAddresses().some((own) => own.replace(/^\[|\]$/g, '') === plain);
}
