import { describe, expect, it } from 'vitest';
import { createOpaqueCursors } from '../../../server/base/opaque-cursors.ts';
import {
  PartnerUnreachableError,
  ProtocolViolationError,
  RequestRefusedError,
  NextPageTooLargeError,
} from '../../../server/peer/guard/errors.ts';
import type { FootbridgeCalls } from '../../../server/peer/dialects/footbridge.ts';
import type { ChangesPage, ChangesRange, PageRows } from '../../../server/peer/remote.ts';
import { fetchFeedPages } from '../../../server/sync/pull/feed-pages.ts';
import type { IncomingRow } from '../../../server/lists/definitions/model.ts';
import type { PulledPage } from '../../../server/sync/pull/pages.ts';
import { said } from '../../../server/words/said.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';

/** A partner with so many changes, of which one page at most holds `largest`; tells what it was asked for. */
function partner(
  changes: number,
  { largest = Infinity, answer = (page: ChangesPage) => page } = {},
): {
  calls: FootbridgeCalls;
  asked: ChangesRange[];
  /** How many questions were open at the same time, at most. */
  mostOpen: () => number;
} {
  const asked: ChangesRange[] = [];
  let open = 0;
  let mostOpen = 0;
  const calls = {
    async changes(_: string, range: ChangesRange): Promise<ChangesPage> {
      asked.push(range);
      mostOpen = Math.max(mostOpen, ++open);
      await new Promise((resolve) => setImmediate(resolve));
      open--;
      const { after, limit, until = after + limit, marks = 0 } = range;
      const next = Math.min(until, after + limit, after + largest, changes);
      const records = Array.from({ length: next - after }, (_, at) => ({
        recordID: String(after + at + 1),
        createdAt: '2026-01-01T00:00:00Z',
        updatedAt: '2026-01-01T00:00:00Z',
        values: {},
      }));
      const ends = Array.from({ length: marks }, (_, at) => next + (at + 1) * limit);
      return answer({
        rows: rowsOf(records),
        epoch: 'one',
        next,
        more: next < changes,
        marks: ends.filter((end) => end <= changes),
        total: changes - after,
        bytes: 1,
      });
    },
  };
  // Nothing else is asked for by a pull.
  return { calls: calls as unknown as FootbridgeCalls, asked, mostOpen: () => mostOpen };
}

function rowsOf(records: IncomingRow[]): PageRows {
  return {
    release: () => undefined,
    // eslint-disable-next-line @typescript-eslint/require-await -- all of them are there
    async *[Symbol.asyncIterator]() {
      yield { records, bad: [], letters: 0, isLast: true };
    },
  };
}

const context = {
  checkpoint: { nodeID: '1', sharedModuleID: '2', choice: 'x' },
  clock: manualClock(),
  signal: new AbortController().signal,
};

async function read(calls: FootbridgeCalls): Promise<{ ids: string[]; pages: PulledPage[] }> {
  const pages: PulledPage[] = [];
  for await (const page of fetchFeedPages(calls, { moduleID: '7', columns: undefined }, context))
    pages.push(page);
  return { ids: pages.flatMap(({ records }) => records.map(({ recordID }) => recordID)), pages };
}

const upTo = (count: number): string[] => Array.from({ length: count }, (_, at) => String(at + 1));

