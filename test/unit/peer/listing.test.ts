import { describe, expect, it } from 'vitest';
import { ProtocolViolationError } from '../../../server/peer/guard/errors.ts';
import { PEER_LIMITS } from '../../../server/peer/guard/limits.ts';
import { readLinkedModuleID } from '../../../server/peer/dialects/feed-shapes.ts';
import { pageAfter, parsePageNumber, readListing } from '../../../server/peer/dialects/listing.ts';
import { readOffer } from '../../../server/peer/dialects/offers.ts';
import { candidateBases } from '../../../server/peer/transport/probe.ts';

const rows = (count: number): unknown[] => Array.from({ length: count }, () => ({}));

/** Walks a made-up server of `total` rows and counts what it gave. */
function walk(
  total: number,
  answer: (page: number, perPage: number) => { filter: object; set: unknown[] },
): number {
  let got = 0;
  let next: string | undefined;
  for (let round = 0; round < 50; round++) {
    const asked = parsePageNumber(next, 500);
    const given = answer(asked.page, asked.perPage);
    got += given.set.length;
    next = pageAfter(readListing(given), asked);
    if (next === undefined) return got;
  }
  throw new Error(`no end after ${got} of ${total} rows`);
}

describe('listings by page number', () => {
  it('end where the server says how many there are', () => {
    expect(
      walk(1201, (page) => ({
        filter: { page, perPage: 500, count: 1201 },
        set: rows(page < 3 ? 500 : 201),
      })),
    ).toBe(1201);
  });

  it('go on when the server puts fewer on a page than asked for, and says so', () => {
    expect(
      walk(97, (page) => ({ filter: { page, perPage: 20, count: 97 }, set: rows(page < 5 ? 20 : 17) })),
    ).toBe(97);
  });

  it('go on when it does so without a word', () => {
    expect(
      walk(97, (page) => ({ filter: { count: 97 }, set: rows(page < 5 ? 20 : page === 5 ? 17 : 0) })),
    ).toBe(97);
  });

  it('end when everything comes at once', () => {
    expect(walk(900, () => ({ filter: { count: 900 }, set: rows(900) }))).toBe(900);
  });

  it('go on behind a full page when more rows came than the server counts', () => {
    const given = (page: number): unknown[] => rows(page < 3 ? 500 : 201);
    expect(walk(1201, (page) => ({ filter: { page, perPage: 500, count: 400 }, set: given(page) }))).toBe(
      1201,
    );
  });

  it.each([700, 1000, 1500])('go on behind a full page where the count is that of the page: %i', (total) => {
    const given = (page: number): unknown[] => rows(Math.max(0, Math.min(500, total - (page - 1) * 500)));
    const answer = (page: number): { filter: object; set: unknown[] } => ({
      filter: { page, perPage: 500, count: given(page).length },
      set: given(page),
    });
    expect(walk(total, answer)).toBe(total);
  });

  it('end on a page that was asked for in case there is one', () => {
    const full = readListing({ filter: { page: 1, perPage: 500, count: 500 }, set: rows(500) });
    const next = pageAfter(full, parsePageNumber(undefined, 500));
    const extra = parsePageNumber(next, 500);
    expect(extra).toEqual({ page: 2, perPage: 500, isExtra: true });
    expect(pageAfter(full, extra)).toBeUndefined();
    expect(pageAfter(readListing({ filter: { count: 800 }, set: [] }), extra)).toBeUndefined();
  });

  it('end without a count on the first page that is not full', () => {
    expect(walk(700, (page) => ({ filter: {}, set: rows(page === 1 ? 500 : 200) }))).toBe(700);
  });

  it('H3: another page than the one asked for is a fault', () => {
    const listing = readListing({ filter: { page: 1, perPage: 20, count: 97 }, set: rows(20) });
    expect(() => pageAfter(listing, { page: 2, perPage: 20, isExtra: false })).toThrow(
      ProtocolViolationError,
    );
  });

  it('H3: nothing on a page that has to hold something is a fault, not the end', () => {
    const none = readListing({ filter: { page: 2, perPage: 500, count: 3000 }, set: [] });
    expect(() => pageAfter(none, { page: 2, perPage: 500, isExtra: false })).toThrow(ProtocolViolationError);
    const gone = readListing({ filter: { page: 3, perPage: 500, count: 1000 }, set: [] });
    expect(pageAfter(gone, { page: 3, perPage: 500, isExtra: false })).toBeUndefined();
  });

  it('are empty when a live server says null, and only then', () => {
    expect(readListing({ filter: {}, set: null }).set).toEqual([]);
    expect(readListing({ set: [] }).set).toEqual([]);
  });

  it.each([[undefined], [{}], [{ filter: {} }], [{ set: 'x' }], [{ set: false }], ['']])(
    'H10: %j tells of no rows and of no lists, not even that there are none',
    (data) => {
      expect(() => readListing(data)).toThrow(ProtocolViolationError);
    },
  );
});

