import express from 'express';
import { describe, expect, it } from 'vitest';
import { setCaller } from '../../../server/http/auth/caller.ts';
import { errorHandler } from '../../../server/http/listeners/errors.ts';
import { limitStrangers } from '../../../server/http/listeners/rate-limits.ts';
import { rawRequest, serveOnce } from '../../support/harness/http.ts';

describe('A3: requests without a credential', () => {
  it('are held back by the address of the connection, whatever X-Forwarded-For says; partners never are', async () => {
    const app = express();
    app.use((req, _res, next) => {
      if (req.get('authorization')) setCaller(req, { kind: 'user', userID: '1', role: 'viewer' });
      next();
    });
    app.use(limitStrangers(5));
    app.get('/', (_req, res) => void res.json({}));
    app.use(errorHandler({ error: () => undefined }));
    const server = await serveOnce(app);
    const ask = async (headers: Record<string, string>): Promise<number> =>
      (await rawRequest(server.port, '/', { headers })).status;

    const spoofed: number[] = [];
    for (let at = 0; at < 8; at++) spoofed.push(await ask({ 'x-forwarded-for': `203.0.113.${at}` }));
    expect(spoofed).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
    const held = await rawRequest(server.port, '/');
    expect(held.headers['retry-after']).toBe('60');
    expect(await ask({ authorization: 'Bearer x' })).toBe(200);
    await server.close();
  });
});
