import express from 'express';
import { request } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { inTurn } from '../../../server/http/listeners/in-turn.ts';
import { serveOnce } from '../../support/harness/http.ts';

it('gives the turn of one that left before it came to it to the next', async () => {
  const inside: string[] = [];
  const arrived: string[] = [];
  const left: string[] = [];
  const app = express();
  app.use((req, res, next) => {
    arrived.push(req.path);
    if (req.path === '/leaves-before')
      res.once('close', () => {
        left.push(req.path);
        next();
      });
    else next();
  });
  app.use(inTurn());
  app.use((req, res) => {
    inside.push(req.path);
    res.end();
  });
  const server = await serveOnce(app);
  onTestFinished(() => server.close());
  const ask = (path: string): ReturnType<typeof request> => {
    const sent = request({ port: server.port, path, agent: false });
    onTestFinished(() => void sent.destroy());
    sent.on('error', () => undefined);
    sent.end();
    return sent;
  };
  const leaving = ask('/leaves-before');
  await expect.poll(() => arrived, { timeout: 20_000 }).toEqual(['/leaves-before']);
  leaving.destroy();
  await expect.poll(() => left, { timeout: 20_000 }).toEqual(['/leaves-before']);
  ask('/next');
  await expect.poll(() => inside, { timeout: 20_000 }).toEqual(['/next']);
});
