import { describe, expect, it } from 'vitest';
import { STATES as APP_STATES } from '../../../server/contract/app.ts';
import {
  deriveState,
  STATES,
  worstState,
  type PartnerFacts,
  type Problem,
  type State,
} from '../../../server/sync/state.ts';
import { english } from '../../../server/words/said.ts';

const well: PartnerFacts = {
  name: 'Berlin',
  status: 'paired',
  role: 'inviter',
  running: false,
  brakes: 0,
  heldRows: 0,
  couldNotApply: 0,
  parked: 0,
  newOffers: 0,
  renews: true,
  lastSuccessAt: '2026-11-20T11:59:00Z',
  now: '2026-11-20T12:00:00Z',
};
const problem = (kind: Problem['kind']): Partial<PartnerFacts> => ({
  problem: { kind, message: `told: ${kind}`, since: '2026-11-20T11:00:00Z', tries: 3 },
});

const cases: readonly (readonly [string, Partial<PartnerFacts>, State, RegExp])[] = [
  ['all is well', {}, 'up-to-date', /arrived/],
  ['nothing came yet', { lastSuccessAt: undefined }, 'up-to-date', /Connected with Berlin/],
  ['the disk is full', problem('store'), 'error', /told: store/],
  ['we made a mistake', problem('internal'), 'error', /told: internal/],
  ['the partner talks nonsense', problem('faulty'), 'error', /told: faulty/],
  ['the partner refuses', problem('refused'), 'error', /told: refused/],
  ['one list fails', { listProblem: 'that list' }, 'error', /that list/],
  ['pairing failed', { status: 'failed', pairingProblem: 'The invite is used.' }, 'error', /used/],
  ['the token ended', problem('ended'), 'needs-you', /told: ended/],
  ['a private address wants consent', problem('address'), 'needs-you', /told: address/],
  ['the pair is over', { status: 'unpaired' }, 'needs-you', /Pair again/],
  ['they ask to pair', { status: 'pair_requested', role: 'inviter' }, 'needs-you', /words/],
  [
    'a live token ends soon',
    { renews: false, expiresAt: '2026-11-20T12:20:00Z' },
    'needs-you',
    /in 20 minutes/,
  ],
  ['a live token has ended', { renews: false, expiresAt: '2026-11-20T11:59:59Z' }, 'needs-you', /has ended/],
  ['a live token lasts', { renews: false, expiresAt: '2026-11-20T13:30:00Z' }, 'up-to-date', /arrived/],
  ['a token that renews itself ends soon', { expiresAt: '2026-11-20T12:20:00Z' }, 'up-to-date', /arrived/],
  ['deletions wait', { brakes: 1, heldRows: 412 }, 'needs-you', /412 rows/],
  ['rows could not be applied', { couldNotApply: 1 }, 'needs-you', /1 row /],
  ['matches are parked', { parked: 2 }, 'needs-you', /2 matched columns/],
  ['a list is offered', { newOffers: 1 }, 'needs-you', /offers 1 list/],
  ['rows are coming', { running: true }, 'syncing', /Getting changes/],
  ['the partner is off', problem('unreachable'), 'offline', /told: unreachable/],
  ['the partner wants a rest', problem('busy'), 'offline', /told: busy/],
  ['we wait for their yes', { status: 'pair_requested', role: 'invitee' }, 'offline', /confirm/],
  ['they have not used the invite', { status: 'pending' }, 'offline', /use the invite/],
  ['the user paused it', { paused: {} }, 'paused', /Paused/],
  ['paused, and off since before', { paused: {}, ...problem('unreachable') }, 'paused', /Paused/],
];

describe('the state of a partner', () => {
  it.each(cases)('%s', (_, facts, state, reason) => {
    const derived = deriveState({ ...well, ...facts });
    expect(derived.state).toBe(state);
    expect(english(derived.reason)).toMatch(reason);
  });

  it('is the worst of all that is the case, for every pair of cases', () => {
    for (const [, facts, state] of cases) {
      for (const [, others, other] of cases) {
        const keys = Object.keys(facts).filter((key) => key !== 'lastSuccessAt');
        if (keys.some((key) => key in others) || 'paused' in facts || 'paused' in others) continue;
        if ('status' in facts || 'status' in others) continue;
        const both = deriveState({ ...well, ...facts, ...others }).state;
        expect(STATES.indexOf(both)).toBe(Math.min(STATES.indexOf(state), STATES.indexOf(other)));
      }
    }
  });

  it('has the same words as the window', () => {
    expect(STATES).toEqual(APP_STATES);
  });
});

describe('the state of all partners', () => {
  it('is the worst of them, with its name', () => {
    const status = 'paired' as const;
    const berlin = { name: 'Berlin', status, ...deriveState({ ...well, ...problem('unreachable') }) };
    const rome = { name: 'Rome', status, ...deriveState({ ...well, name: 'Rome', ...problem('faulty') }) };
    const worst = worstState([berlin, rome]);
    expect([worst.state, english(worst.reason)]).toEqual(['error', 'Rome: told: faulty']);
    expect(worstState([berlin]).reason).toBe('told: unreachable');
    expect(worstState([]).state).toBe('up-to-date');
  });

  it('does not take an invite that waits to be used for a fault', () => {
    const invited = { name: 'Oslo', status: 'pending' as const };
    const oslo = { ...invited, ...deriveState({ ...well, ...invited }) };
    const berlin = { name: 'Berlin', status: 'paired' as const, ...deriveState(well) };
    expect(oslo.state).toBe('offline');
    expect(worstState([oslo, berlin])).toEqual({ state: 'up-to-date', reason: berlin.reason });
    expect(worstState([oslo])).toEqual({ state: 'up-to-date', reason: oslo.reason });
  });
});
