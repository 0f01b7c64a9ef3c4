import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readPayload } from '../../../server/peer/transport/answer.ts';
import { PartnerError } from '../../../server/peer/guard/errors.ts';
import { PEER_LIMITS } from '../../../server/peer/guard/limits.ts';
import { readListing } from '../../../server/peer/dialects/listing.ts';
import { readOffer } from '../../../server/peer/dialects/offers.ts';
import { readRecords } from '../../../server/peer/dialects/records.ts';
import type { WireAnswer } from '../../../server/peer/dialects/wire.ts';
import { recordings } from '../../support/partners/recordings.ts';

function wire(status: number, contentType: string, text: string): WireAnswer {
  return {
    status,
    contentType,
    retryAfter: undefined,
    date: undefined,
    body: new TextEncoder().encode(text),
  };
}

/** A recorded answer as our client gets it. */
function read(step: string): unknown {
  const { response } = recordings('server-2022.3').find((each) => each.step === step)!;
  const text = typeof response.body === 'string' ? response.body : JSON.stringify(response.body);
  return readPayload(wire(response.status, response.contentType, text), PEER_LIMITS);
}

describe('what a live server of the 2022.3 line answered, read by our client', () => {
  it('an offered list, with all its columns', () => {
    const { set, nextPage } = readListing(read('structure'));
    const [offer] = set.map((item) => readOffer(item, PEER_LIMITS));
    expect(nextPage).toBeUndefined();
    expect(offer).toMatchObject({
      moduleID: '523396536269406309',
      composeModuleID: '523396524123226213',
      composeNamespaceID: '523396524105859173',
      handle: 'contacts_a',
      name: 'Contacts of A',
    });
    expect(offer?.fields.length).toBeGreaterThan(2);
    expect(offer?.fields.find(({ name }) => name === 'tags')?.isMulti ?? true).toBe(true);
  });

  it('records under text/plain, with repeated names, values without `value` and a cursor', () => {
    for (const step of ['records', 'records, no Accept']) {
      const listing = readListing(read(step));
      expect(listing.nextPage).toMatch(/.+/);
      const { records, bad } = readRecords(listing.set, new Set(['523396524123226213']), PEER_LIMITS);
      expect(bad).toEqual([]);
      expect(records.length).toBe(listing.set.length);
      const [first] = records;
      expect(first).toMatchObject({ recordID: '523396524508643429', createdAt: '2026-11-20T17:57:19Z' });
      expect(first?.updatedAt).toBe(first?.createdAt);
      expect(first?.values.active ?? []).toEqual([]);
      expect(first?.values.name).toEqual(['Contact 000']);
    }
  });

  it.each([
    ['pair', undefined],
    ['confirm', undefined],
    ['handshake, wrong path', undefined],
  ])('%s: success without a payload', (step, expected) => {
    expect(read(step)).toBe(expected);
  });

  it.each([
    ['handshake, wrong secret', 'pairing token invalid'],
    ['handshake, unknown id', 'no longer has an entry for your office'],
    ['expose twice', 'node not unique'],
    ['list without selector', 'request parameters invalid'],
    ['structure without slash', 'Something else answers'],
  ])('%s: a refusal, whatever the status', (step, said) => {
    expect(() => read(step)).toThrow(said);
  });
});

const odd = z.array(
  z.object({
    step: z.string(),
    status: z.number(),
    contentType: z.string(),
    text: z.string(),
    expected: z.string(),
  }),
);
const oddAnswers = odd.parse(
  JSON.parse(readFileSync(new URL('../../fixtures/recordings/odd-answers.json', import.meta.url), 'utf8')),
);

describe('odd answers of live servers', () => {
  it.each(oddAnswers.map((answer) => [answer.step, answer] as const))('%s', (_, answer) => {
    let outcome: string;
    try {
      const { set } = readListing(
        readPayload(wire(answer.status, answer.contentType, answer.text), PEER_LIMITS),
      );
      const { records, bad } = readRecords(set, undefined, PEER_LIMITS);
      outcome = `rows ${records.length}${bad.length > 0 ? ' and bad ones' : ''}`;
    } catch (error) {
      outcome = error instanceof PartnerError ? error.kind : `not a PartnerError: ${String(error)}`;
    }
    expect(outcome).toBe(answer.expected);
  });
});

describe('all recordings beside the project', () => {
  const folder = new URL('../../../../shared/protocol/recordings/', import.meta.url);
  const there = existsSync(folder);
  if (!there) console.log('The recordings are not beside this project: only those kept in it were replayed.');

  it.skipIf(!there)('end in a payload or a typed error, never in anything else', () => {
    let read = 0;
    for (const name of readdirSync(folder).filter((each) => each.endsWith('.http'))) {
      const text = readFileSync(new URL(name, folder), 'utf8');
      for (const part of text.split(/^--- response\n/m).slice(1)) {
        const [, status = '0', head = '', rest = ''] =
          /^HTTP\/1\.1 (\d+)[^\n]*\n([\s\S]*?)\n\n([\s\S]*)/.exec(part) ?? [];
        const body = rest.split(/^### \d+\. /m)[0]?.trim() ?? '';
        const type = /content-type: (.*)/i.exec(head)?.[1] ?? '';
        try {
          readPayload(wire(Number(status), type, body), PEER_LIMITS);
        } catch (error) {
          expect(error, `${name}: ${body.slice(0, 200)}`).toBeInstanceOf(PartnerError);
        }
        read++;
      }
    }
    expect(read).toBeGreaterThan(100);
  });
});
