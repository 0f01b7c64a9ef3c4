import type { Request } from 'express';

/**
 * Returns whether this computer itself asks: by the connection or, for a named load balancer, by its header.
 * From one on another computer, 127.0.0.1 is its own loopback.
 */
export const isOwnComputer = (
  req: Pick<Request, 'ip' | 'socket'>,
  isOwn: (address: string | undefined) => boolean,
): boolean => isOwn(req.socket.remoteAddress) && isOwn(req.ip);
