import { describe, expect, it } from 'vitest';
import { syncStatus } from '../../../server/contract/wire/sync-status.ts';
import { english } from '../../../server/words/said.ts';
import { STATES, STATES as APP_STATES, type Line } from '../../../server/base/vocabulary.ts';
import {
  deriveState,
  worstState,
  withDataMissing,
  type NamedState,
} from '../../../server/sync/status/state.ts';
import type { PartnerFacts } from '../../../server/sync/status/partner-facts.ts';
import {
  ago,
  connections,
  fresh,
  old,
  problem,
  QUIET,
  TROUBLES,
  troubleSets,
  well,
} from '../../support/data/partner-facts.ts';

/** Whether both sides are equal as far as these facts tell: said once more, in another way than the rules do. */
function isWell(facts: PartnerFacts): boolean {
  const { status, problem: failed, paused, closed, running, callsUs, matched, sharing } = facts;
  const asks = !callsUs || matched > 0;
  const isTakenIn = facts.heard?.fresh === true && facts.complete?.fresh === true && facts.unpulled === 0;
  const isAskedFor = facts.asked?.fresh === true;
  const { waiting, untold, held, apart, undecided, parked = 0, unsent = 0 } = sharing ?? QUIET;
  const amiss = [facts.reviews, facts.couldNotApply, facts.keptRows, facts.differing, facts.withdrawn.length];
  const undone = [facts.parked, facts.newOffers, waiting, untold, held, apart, undecided, parked, unsent];
  return (
    status === 'paired' &&
    !failed &&
    !paused &&
    !closed &&
    !running &&
    (!asks || isTakenIn) &&
    // What a Footbridge shares that nobody can call is not known.
    !(callsUs && facts.hasWords === true && facts.heard?.fresh !== true) &&
    (!(sharing !== undefined || callsUs) || isAskedFor) &&
    [...amiss, ...undone].every((number) => number === 0) &&
    facts.unwritable === undefined &&
    facts.listProblem === undefined &&
    facts.endsIn === undefined &&
    facts.stalledMs === undefined &&
    facts.unreadSince === undefined
  );
}

const told = (facts: PartnerFacts): string[] => {
  const { reason, also } = deriveState(facts);
  return [reason, ...also].map(english);
};

/** Every combination takes its time on a busy machine. */
const LONG = 300_000;