describe('the pages of a change feed', () => {
  it('are asked for several at once, and come in order, each row once', async () => {
    const { calls, asked, mostOpen } = partner(6500);
    const { ids, pages } = await read(calls);
    expect(ids).toEqual(upTo(6500));
    expect(mostOpen()).toBeGreaterThan(1);
    expect(mostOpen()).toBeLessThan(5);
    expect(asked).toHaveLength(pages.length);
    expect(pages.map(({ checkpoint }) => checkpoint?.feed?.after)).toEqual(
      [...pages.keys()].map((at) => Math.min((at + 1) * 500, 6500)),
    );
    expect(pages.at(-1)?.last).toBe(true);
    expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([6500]));
  });

  it('are larger once the partner sends row groups quickly, and small again on a slow line', async () => {
    const clock = manualClock();
    const asked: number[] = [];
    const { calls } = partner(12_500, { answer: (page) => ({ ...page, grouped: true }) });
    const changes: FootbridgeCalls['changes'] = async (moduleID, range) => {
      asked.push(range.limit);
      const page = await calls.changes(moduleID, range);
      if (range.after >= 8000) clock.advance(2500);
      return page;
    };
    const sizes: number[] = [];
    const pages = fetchFeedPages(
      { ...calls, changes },
      { moduleID: '7', columns: undefined },
      { ...context, clock },
    );
    for await (const { records } of pages) sizes.push(records.length);
    expect(sizes.reduce((sum, each) => sum + each, 0)).toBe(12_500);
    expect(sizes[0]).toBe(500);
    expect(sizes.slice(3, 5)).toEqual([2000, 2000]);
    expect(asked.at(-1)).toBe(500);
    expect(sizes.at(-1)).toBe(500);
  });

  it('are not taken for those of another list, whose answer came in place of one of theirs', async () => {
    const { calls, asked } = partner(6500, {
      answer: (page) => (asked.length > 3 ? { ...page, epoch: 'of another list' } : page),
    });
    const ids: string[] = [];
    const reading = (async () => {
      for await (const page of fetchFeedPages(calls, { moduleID: '7', columns: undefined }, context))
        ids.push(...page.records.map(({ recordID }) => recordID));
    })();
    await expect(reading).rejects.toThrow('its change feed answers for another list.');
    expect(ids).toEqual(upTo(ids.length));
    expect(ids.length).toBeLessThan(2500);
  });

  it('never counts more rows than at the start, whatever is still to come by the number of changes', async () => {
    const tells = (page: ChangesPage): ChangesPage => ({
      ...page,
      total: page.total === 6500 ? 6500 : (page.total ?? 0) + 39,
    });
    const { pages } = await read(partner(6500, { answer: tells }).calls);
    expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([6500]));
  });

  it('are asked for again at their turn when they are too large to be taken in ahead of it', async () => {
    const { calls, asked } = partner(6500, {
      answer(page) {
        if (asked.at(-1)?.isAhead === true) throw new NextPageTooLargeError();
        return page;
      },
    });
    expect((await read(calls)).ids).toEqual(upTo(6500));
  });

  it('are asked for once more, and no other page, when the connection is cut in the middle of one', async () => {
    const cuts = new Set([3, 4]);
    const { calls, asked } = partner(6500, {
      answer(page) {
        if (cuts.delete(asked.length)) throw new PartnerUnreachableError('cut', said('peer.cut'));
        return page;
      },
    });
    expect((await read(calls)).ids).toEqual(upTo(6500));
    const texts = asked.map(({ after, until, limit }) => `${after} ${until} ${limit}`);
    expect(texts.length - new Set(texts).size).toBe(2);
  });

  it('end with the failure of a page that is cut again', async () => {
    const { calls, asked } = partner(6500, {
      answer(page) {
        if (asked.length > 2) throw new PartnerUnreachableError('cut', said('peer.cut'));
        return page;
      },
    });
    await expect(read(calls)).rejects.toMatchObject({ why: 'cut' });
  });

  it('stay small where the connection is cut within each large one, as by a relay', async () => {
    const { calls, asked } = partner(12_500, { answer: (page) => ({ ...page, grouped: true }) });
    const changes: FootbridgeCalls['changes'] = async (moduleID, range) => {
      const page = await calls.changes(moduleID, range);
      if (range.limit > 500) throw new PartnerUnreachableError('cut', said('peer.cut'));
      return page;
    };
    expect((await read({ ...calls, changes })).ids).toEqual(upTo(12_500));
    expect(asked.filter(({ limit }) => limit > 500).length).toBeLessThan(5);
  });

  it('leave no gap where the partner cuts a page short', async () => {
    const { calls } = partner(6500, { largest: 90 });
    expect((await read(calls)).ids).toEqual(upTo(6500));
  });

  it('are read one after the other from a partner that does not name them', async () => {
    const { calls, mostOpen } = partner(6500, { answer: (page) => ({ ...page, marks: [] }) });
    expect((await read(calls)).ids).toEqual(upTo(6500));
    expect(mostOpen()).toBe(1);
  });

  it('are read one after the other where they are large', async () => {
    const { calls, mostOpen } = partner(6500, { answer: (page) => ({ ...page, bytes: 5_000_000 }) });
    expect((await read(calls)).ids).toEqual(upTo(6500));
    expect(mostOpen()).toBe(1);
  });

  it('come whole and in order from a partner whose marks are far too high', async () => {
    const { calls, mostOpen } = partner(6500, { answer: (page) => ({ ...page, marks: [1e15] }) });
    expect((await read(calls)).ids).toEqual(upTo(6500));
    expect(mostOpen()).toBeLessThan(5);
  });

  it('come whole and in order by places that tell nothing of which is the later one', async () => {
    const { encrypt, decrypt } = createOpaqueCursors(Buffer.alloc(32, 'key of the partner'));
    const { calls, mostOpen } = partner(6500);
    const sealing = {
      async changes(moduleID: string, { after, until, ...range }: ChangesRange): Promise<ChangesPage> {
        const behind = {
          ...range,
          after: decrypt(after),
          ...(until === undefined ? {} : { until: decrypt(until) }),
        };
        const page = await calls.changes(moduleID, behind);
        return { ...page, next: encrypt(page.next), marks: page.marks.map(encrypt) };
      },
    } as unknown as FootbridgeCalls;
    const { ids, pages } = await read(sealing);
    expect(ids).toEqual(upTo(6500));
    expect(mostOpen()).toBeGreaterThan(1);
    expect(pages).toHaveLength(13);
  });

  it.each([
    ['backwards', [900, 700, 500, 300]],
    ['all the same', [1, 1, 1, 1]],
    ['always the same few', Array.from({ length: 8 }, (_, at) => 251 + at)],
  ])('end soon, with the partner to blame, where its marks are %s', async (_, marks) => {
    const { calls, asked, mostOpen } = partner(6500, { answer: (page) => ({ ...page, marks }) });
    await expect(read(calls)).rejects.toThrow(ProtocolViolationError);
    expect(asked.length).toBeLessThan(40);
    expect(mostOpen()).toBeLessThan(5);
  });

  it('start over once when the partner counts anew in the middle', async () => {
    let asked = 0;
    const { calls } = partner(6500, {
      answer(page) {
        if (++asked === 4) throw new RequestRefusedError(409, 'start over', 'feed.epoch');
        return { ...page, epoch: asked < 4 ? 'one' : 'two' };
      },
    });
    const { ids, pages } = await read(calls);
    expect(new Set(ids)).toEqual(new Set(upTo(6500)));
    expect(pages.at(-1)).toMatchObject({ resync: 'rearranged', last: true });
  });

  it('end with the failure of the page that is due, and no other failure is left unheard', async () => {
    let asked = 0;
    const { calls } = partner(6500, {
      answer(page) {
        if (++asked > 3) throw new RequestRefusedError(500, 'broken');
        return page;
      },
    });
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { records } of fetchFeedPages(calls, { moduleID: '7', columns: undefined }, context))
        seen.push(...records.map(({ recordID }) => recordID));
    })();
    await expect(reading).rejects.toThrow(RequestRefusedError);
    expect(seen).toEqual(upTo(1500));
  });
});
