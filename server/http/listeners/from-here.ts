import type { Request } from 'express';

/**
 * Whether this computer itself asks. By the connection and, where a load balancer is on it that is named, by what that says:
 * of one on another computer, 127.0.0.1 is that one's own loopback.
 */
export const isFromHere = (
  req: Pick<Request, 'ip' | 'socket'>,
  isOwn: (address: string | undefined) => boolean,
): boolean => isOwn(req.socket.remoteAddress) && isOwn(req.ip);