describe('change links', () => {
  it.each([
    'https://a.example/federation/exposed/modules/42?after=1600109447',
    '/nodes/1/modules/42/records/',
    'https://evil.example/federation/exposed/records/42?after=1',
    '/federation/exposed/modules/42/records',
  ])('give the list’s id, whatever else they say: %s', (href) => {
    expect(readLinkedModuleID({ type: 'GET', rel: 'Account', href })).toBe('42');
  });

  it('without a list are a fault', () => {
    expect(() => readLinkedModuleID({ href: 'https://evil.example/etc/passwd' })).toThrow(
      ProtocolViolationError,
    );
    expect(() => readLinkedModuleID({})).toThrow(ProtocolViolationError);
  });
});

describe('offered lists', () => {
  const base = { moduleID: '5', handle: 'Account', name: 'Account' };

  it.each([
    [{ isMulti: true }, true],
    [{ isMulti: 1 }, true],
    [{ is_multi: true }, true],
    [{ is_multi: 1 }, true],
    [{ isMulti: 0 }, false],
    [{}, false],
  ])('read the multi-value flag %j', (flag, expected) => {
    const offer = readOffer(
      { ...base, fields: [{ kind: 'Url', name: 'LinkedIn', label: 'L', ...flag }] },
      PEER_LIMITS,
    );
    expect(offer.fields).toEqual([{ kind: 'Url', name: 'LinkedIn', label: 'L', isMulti: expected }]);
  });

  it('have marks of their columns where these were asked for, each its own one', () => {
    const read = (marks: readonly unknown[], isMarked?: boolean): unknown[] => {
      const fields = marks.map((mark, at) => ({ kind: 'String', name: `Spalte ${at}`, mark }));
      const offer = readOffer({ moduleID: '42', fields }, PEER_LIMITS, isMarked);
      return offer.fields.map((column) => column.mark);
    };
    const marks = ['Hq3_x-77Lk0aa91Zb2cd4e', 'mB5t8Wq-0_rYc2Vn6Xz1aa'];
    expect(read(marks, true)).toEqual(marks);
    expect(read([undefined, null, marks[0]], true)).toEqual([undefined, undefined, marks[0]]);
    expect(read([7, ...marks])).toEqual([undefined, undefined, undefined]);
    for (const wrong of [[7], ['short'], ['x'.repeat(65)], [marks[0], marks[0]]])
      expect(() => read(wrong, true)).toThrow(ProtocolViolationError);
  });

  it('take kinds that we do not know as text', () => {
    expect(readOffer({ ...base, fields: [{ kind: 'Hologram', name: 'x' }] }, PEER_LIMITS).fields[0]).toEqual({
      kind: 'String',
      name: 'x',
      label: 'x',
      isMulti: false,
    });
  });

  it('H5: refuse a numeric id; H2: refuse 501 columns', () => {
    expect(() => readOffer({ ...base, moduleID: 5 }, PEER_LIMITS)).toThrow(ProtocolViolationError);
    const fields = Array.from({ length: 501 }, (_, i) => ({ kind: 'String', name: `f${i}` }));
    expect(() => readOffer({ ...base, fields }, PEER_LIMITS)).toThrow('too many columns');
    expect(() => readOffer({ ...base, fields: fields.map(() => 5) }, PEER_LIMITS)).toThrow(
      'too many columns',
    );
    expect(() => readOffer({ ...base, fields: [5] }, PEER_LIMITS)).toThrow('“fields.0”');
  });
});

describe('federation bases to try', () => {
  it.each([
    ['https://a.example', ['https://a.example/federation', 'https://a.example/api/federation']],
    ['https://a.example/api/', ['https://a.example/api/federation', 'https://a.example/federation']],
    [
      'https://a.example/api/federation',
      [
        'https://a.example/api/federation',
        'https://a.example/api/federation/federation',
        'https://a.example/federation',
      ],
    ],
  ])('for %s', (given, expected) => {
    expect(candidateBases(given)).toEqual(expected);
  });
});
