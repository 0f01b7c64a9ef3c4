import type { Request } from 'express';

/**
 * Returns whether the request comes from this computer, as `isOwn` defines it: its connection does and, behind a
 * trusted load balancer, the forwarded address too. From a load balancer elsewhere, 127.0.0.1 is its own loopback.
 */
export const isOwnComputer = (
  req: Pick<Request, 'ip' | 'socket'>,
  isOwn: (address: string | undefined) => boolean,
): boolean => isOwn(req.socket.remoteAddress) && isOwn(req.ip);