describe('the state of a partner', { timeout: LONG }, () => {
  it('tells rows whose data went back there once, beside those that were removed there', () => {
    const back = { ...well, reviews: 1, wentBack: 6 };
    expect(told({ ...back, heldRows: 6 }).filter((sentence) => sentence.includes('6 rows'))).toHaveLength(1);
    expect(told({ ...back, heldRows: 8 }).join(' ')).toMatch(/6 rows.* 2 rows/);
  });

  it('is up to date in no combination of facts about the connection but those in which all is well', () => {
    let seen = 0;
    let good = 0;
    for (const facts of connections()) {
      const { state } = deriveState(facts);
      if ((state === 'up-to-date') !== isWell(facts))
        expect(state, JSON.stringify(facts)).toBe(isWell(facts) ? 'up-to-date' : 'anything else');
      seen++;
      if (state === 'up-to-date') good++;
    }
    expect(seen).toBeGreaterThan(100_000);
    expect(good).toBeGreaterThan(10);
  });

  it('is never up to date with any combination of things that are amiss, and says each of them', () => {
    const situations = [well, { ...well, running: true, heard: old, problem: problem('unreachable') }];
    for (const situation of situations) {
      for (const { facts, sentences } of troubleSets(situation)) {
        const { state } = deriveState(facts);
        if ((state === 'up-to-date') !== isWell(facts))
          expect(state, JSON.stringify(facts)).toBe(isWell(facts) ? 'up-to-date' : 'anything else');
        const said = told(facts);
        for (const sentence of sentences)
          if (!said.some((text) => sentence.test(text)))
            expect(said, JSON.stringify(facts)).toContain(sentence);
      }
    }
  });

  it('never sends the user to the other office while it is this computer whose disk takes nothing', () => {
    const full = { ...well, unwritable: 'full', problem: problem('store') } as const;
    const said = told({ ...full, sharing: { ...QUIET, waiting: 3, untaken: true } });
    expect(said[0]).toMatch(/^The disk of this computer is full: .* Make room on it\.$/);
    expect(said.join(' ')).not.toMatch(/don’t arrive|Ask them|told: store/);
  });

  it('owes us no word while it has paused, nor while we let it read nothing', () => {
    const unheard = { ...well, heard: old, asked: old };
    const paused = { ...unheard, problem: problem('paused') };
    expect(told(paused)).toEqual([expect.stringMatching(/^Berlin has paused/)]);
    expect(told({ ...well, asked: old, closed: {}, sharing: { ...QUIET, waiting: 5 } })).toEqual([
      expect.stringMatching(/^Berlin can’t read what you share/),
    ]);
    expect(told(unheard)).toEqual([
      expect.stringMatching(/^No answer from Berlin/),
      expect.stringMatching(/^Berlin last checked/),
    ]);
  });

  it('says once of a partner that is away that nothing comes, and not that its changes are got, while it is tried', () => {
    const tried = { ...well, running: true, stalledMs: 5_000, heard: old };
    expect(told(tried)).toEqual([expect.stringMatching(/^No answer from Berlin since/)]);
    expect(deriveState(tried)).toMatchObject({ state: 'offline', cause: 'silent' });
    expect(told({ ...tried, heard: fresh })).toEqual([
      expect.stringMatching(/^Nothing has come from Berlin/),
    ]);
    expect(told({ ...tried, heard: fresh, stalledMs: undefined })).toEqual(['Getting changes from Berlin.']);
    for (const heard of [fresh, old]) {
      const searching = { ...tried, heard, isSearching: true };
      expect(told(searching)).toEqual(['Checking the connection to Berlin.']);
      expect(deriveState(searching)).toMatchObject({ state: 'syncing' });
      const reached = { ...tried, heard, isReached: true };
      expect(told(reached)).toEqual(['Berlin can be reached but has sent nothing for 5 seconds.']);
      expect(deriveState(reached)).toMatchObject({ state: 'syncing' });
    }
  });

  it('says of a Footbridge that answers but no longer asks that it may not reach us, not that it is away', () => {
    const lost = { ...well, hasWords: true, asked: old };
    expect(told(lost)).toEqual([
      expect.stringMatching(/^Berlin answers, but hasn’t asked for your changes since .*\. Ask them whether/),
    ]);
    expect(told({ ...lost, sharing: { ...QUIET, waiting: 1 } })).toEqual([
      expect.stringMatching(/^Berlin answers, .* since .*: 1 change waits for them\. Ask them whether/),
    ]);
    expect(told({ ...lost, problem: problem('unreachable') })).toContainEqual(
      expect.stringMatching(/^Berlin last checked/),
    );
  });

  it('says once of a partner that is away that changes wait for it, and not that they are on their way', () => {
    const away = { ...well, asked: old, sharing: { ...QUIET, waiting: 1 } };
    expect(told(away)).toEqual([
      expect.stringMatching(/^Berlin last checked at .*: 1 change waits for them\.$/),
    ]);
    const troubled = { ...away, problem: problem('unreachable') };
    expect(told(troubled).filter((text) => text.includes('1 change'))).toHaveLength(1);
  });

  it('names clocks that differ beside whatever else is the case, and makes no state of it', () => {
    const clock = { ahead: -3_600_000, ours: false };
    expect(deriveState({ ...well, clock }).state).toBe('up-to-date');
    expect(told({ ...well, clock }).slice(1)).toEqual([
      expect.stringMatching(/^The two clocks differ by 60 minutes: .*, and Berlin says .*\.$/),
    ]);
    const offline = told({ ...well, problem: problem('unreachable'), clock: { ...clock, ours: true } });
    expect(offline).toEqual(['told: unreachable', expect.stringMatching(/^This computer’s clock differs/)]);
    expect(told({ ...well, status: 'unpaired', clock })).toHaveLength(1);
  });

  it('does not say of a program that answers wrongly that it gives no answer', () => {
    const facts = { ...well, heard: old, problem: problem('unreachable') };
    expect(told(facts).slice(0, 2)).toEqual([
      'told: unreachable',
      expect.stringMatching(/^Berlin last answered at .*\d/),
    ]);
    expect(told({ ...facts, heard: undefined }).join(' ')).not.toMatch(/answer/);
    for (const kind of ['refused', 'faulty'] as const)
      expect(told({ ...facts, problem: problem(kind) })).toContainEqual(
        expect.stringMatching(/^Berlin last answered at .*\d/),
      );
  });

  it('calls a live server that still asks, or still answers, neither offline nor unconnected', () => {
    const live = { ...well, hasWords: false, isLive: true, sharing: { ...QUIET, waiting: 1 } };
    const reading = { ...live, heard: old, problem: problem('unreachable') };
    expect(deriveState(reading)).toMatchObject({ state: 'error', cause: 'unreachable', partly: true });
    expect(deriveState({ ...reading, asked: old })).toMatchObject({ state: 'offline', line: 'silent' });
    expect(deriveState({ ...reading, asked: old })).not.toHaveProperty('partly');
    const quiet = { ...live, asked: old };
    expect(deriveState(quiet)).toMatchObject({ state: 'needs-you', cause: 'not-asking', partly: true });
    expect(told(quiet)[0]).toMatch(/^Berlin answers, but hasn’t asked .* Ask their administrator/);
    expect(deriveState({ ...live, sharing: QUIET })).not.toHaveProperty('partly');
  });

  it('does not count a contact before the network went away as one', () => {
    const before = { ...well, heard: fresh, asked: fresh };
    const unplugged = { ...before, problem: { ...problem('unreachable'), since: ago(0) } };
    expect(deriveState(unplugged)).toMatchObject({ state: 'offline', line: 'silent' });
    expect(deriveState(unplugged)).not.toHaveProperty('partly');
    const standing = { ...before, running: true, stalledMs: 20_000 };
    expect(deriveState(standing)).toMatchObject({ state: 'offline', cause: 'stands-still' });
    expect(deriveState({ ...standing, now: standing.now + 40_000 })).not.toHaveProperty('partly');
  });

  it('says before columns that are not sent that nothing comes, and no word that the partner has all', () => {
    const facts = { ...well, sharing: { ...QUIET, unsent: 1 } };
    const away = { ...facts, heard: old, asked: old, problem: problem('unreachable') };
    expect(deriveState(away)).toMatchObject({ state: 'offline', cause: 'unreachable' });
    expect(told(away)).toContainEqual(expect.stringMatching(/^Berlin doesn’t get 1 column/));
    expect(told(away).join(' ')).not.toMatch(/has everything/);
  });

  it.each(TROUBLES.flatMap(([name, { sharing }]) => (sharing ? [[name, sharing] as const] : [])))(
    'is described to scripts where %s',
    (_, sharing) => {
      expect(syncStatus.shape.sharing.unwrap().strict().parse(sharing)).toEqual(sharing);
    },
  );

  it('says before rows that were kept that nothing comes from the partner any more', () => {
    const facts = { ...well, keptRows: 113, heard: old, problem: problem('unreachable') };
    expect(deriveState(facts)).toMatchObject({ state: 'offline', cause: 'unreachable' });
    expect(told(facts)).toContainEqual(expect.stringMatching(/^You kept 113 rows/));
  });

  it('names rows that a user changed or removed on purpose beside whatever is the case, on both sides', () => {
    const changed = { ...well, changedHere: 2, sharing: { ...QUIET, changed: 1 } };
    expect(deriveState(changed).state).toBe('up-to-date');
    expect(told(changed).slice(1)).toEqual([
      'You changed 2 rows from Berlin: your values stay.',
      'Berlin keeps its own version of 1 row.',
    ]);
    expect(told({ ...changed, problem: problem('unreachable') })).toHaveLength(3);
    expect(deriveState({ ...changed, settledRows: 34 }).state).toBe('up-to-date');
    expect(told({ ...changed, settledRows: 34 })).toContain(
      'You keep 34 rows that Berlin removed or emptied.',
    );
    expect(told({ ...changed, status: 'unpaired' })).toHaveLength(1);
    expect(told({ ...changed, status: 'unpaired', problem: problem('ended') })).toHaveLength(1);
  });

  it.each<[string, Partial<PartnerFacts>, Line]>([
    ['all is well', {}, 'open'],
    ['a list is offered', { newOffers: 1 }, 'open'],
    ['it has not chosen yet where to put a list', { sharing: { ...QUIET, undecided: 1 } }, 'open'],
    ['changes are on their way', { sharing: { ...QUIET, waiting: 3 } }, 'open'],
    ['it does not answer', { problem: problem('unreachable') }, 'silent'],
    ['it does not answer, and something waits here', { problem: problem('busy'), newOffers: 2 }, 'silent'],
    ['it has not asked for long', { asked: old }, 'silent'],
    ['it does not know us any more', { problem: problem('ended') }, 'silent'],
    ['the connection has ended', { status: 'unpaired' }, 'silent'],
    ['it sends what it must not', { problem: problem('faulty'), paused: {} }, 'failed'],
    ['the disk is full', { unwritable: 'full' }, 'failed'],
    ['we paused', { paused: {} }, 'paused'],
    ['it paused', { problem: problem('paused') }, 'paused'],
    ['it may not read', { closed: {}, newOffers: 1 }, 'paused'],
    ['it asks to connect', { status: 'pair_requested' }, 'none'],
    ['its invite waits', { status: 'pending', problem: undefined }, 'none'],
    ['pairing failed', { status: 'failed' }, 'none'],
  ])('has a way of its own to the partner where %s', (_, change, line) => {
    expect(deriveState({ ...well, ...change }).line).toBe(line);
  });

  it('has an open way only to a partner that was heard of lately, and to each with which all is well', () => {
    for (const facts of connections()) {
      const { line, state } = deriveState(facts);
      const isHeardOf = facts.heard?.fresh === true || facts.asked?.fresh === true;
      const isTrue =
        line === 'open' ? isHeardOf && !['error', 'paused'].includes(state) : state !== 'up-to-date';
      if (!isTrue) expect(line, JSON.stringify(facts)).toBe('another');
    }
  });

  it.each(TROUBLES)('has words of its own for it: %s', (_, change, state, sentence) => {
    const derived = deriveState({ ...well, ...change });
    expect(derived.state).toBe(state);
    expect(english(derived.reason)).toMatch(sentence);
    const sentences = TROUBLES.map(([, each]) => english(deriveState({ ...well, ...each }).reason));
    expect(sentences.filter((text) => text === english(derived.reason))).toHaveLength(1);
  });

  it('says of one that asks to connect anew that it asks, before that the connection had ended', () => {
    const asks = { ...well, status: 'pair_requested', role: 'inviter', problem: problem('ended') } as const;
    expect(told(asks)).toEqual([expect.stringMatching(/^Berlin asks to connect/), 'told: ended']);
  });

  it('names both causes and cures where a Corteza server does not import a list', () => {
    const sharing = { ...QUIET, undecided: 2 };
    expect(told({ ...well, sharing })[0]).toBe('Berlin hasn’t chosen yet where to put 2 lists.');
    expect(told({ ...well, sharing, isLive: true })[0]).toBe(
      'Berlin doesn’t import 2 lists. Ask their administrator to map them. If they are mapped there already, share them again.',
    );
  });

  it('says what being up to date comes to, in each direction', () => {
    const words = (facts: Partial<PartnerFacts>): string =>
      english(deriveState({ ...well, ...facts }).reason);
    expect(words({})).toBe('Everything has arrived, and Berlin has everything that you share with them.');
    expect(words({ sharing: undefined })).toBe('Everything has arrived.');
    expect(words({ matched: 0 })).toBe('Berlin has everything that you share with them.');
    expect(words({ matched: 0, sharing: undefined })).toBe(
      'Connected with Berlin. Nothing is shared in either direction.',
    );
  });

  it.each(['untold', 'undecided', 'held', 'apart'] as const)(
    'does not say of one that stopped asking that it has everything: %s',
    (what) => {
      const [reason = ''] = told({ ...well, asked: old, sharing: { ...QUIET, [what]: 2 } });
      expect(reason).toMatch(/^Berlin last checked at [^,]*\.$/);
    },
  );

  it('has the same words as the window', () => {
    expect(STATES).toEqual(APP_STATES);
  });
});

