import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPayload } from '../../../server/peer/transport/answer.ts';
import { PartnerError } from '../../../server/peer/guard/errors.ts';
import { PEER_LIMITS } from '../../../server/peer/guard/limits.ts';

const read = (status: number, body: Uint8Array): unknown =>
  readPayload(
    { status, contentType: 'application/json', retryAfter: undefined, date: undefined, body },
    PEER_LIMITS,
  );

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.json().map((text) => new TextEncoder().encode(text)),
  fc
    .tuple(fc.constantFrom('response', 'error', 'success', '__proto__', 'constructor'), fc.jsonValue())
    .map(([key, value]) => new TextEncoder().encode(`{${JSON.stringify(key)}:${JSON.stringify(value)}}`)),
);

describe('the envelope of a partner’s answer', () => {
  it('H4: of any bytes under any status is data or a typed error, and leaves no trace', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), bytes, (status, body) => {
        try {
          read(status, body);
        } catch (error) {
          expect(error).toBeInstanceOf(PartnerError);
          expect((error as Error).message.length).toBeLessThan(1000);
        }
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it('H4: an answer that is an error is never taken for data', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.jsonValue(),
        fc.integer({ min: 200, max: 299 }),
        (error, response, status) => {
          const body = new TextEncoder().encode(JSON.stringify({ error, response }));
          expect(() => read(status, body)).toThrow(PartnerError);
        },
      ),
    );
  });

  it('gives what stands under `response`, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (response) => {
        const data = read(200, new TextEncoder().encode(JSON.stringify({ response })));
        if (response === null || response === false) expect(data).toBeUndefined();
        else expect(data).toEqual(JSON.parse(JSON.stringify(response)));
      }),
    );
  });
});
