import type { LastContact } from '../../../server/federation/partners/last-seen.ts';
import type { SharingFacts } from '../../../server/federation/offers/destinations.ts';
import type { PartnerFacts, Problem } from '../../../server/sync/status/partner-facts.ts';
import type { State } from '../../../server/base/vocabulary.ts';
import { atNight } from './luck.ts';

/** Facts about partners in every combination, for the table test of the state. */

const NOW = Date.parse('2026-11-20T12:00:00Z');
export const ago = (minutes: number): string => new Date(NOW - minutes * 60_000).toISOString();

export const fresh: LastContact = { at: ago(0.5), fresh: true, freshFor: 40_000 };
export const old: LastContact = { at: ago(18), fresh: false, freshFor: 0 };
export const QUIET: SharingFacts = {
  waiting: 0,
  untaken: false,
  untold: 0,
  undecided: 0,
  held: 0,
  lost: 0,
  apart: 0,
};

/** A partner with which all is well. */
export const well: PartnerFacts = {
  name: 'Berlin',
  status: 'paired',
  role: 'inviter',
  running: false,
  beginning: false,
  callsUs: false,
  heard: fresh,
  asked: fresh,
  complete: fresh,
  matched: 2,
  unpulled: 0,
  reviews: 0,
  heldRows: 0,
  couldNotApply: 0,
  keptRows: 0,
  differing: 0,
  withdrawn: [],
  parked: 0,
  newOffers: 0,
  sharing: QUIET,
  now: NOW,
};

export const problem = (kind: Problem['kind']): Problem => ({
  kind,
  message: `told: ${kind}`,
  since: ago(60),
  tries: 3,
});

const PROBLEMS = [
  'address',
  'unreachable',
  'busy',
  'ended',
  'refused',
  'faulty',
  'store',
  'internal',
  'paused',
] as const;

type Change = Partial<PartnerFacts>;
type Trouble = readonly [name: string, change: Change, state: State, sentence: RegExp];

/** Everything that can be amiss besides the connection: each alone has a sentence of its own. */
const AMISS: readonly Trouble[] = [
  ['one list fails', { listProblem: 'that list' }, 'error', /that list/],
  ['deletions wait', { reviews: 1, heldRows: 412 }, 'needs-you', /removed or emptied 412 rows/],
  ['a row could not be applied', { couldNotApply: 1 }, 'needs-you', /1 row from Berlin couldn’t/],
  ['rows were kept', { keptRows: 34 }, 'needs-you', /You kept 34 rows .* ask them to save them again/],
  ['rows differ', { differing: 5 }, 'needs-you', /5 rows differ/],
  ['a list is withdrawn', { withdrawn: ['Customers'] }, 'needs-you', /no longer shares “Customers”/],
  ['matches are parked', { parked: 2 }, 'needs-you', /2 matched columns/],
  ['a list is offered', { newOffers: 1 }, 'needs-you', /offers 1 list/],
  [
    'a pull stands still',
    { running: true, stalledMs: 12_300 },
    'offline',
    /Nothing has come .* for 12 seconds/,
  ],
  ['they do not read', { unreadSince: ago(3) }, 'offline', /asked for rows but hasn’t read them since \d/],
  ['a token ends soon', { endsIn: 20 * 60_000 }, 'needs-you', /ends in 20 minutes/],
];

/** The same of what we share, as far as it has got. */
const AMISS_THERE: readonly (readonly [string, Partial<SharingFacts>, State, RegExp])[] = [
  ['changes wait for them', { waiting: 3 }, 'syncing', /3 changes are on their way/],
  ['it is not heard yet how far they are', { untold: 1 }, 'syncing', /Checking how much Berlin has/],
  ['rows wait for a yes there', { held: 25 }, 'offline', /25 rows that you removed/],
  ['rows stand differently there', { apart: 2 }, 'offline', /2 rows are out of sync/],
  ['changed columns wait there', { parked: 2 }, 'offline', /2 columns .* don’t arrive at Berlin\. Ask/],
  ['columns are not sent', { unsent: 2 }, 'needs-you', /Berlin doesn’t get 2 columns/],
  ['they have yet to choose', { undecided: 1 }, 'offline', /hasn’t chosen yet/],
];

