import type { Request } from 'express';

/** Returns whether both the connection's and the forwarded address (of a trusted load balancer) are `isOwn`. */
export const isOwnComputer = (
  req: Pick<Request, 'ip' | 'socket'>,
  isOwn: (address: string | undefined) => boolean,
): boolean => isOwn(req.socket.remoteAddress) && isOwn(req.ip);
