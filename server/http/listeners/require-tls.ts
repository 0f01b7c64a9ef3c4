import type { RequestHandler } from 'express';
import type { ErrorBody } from '../../contract/common.ts';
import { isLoopback } from '../../base/loopback.ts';
import { isOwnComputer } from './is-own-computer.ts';
import { networkAddresses } from './own-address.ts';

/**
 * Answers 426 to unencrypted requests over a network, and reports their address. Requests of this computer pass, and
 * all while `plainAllowed`.
 */
export function requireTLS(
  plainAllowed: () => boolean,
  onRefused: (address: string | undefined) => void,
): RequestHandler {
  return (req, res, next) => {
    if (req.secure || isOwnComputer(req, isThisComputer) || plainAllowed()) {
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

/** Returns whether an address is loopback or one of this computer's. */
function isThisComputer(address: string | undefined): boolean {
  if (address === undefined || isLoopback(address)) return address !== undefined;
  const plain = address.replace(/^::ffff:/, '');
  return networkAddresses().some((own) => own.replace(/^\[|\]$/g, '') === plain);
}