/** One thing that is not well, the state that it makes, and what is said. */
export const TROUBLES: readonly Trouble[] = [
  ...AMISS,
  ...AMISS_THERE.map(([name, sharing, ...rest]): Trouble => [
    name,
    { sharing: { ...QUIET, ...sharing } },
    ...rest,
  ]),
  [
    'several lists are withdrawn',
    { withdrawn: ['Customers', 'Prices'] },
    'needs-you',
    /no longer shares 2 of/,
  ],
  [
    'their folder was copied',
    { copiedThere: true },
    'needs-you',
    /Berlin seems to use one data folder on two/,
  ],
  [
    'it was paired again and has shared nothing yet',
    { awaitsOffers: true },
    'offline',
    /Berlin hasn’t shared anything yet over the new connection/,
  ],
  [
    'its server stopped taking a list in',
    { sharing: { ...QUIET, waiting: 4, untaken: true, stopped: ['Prices'] } },
    'needs-you',
    /Berlin no longer imports “Prices”. .* If it is mapped there already, share it again/,
  ],
  ['our folder was copied', { copiedHere: true }, 'needs-you', /office’s data folder is in use on two/],
  [
    'rows of another Footbridge were kept',
    { keptRows: 34, hasWords: true },
    'needs-you',
    /You kept 34 rows .* Compare to fetch theirs/,
  ],
  [
    'rows are not there any more',
    { reviews: 1, heldRows: 7, missing: 7 },
    'needs-you',
    /7 rows that you have are no longer at Berlin/,
  ],
  [
    'their data went back',
    { reviews: 1, heldRows: 9, wentBack: 7 },
    'needs-you',
    /Berlin’s data went back .* 7 rows that you have/,
  ],
  [
    'they take nothing in',
    { sharing: { ...QUIET, waiting: 3, untaken: true } },
    'offline',
    /^3 changes don’t arrive at Berlin/,
  ],
  [
    'our data went back',
    { sharing: { ...QUIET, lost: 7 } },
    'needs-you',
    /Your data went back .* Berlin still has 7 rows/,
  ],
  ['the disk is full', { problem: problem('store') }, 'error', /told: store/],
  [
    'our disk takes nothing, as a pull met as well',
    { unwritable: 'full', problem: problem('store') },
    'error',
    /^The disk of this computer is full/,
  ],
  ['our data folder takes nothing', { unwritable: 'permission' }, 'error', /^The data folder of this/],
  ['our disk fails', { unwritable: 'io' }, 'error', /^The disk of this computer reported an error/],
  ['we made a mistake', { problem: problem('internal') }, 'error', /told: internal/],
  ['the partner talks nonsense', { problem: problem('faulty') }, 'error', /told: faulty/],
  ['the partner refuses', { problem: problem('refused') }, 'error', /told: refused/],
  ['the token ended', { problem: problem('ended') }, 'needs-you', /told: ended/],
  ['a private address wants consent', { problem: problem('address') }, 'needs-you', /told: address/],
  ['the partner is off', { problem: problem('unreachable') }, 'offline', /told: unreachable/],
  ['the partner wants a rest', { problem: problem('busy') }, 'offline', /told: busy/],
  ['it has grown silent', { heard: old, complete: old }, 'offline', /No answer from Berlin since \d/],
  ['it never answered', { heard: undefined, complete: undefined }, 'offline', /hasn’t answered yet/],
  ['it stopped asking', { asked: old }, 'offline', /last checked at .* and had everything then/],
  [
    'it stopped asking while changes wait',
    { asked: old, sharing: { ...QUIET, waiting: 7 } },
    'offline',
    /last checked at .*: 7 changes wait/,
  ],
  [
    'it stopped asking before it was heard how far it is',
    { asked: old, sharing: { ...QUIET, untold: 1 } },
    'offline',
    /last checked at [^,:]*:[^,:]*\.$/,
  ],
  ['it never asked', { asked: undefined }, 'offline', /hasn’t asked for your rows since/],
  ['we begin', { beginning: true, heard: undefined, complete: undefined }, 'syncing', /Looking for Berlin/],
  [
    'we begin, and they have yet to ask',
    { beginning: true, asked: undefined },
    'syncing',
    /Waiting for Berlin/,
  ],
  ['a list was never pulled', { unpulled: 1 }, 'syncing', /Getting changes/],
  ['pairing failed', { status: 'failed', pairingProblem: 'The invite is used.' }, 'error', /invite is used/],
  ['the pair is over', { status: 'unpaired' }, 'needs-you', /Pair again/],
  [
    'they ask to pair',
    { status: 'pair_requested', role: 'inviter', hasWords: true },
    'needs-you',
    /words by telephone/,
  ],
  ['we wait for their yes', { status: 'pair_requested', role: 'invitee' }, 'offline', /approve/],
  ['they have not used the invite', { status: 'pending' }, 'offline', /use the invite/],
  ['we have not used the invite', { status: 'pending', role: 'invitee' }, 'offline', /Not connected/],
  [
    'our request has not reached them',
    { status: 'pending', role: 'invitee', pairingProblem: 'Nobody is at home.' },
    'needs-you',
    /^Not connected with Berlin: Nobody is at home/,
  ],
  ['the partner paused', { problem: problem('paused') }, 'paused', /Berlin has paused/],
  ['the user paused it', { paused: {}, closed: {} }, 'paused', /^Paused by you\./],
  [
    'the user paused it for a time',
    { paused: { until: ago(-30) }, closed: { until: ago(-30) } },
    'paused',
    /^Paused by you until \d/,
  ],
  ['the user stopped fetching', { paused: {} }, 'paused', /Nothing is fetched from Berlin/],
  ['the user stopped their reading', { closed: {} }, 'paused', /Berlin can’t read what you share/],
];

