import { toRequestRefused } from '../../../server/peer/dialects/partner-calls.ts';
import { describe, expect, it } from 'vitest';
import { english } from '../../../server/words/said.ts';
import { readPayload } from '../../../server/peer/transport/answer.ts';
import {
  WrongInstallationError,
  NoResponseError,
  HTMLResponseError,
  PartnerBusyError,
  PartnerClosedError,
  PartnerPausedError,
  PartnerEndedError,
  ProtocolViolationError,
  RequestRefusedError,
  TokenRejectedError,
} from '../../../server/peer/guard/errors.ts';
import { PEER_LIMITS } from '../../../server/peer/guard/limits.ts';
import type { WireAnswer } from '../../../server/peer/dialects/wire.ts';

function answer(status: number, body: string, more: Partial<WireAnswer> = {}): WireAnswer {
  return {
    status,
    contentType: 'application/json',
    retryAfter: undefined,
    date: undefined,
    body: new TextEncoder().encode(body),
    ...more,
  };
}
const read = (status: number, body: string, more?: Partial<WireAnswer>): unknown =>
  readPayload(answer(status, body, more), PEER_LIMITS);

function thrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('what an answer means', () => {
  it.each([
    ['a payload in its wrapper', '{"response":{"set":[]}}', { set: [] }],
    [
      'a payload without its wrapper, as 2021.3.0 sends it',
      '{"filter":{},"set":null}',
      { filter: {}, set: null },
    ],
    ['nothing, as live servers say it', '{"success":{"message":"OK"}}', undefined],
    ['nothing, as the interface says it', '{}', undefined],
    ['nothing at all', '', undefined],
    ['response false', '{"response":false}', undefined],
    ['response null', '{"response":null}', undefined],
    ['a text as payload', '{"response":"https://x"}', 'https://x'],
    ['a byte order mark in front', '\ufeff{"response":1}', 1],
  ])('takes %s', (_, body, expected) => {
    expect(read(200, body)).toEqual(expected);
    expect(read(200, body, { contentType: 'text/plain; charset=utf-8' })).toEqual(expected);
  });

  it('H4: takes an error under status 200 as the refusal that it is', () => {
    const error = thrown(() =>
      read(200, '{"error":{"message":"module does not exist","meta":{"type":"notFound"}}}'),
    );
    expect(error).toBeInstanceOf(RequestRefusedError);
    expect(error).toMatchObject({ status: 200, said: 'module does not exist', code: 'notFound' });
  });

  it.each(['', ',"meta":{"type":"notFound"}'])('knows that a live server deleted our record%s', (meta) => {
    const error = thrown(() => read(200, `{"error":{"message":"node does not exist"${meta}}}`));
    expect(error).toMatchObject({ kind: 'refused', code: 'live.entry-gone' });
    expect(english((error as RequestRefusedError).words)).toMatch(
      /no longer has an entry .* Ask their admin/,
    );
  });

  it('H4: takes plain text `Error: …` under status 200 as a refusal', () => {
    const error = thrown(() => read(200, 'Error: not allowed to manage this node\n----\nresource: x'));
    expect(error).toMatchObject({ kind: 'refused', said: 'not allowed to manage this node' });
  });

  it('waits for a server that is still starting', () => {
    const error = thrown(() => read(200, 'Corteza server initializing\n[PASS] store'));
    expect(error).toBeInstanceOf(PartnerBusyError);
    expect(error).toMatchObject({ retryAfter: 15_000 });
  });

  it.each([
    ['cut JSON', '{"response":{"set":[{"recordID":"1"'],
    ['an array', '[1,2]'],
    ['a number', '42'],
    ['100,000 brackets', '['.repeat(100_000)],
    ['bytes that are no text', '\ud800'],
  ])('H4/H2: refuses %s as a fault', (_, body) => {
    if (body === '\ud800') {
      const broken = answer(200, '', { body: new Uint8Array([0x22, 0xff, 0xfe, 0x22]) });
      expect(thrown(() => readPayload(broken, PEER_LIMITS))).toBeInstanceOf(ProtocolViolationError);
      return;
    }
    expect(thrown(() => read(200, body))).toBeInstanceOf(ProtocolViolationError);
  });

  it('bounds the number of parts, not only the bytes', () => {
    const limits = { ...PEER_LIMITS, jsonParts: 1000 };
    const many = answer(200, `[${'[],'.repeat(2000)}[]]`);
    expect(thrown(() => readPayload(many, limits))).toMatchObject({
      reason: 'the answer has too many parts.',
    });
    const quoted = answer(200, JSON.stringify({ response: '[{'.repeat(2000) + '"\\"[[' }));
    expect(readPayload(quoted, limits)).toContain('[{[{');
  });

  it('H2: bounds the different names of members, and values in an array', () => {
    const object = (members: number): string =>
      `{"response":{${Array.from({ length: members }, (_, at) => `"k${at}":"a,b{["`).join(',')}}}`;
    expect(Object.keys(read(200, object(900)) as object)).toHaveLength(900);
    expect(thrown(() => read(200, object(1100)))).toMatchObject({
      reason: 'the answer has too many different names.',
    });
    const same = `{"response":[${'{"a":1},'.repeat(3000)}{}]}`;
    expect(read(200, same)).toHaveLength(3001);
    const numbers = `{"response":[${'1,'.repeat(PEER_LIMITS.jsonParts)}1]}`;
    expect(thrown(() => read(200, numbers))).toMatchObject({ reason: 'the answer has too many parts.' });
  });

  it('H4: leaves `__proto__` and doubled keys without effect', () => {
    const data = read(200, '{"response":{"__proto__":{"polluted":1},"a":1,"a":2}}');
    expect('polluted' in {}).toBe(false);
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
    expect(data).toHaveProperty('a', 2);
  });

  it.each([
    [401, '{"error":{"code":"auth.ended","message":"over"}}', PartnerEndedError],
    [401, '{"error":{"code":"auth.removal-asked","message":"over"}}', PartnerEndedError],
    [401, '{"error":{"code":"auth.words-differ","message":"over"}}', PartnerEndedError],
    [403, '{"error":{"code":"node.closed","message":"closed"}}', PartnerClosedError],
    [403, '{"error":{"code":"node.paused","message":"paused"}}', PartnerPausedError],
    [401, '{"error":{"code":"token.unknown","message":"no"}}', TokenRejectedError],
    [401, '{"error":{"message":"unauthorized","meta":{"type":"unauthorized"}}}', TokenRejectedError],
    [401, '{"error":{"code":"auth.another","message":"not mine"}}', WrongInstallationError],
    [401, '<html><h1>401 Authorization Required</h1>', HTMLResponseError],
    [401, '', NoResponseError],
    [500, '{"error":{"message":"token is expired"}}', TokenRejectedError],
    [500, 'Error: token is unauthorized', TokenRejectedError],
    [403, '{"error":{"code":"x","message":"no"}}', RequestRefusedError],
    [403, '<html>Forbidden</html>', HTMLResponseError],
    [404, '{"error":{"code":"x","message":"no"}}', RequestRefusedError],
    [404, '<html>not found</html>', HTMLResponseError],
    [409, '{"error":{"code":"feed.epoch","message":"start over"}}', RequestRefusedError],
    [410, '{"error":"gone"}', RequestRefusedError],
    [429, '', PartnerBusyError],
    [503, '{"error":{"code":"store.closed","message":"closing"}}', PartnerBusyError],
    [503, '<html>', NoResponseError],
    [502, '<html><h1>502 Bad Gateway</h1>', NoResponseError],
    [500, '', NoResponseError],
    [500, '{"message":"Internal Server Error"}', NoResponseError],
    [301, '', HTMLResponseError],
    [302, '{"response":{}}', HTMLResponseError],
    [511, '', HTMLResponseError],
  ])('H7: status %i with %j is its own kind of error', (status, body, kind) => {
    expect(thrown(() => read(status, body))).toBeInstanceOf(kind);
  });

  it('H7: reads Retry-After as seconds and, by the partner’s own clock, as a date', () => {
    expect(thrown(() => read(429, '', { retryAfter: '7' }))).toMatchObject({ retryAfter: 7000 });
    const date = Date.UTC(2031, 0, 1);
    const retryAfter = new Date(date + 90_000).toUTCString();
    expect(thrown(() => read(503, '', { retryAfter, date }))).toMatchObject({ retryAfter: 90_000 });
    expect(thrown(() => read(503, '', { retryAfter: 'soon' }))).toMatchObject({ retryAfter: undefined });
  });

  it('S3: follows no redirect, and says so', () => {
    expect(thrown(() => read(302, ''))).toMatchObject({ kind: 'unreachable', why: 'elsewhere' });
  });

  it.each([
    ['a page', '<!doctype html><h1>Welcome to your router</h1>', 'application/json'],
    ['a page behind blanks', '\ufeff \r\n<HTML><title>Anmeldung</title>', ''],
    ['XML', '<?xml version="1.0"?><WISPAccessGatewayParam/>', 'text/xml'],
    [
      'a text under the type of a page',
      'Please sign in to the guest network',
      'text/HTML; charset=iso-8859-1',
    ],
  ])('takes %s, whatever its status, for something else at the address', (_, body, contentType) => {
    for (const status of [200, 203, 400, 404])
      expect(thrown(() => read(status, body, { contentType }))).toMatchObject({
        name: 'PageInstead',
        status,
      });
    expect(thrown(() => read(502, body, { contentType }))).toMatchObject({ name: 'NotAnswered' });
  });

  it('takes JSON and the words of live servers under the type of a page for what they are', () => {
    const contentType = 'text/html';
    expect(read(200, ' {"response":"<b>"}', { contentType })).toBe('<b>');
    expect(thrown(() => read(200, 'Error: not found', { contentType }))).toBeInstanceOf(RequestRefusedError);
    const starting = 'Corteza server initializing';
    expect(thrown(() => read(200, starting, { contentType }))).toBeInstanceOf(PartnerBusyError);
  });

  it('shows a partner’s text only cut and without control characters', () => {
    const body = JSON.stringify({ error: { message: `a\u0000b\u202ec${'x'.repeat(5000)}` } });
    const error = thrown(() => read(400, body)) as RequestRefusedError;
    expect(error.said.startsWith('a b c')).toBe(true);
    expect(error.said.length).toBeLessThan(210);
  });
});

describe('a refusal of a handshake', () => {
  it('has the code of a partner that ended the pairing, as no proxy has one', () => {
    expect(toRequestRefused(new PartnerEndedError('over'))).toMatchObject({
      status: 401,
      code: 'auth.ended',
    });
  });

  it.each([200, 401, 404, 500])('is understood by the words of a live server, under status %i', (status) => {
    const said = (text: string): unknown => toRequestRefused(new RequestRefusedError(status, text));
    expect(said('pairing token invalid')).toMatchObject({ status: 401, code: 'live.link-replaced' });
    expect(said('node does not exist')).toMatchObject({ status: 404, code: 'live.entry-gone' });
    // Another Footbridge's own code counts.
    const own = new RequestRefusedError(status, 'pairing token invalid', 'invite.wrong');
    expect(toRequestRefused(own)).toBe(own);
  });

  it('keeps a status that says more than common words', () => {
    const refused = new RequestRefusedError(503, 'not allowed now');
    expect(toRequestRefused(refused)).toBe(refused);
    expect(toRequestRefused(new RequestRefusedError(200, 'not allowed'))).toMatchObject({ status: 403 });
  });
});
