import type { Request } from 'express';

/** Returns whether connection and (behind a trusted load balancer) forwarded address are `isOwn`. */
export const isOwnComputer = (
  req: Pick<Request, 'ip' | 'socket'>,
  isOwn: (address: string | undefined) => boolean,
): boolean => isOwn(req.socket.remoteAddress) && isOwn(req.ip);
