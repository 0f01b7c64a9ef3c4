import express from 'express';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { errorHandler } from '../../../server/http/listeners/errors.ts';
import { receiveJSON } from '../../../server/http/listeners/json-body.ts';
import { serveOnce } from '../../support/harness/http.ts';

/** Sends a body and returns the answer's status and text. */
async function send(
  body: Buffer | string,
  type = 'application/json',
  parts = Infinity,
): Promise<[number, string]> {
  const app = express();
  app.use(receiveJSON({ limit: '1mb', parts }), (req, res) => void res.json(req.body));
  app.use(errorHandler({ error: vi.fn() }));
  const server = await serveOnce(app);
  onTestFinished(() => server.close());
  const answer = await fetch(`http://127.0.0.1:${server.port}/`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: new Uint8Array(Buffer.from(body)),
  });
  return [answer.status, await answer.text()];
}

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

describe('a JSON body', () => {
  it('of half a million brackets is refused without being parsed', async () => {
    const parse = vi.spyOn(JSON, 'parse');
    onTestFinished(() => parse.mockRestore());
    const body = nested(500_000);
    expect(await send(body)).toEqual([400, expect.stringContaining('nested too deeply')]);
    expect(parse.mock.calls.map(([text]) => text === body)).not.toContain(true);
  });

  it('is taken with a hundred levels, with more side by side, and with brackets in texts', async () => {
    for (const body of [
      nested(100),
      `[${'[],'.repeat(1000)}[]]`,
      JSON.stringify(['"\\'.repeat(9), '['.repeat(1000)]),
    ])
      expect(await send(body)).toEqual([200, body]);
    expect(await send(nested(101))).toEqual([400, expect.stringContaining('request.malformed')]);
  });

  it('of more parts than its schema has is refused without being parsed, however few bytes it was packed in', async () => {
    const parse = vi.spyOn(JSON, 'parse');
    onTestFinished(() => parse.mockRestore());
    const body = `[{"others":[${'0,'.repeat(1000)}0]}]`;
    expect(await send(body, undefined, 1002)).toEqual([400, expect.stringContaining('too many parts')]);
    expect(parse.mock.calls.map(([text]) => text === body)).not.toContain(true);
    for (const taken of [body, JSON.stringify([',[{'.repeat(1000)])])
      expect(await send(taken, undefined, 1003)).toEqual([200, taken]);
  });

  it('is refused in other encodings than UTF-8, in which levels are not counted', async () => {
    const body = Buffer.from(nested(200), 'utf16le');
    expect(await send(body, 'application/json; charset=utf-16le')).toEqual([
      415,
      expect.stringContaining('request.encoding'),
    ]);
  });
});