/** Of the sets in the middle one of so many is tried; every one by FOOTBRIDGE_SETS=1. */
const EVERY = Number(process.env.FOOTBRIDGE_SETS ?? atNight(5, 29));
/** So few that are amiss, or that are not, and every set of them is tried: rules that get into each other's way show there. */
const FEW = 3;

/** What can be amiss at once, with the sentences that belong to it. */
export function* troubleSets(
  base: PartnerFacts,
): Generator<{ readonly facts: PartnerFacts; readonly sentences: readonly RegExp[] }> {
  const count = AMISS.length + AMISS_THERE.length;
  for (let set = 0; set < 2 ** count; set++) {
    const has = (index: number): boolean => ((set >> index) & 1) === 1;
    const size = set.toString(2).replaceAll('0', '').length;
    if (size > FEW && size < count - FEW && set % EVERY !== 0) continue;
    const here = AMISS.filter((_, index) => has(index));
    const there = AMISS_THERE.filter((_, index) => has(AMISS.length + index));
    const sharing = Object.assign({}, QUIET, ...there.map(([, change]) => change)) as SharingFacts;
    const facts = Object.assign({}, base, ...here.map(([, change]) => change), { sharing }) as PartnerFacts;
    // That nothing comes is said by since when the partner was not heard of, where that is the case.
    const told = here.filter(([, { stalledMs }]) => stalledMs === undefined || base.heard?.fresh === true);
    yield { facts, sentences: [...told, ...there].map((trouble) => trouble[3]) };
  }
}

const CONTACTS = [undefined, fresh, old];
const AXES: readonly (readonly Change[])[] = [
  [
    {},
    { status: 'pending' },
    { status: 'pair_requested', role: 'inviter' },
    { status: 'pair_requested', role: 'invitee' },
    { status: 'failed' },
    { status: 'unpaired' },
  ],
  [{}, ...PROBLEMS.map((kind) => ({ problem: problem(kind) }))],
  [{}, { paused: {} }, { closed: {} }],
  [{}, { running: true }],
  [{}, { beginning: true }],
  [{}, { callsUs: true }],
  CONTACTS.map((heard) => ({ heard })),
  CONTACTS.map((complete) => ({ complete })),
  CONTACTS.map((asked) => ({ asked })),
  [{}, { matched: 0 }, { unpulled: 1 }],
  [{}, { sharing: undefined }, { sharing: { ...QUIET, waiting: 4 } }],
];

/** Every combination of facts about the connection and what goes over it. */
export function* connections(): Generator<PartnerFacts> {
  const at = AXES.map(() => 0);
  for (;;) {
    yield Object.assign({}, well, ...AXES.map((axis, index) => axis[at[index] ?? 0])) as PartnerFacts;
    let index = 0;
    while (index < AXES.length && at[index] === (AXES[index]?.length ?? 0) - 1) at[index++] = 0;
    if (index === AXES.length) return;
    at[index] = (at[index] ?? 0) + 1;
  }
}