describe('the state of all partners', () => {
  const named = (facts: Partial<PartnerFacts>): NamedState => {
    const all = { ...well, ...facts };
    return { ...deriveState(all), name: all.name, connected: all.status === 'paired' };
  };
  const said = (...partners: NamedState[]): [string, string] => {
    const { state, reason } = worstState(partners);
    return [state, english(reason)];
  };

  it('is the worst of them, with its name where the sentence does not say it', () => {
    const berlin = named({ problem: problem('unreachable') });
    const rome = named({ name: 'Rome', problem: problem('faulty') });
    const bern = named({ name: 'Bern', newOffers: 2 });
    expect(said(berlin, rome, bern)).toEqual(['error', 'Rome: told: faulty']);
    expect(said(berlin, bern)).toEqual(['needs-you', 'Bern offers 2 lists. Choose where to put them.']);
    expect(said(berlin)).toEqual(['offline', 'told: unreachable']);
  });

  it('names no partner where it is the disk of this computer', () => {
    const all = [named({ unwritable: 'full' }), named({ name: 'Rome', unwritable: 'full' })];
    expect(said(...all)).toEqual(['error', expect.stringMatching(/^The disk of this computer is full/)]);
  });

  it('asks for a look at data that may be missing, whatever the partners say, and takes nothing worse away', () => {
    const rome = named({ name: 'Rome' });
    const missing = expect.stringMatching(/may be missing/) as string;
    for (const [partners, state] of [
      [[], 'needs-you'],
      [[rome], 'needs-you'],
      [[rome, named({ problem: problem('unreachable') })], 'needs-you'],
      [[rome, named({ newOffers: 2 })], 'needs-you'],
      [[rome, named({ problem: problem('faulty') })], 'error'],
    ] as const) {
      const worst = worstState(partners);
      const lacking = withDataMissing(worst);
      expect([lacking.state, lacking.awaited]).toEqual([state, false]);
      expect([lacking.reason, ...lacking.also].map(english)).toEqual(
        expect.arrayContaining([english(worst.reason), missing]),
      );
    }
  });

  it('says only that it is connected where no list goes either way, of all only where of none one does', () => {
    const [idle, other] = [
      named({ matched: 0, sharing: undefined }),
      named({ name: 'Oslo', matched: 0, sharing: undefined }),
    ];
    expect(deriveState(well).idle).toBeUndefined();
    expect(deriveState({ ...well, matched: 0, sharing: undefined })).toMatchObject({ idle: true });
    expect(worstState([idle])).toMatchObject({ idle: true });
    expect(worstState([idle, other])).toMatchObject({ state: 'up-to-date', idle: true });
    expect(said(idle, other)[1]).toBe('Connected. Nothing is shared in either direction.');
    expect(worstState([idle, named({ name: 'Rome' })]).idle).toBeUndefined();
    expect(said(idle, named({ name: 'Rome' }))[1]).toBe('All partners are up to date.');
  });

  it('is up to date only where somebody is connected, and everybody is', () => {
    const oslo = named({ name: 'Oslo', status: 'pending' });
    const rome = named({ name: 'Rome' });
    expect(worstState([])).toMatchObject({ state: 'offline', awaited: true });
    expect(worstState([oslo])).toMatchObject({ state: 'offline', awaited: true });
    expect(said(oslo, rome)[0]).toBe('up-to-date');
    const asks = named({ name: 'Oslo', status: 'pair_requested', role: 'inviter' });
    expect(said(rome, asks)[0]).toBe('needs-you');
    expect(said(rome, named({}))).toEqual(['up-to-date', 'All partners are up to date.']);
    expect(said(rome, named({ heard: old }))[0]).toBe('offline');
    expect(said(rome, named({ sharing: { ...QUIET, held: 3 } }))[0]).toBe('offline');
    expect(said(named({ complete: fresh }))[0]).toBe('up-to-date');
  });
});

