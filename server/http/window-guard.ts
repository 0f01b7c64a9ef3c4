import type { RequestHandler, Response } from 'express';

/**
 * Keeps other web pages in the same browser away from the window listener (design §3): a foreign Host is a
 * rebound name, a foreign or `null` Origin is another page, and a request that changes something must carry
 * a header that no form and no simple cross-site request can send.
 */
export function windowGuard(ownPort: () => number): RequestHandler {
  return (req, res, next) => {
    const names = ['127.0.0.1', 'localhost', '[::1]'].map((host) => `${host}:${ownPort()}`);
    const origin = req.headers.origin;
    const site = req.headers['sec-fetch-site'];
    const changes = req.method !== 'GET' && req.method !== 'HEAD';
    // No page can send it without being asked for by name; a Basic one comes from any address with a password.
    const bearer = /^bearer /i.test(req.headers.authorization ?? '');

    if (!names.includes(req.headers.host ?? '')) {
      refuse(res, 'window.host', 'This address does not belong to the window. Open it by its own link.');
    } else if (origin !== undefined && !names.some((name) => origin === `http://${name}`)) {
      refuse(res, 'window.origin', 'Other pages may not talk to Footbridge.');
    } else if (changes && site !== undefined && site !== 'same-origin') {
      refuse(res, 'window.origin', 'Other pages may not talk to Footbridge.');
    } else if (changes && !bearer && req.headers['x-footbridge'] !== '1') {
      refuse(res, 'window.csrf', 'The header x-footbridge is missing; requests come from the window only.');
    } else {
      next();
    }
  };
}

function refuse(res: Response, code: string, message: string): void {
  res.status(403).json({ error: { code, message } });
}