describe('a partner that calls while our calls fail', () => {
  const calling: PartnerFacts = { ...well, hasWords: true, heard: old, problem: problem('unreachable') };
  const cut = 'You can send to Berlin but not receive: nobody can reach them';

  it('cannot be called, if it called after ours began to fail', () => {
    expect(english(deriveState(calling).reason)).toContain(cut);
    expect(deriveState(calling).state).toBe('needs-you');
  });

  it.each<[string, Partial<PartnerFacts>]>([
    ['it last called before', { asked: { ...fresh, at: ago(61) } }],
    ['it calls no more', { asked: old }],
    ['it answers again', { heard: fresh }],
    ['it refuses our calls', { problem: problem('refused') }],
    ['it is no Footbridge', { hasWords: false }],
  ])('may be called, as far as we know, if %s', (_, others) => {
    expect(told({ ...calling, ...others }).filter((sentence) => sentence.startsWith(cut))).toEqual([]);
  });
});

describe('a partner that asks to connect', () => {
  it('needs nobody any more once it was approved and has yet to fetch the answer', () => {
    const asking: PartnerFacts = { ...well, status: 'pair_requested', role: 'inviter', approved: true };
    const { state, awaited, reason } = deriveState(asking);
    expect([state, awaited]).toEqual(['offline', true]);
    expect(english(reason)).toBe(
      'Approved. Their Footbridge fetches the answer: ask them to leave it running.',
    );
  });

  it.each([
    ['a Footbridge', true, true],
    ['of another kind', false, false],
  ])('and is %s: the words to compare are spoken of only where there will be any', (_, hasWords, spoken) => {
    const asking: PartnerFacts = { ...well, status: 'pair_requested', role: 'inviter', hasWords };
    const reason = english(deriveState(asking).reason);
    expect(reason).toContain('asks to connect');
    expect(reason.includes('telephone')).toBe(spoken);
  });
});
