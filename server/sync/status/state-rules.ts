import { moment, said, type Said, type Words } from '../../words/said.ts';
import { whenConnected, whenActive, createRule, whenProblem, type Rule } from './rule.ts';
import {
  isCallOverdue,
  isHeardFrom,
  isPausedThere,
  isReceiveOnly,
  isSendOnly,
  isSilent,
  isStalledDelivery,
  owesAnswers,
  shouldCallUs,
} from './liveness.ts';
import { unwritableWords } from './unwritable.ts';
import type { PartnerFacts } from './partner-facts.ts';

const hasNoAnswer = whenProblem('unreachable', 'busy');
const isRefusing = whenProblem('faulty', 'refused');

/** Worst first; the first that applies is the state. */
export const RULES = [
  createRule('error', 'unwritable', ({ unwritable }) => unwritable && unwritableWords(unwritable)),
  // `unwritable` covers a pull's error from such a disk.
  createRule('error', 'broken', (facts) =>
    facts.unwritable && facts.problem?.kind === 'store' ? undefined : whenProblem('store', 'internal')(facts),
  ),
  createRule('error', 'faulty', isRefusing),
  // A live server that still reads our rows isn't offline: only our calls fail.
  createRule(
    'error',
    'unreachable',
    whenActive((facts) =>
      facts.isLive === true && facts.asked?.fresh === true ? hasNoAnswer(facts) : undefined,
    ),
  ),
  createRule(
    'error',
    'list-failed',
    whenConnected(({ listProblem }) => listProblem),
  ),
  createRule('error', 'pairing-failed', ({ status, pairingProblem }) =>
    status === 'failed' ? (pairingProblem ?? said('state.pairing-failed')) : undefined,
  ),
  createRule('needs-you', 'not-reached', ({ status, role, name, pairingProblem }) =>
    status === 'pending' && role === 'invitee' && pairingProblem !== undefined
      ? said('state.not-connected-because', { partner: name, problem: pairingProblem })
      : undefined,
  ),
  // A new request is news; the previous connection's end isn't.
  createRule('needs-you', 'asks-to-connect', ({ status, role, name, hasWords, approved }) => {
    if (status !== 'pair_requested' || role !== 'inviter' || approved) return undefined;
    return hasWords === true
      ? said('state.asks-then-words', { partner: name })
      : said('state.asks', { partner: name });
  }),
  createRule('needs-you', 'refused-token', whenProblem('ended', 'address')),
  createRule('needs-you', 'ended', ({ status, name, problem }) =>
    // `refused-token` says the same.
    status === 'unpaired' && problem?.kind !== 'ended' ? said('state.ended', { partner: name }) : undefined,
  ),
  createRule(
    'needs-you',
    'unsure',
    whenConnected(({ unsure, name }) =>
      unsure === true ? said('state.unsure', { partner: name }) : undefined,
    ),
  ),
  createRule('needs-you', 'ends-soon', whenConnected(endingWords)),
  createRule(
    'needs-you',
    'copied-here',
    whenConnected(({ copiedHere, name }) =>
      copiedHere ? said('state.folder-twice-here', { partner: name }) : undefined,
    ),
  ),
  createRule(
    'needs-you',
    'copied-there',
    whenConnected(({ copiedThere, name }) =>
      copiedThere ? said('state.folder-twice-there', { partner: name }) : undefined,
    ),
  ),
  createRule(
    'needs-you',
    'went-back',
    whenConnected(({ wentBack = 0, name }) =>
      wentBack > 0 ? said('state.partner-went-back', { partner: name, n: wentBack }) : undefined,
    ),
  ),
  createRule(
    'needs-you',
    'lost-here',
    whenConnected(({ sharing, name }) => {
      const lost = sharing?.lost ?? 0;
      return lost > 0 ? said('state.we-went-back', { partner: name, n: lost }) : undefined;
    }),
  ),
  createRule(
    'needs-you',
    'held',
    whenConnected(({ reviews, heldRows, wentBack = 0, missing = 0, name }) => {
      // Those that went back there are told already.
      const held = heldRows - wentBack;
      if (reviews === 0 || (held === 0 && wentBack > 0)) return undefined;
      return missing > 0 && missing === held
        ? said('state.not-there', { n: missing, partner: name })
        : said('state.held', { partner: name, n: held });
    }),
  ),
  createRule(
    'needs-you',
    'not-applied',
    whenConnected(({ couldNotApply, name }) =>
      couldNotApply > 0 ? said('state.could-not-apply', { n: couldNotApply, partner: name }) : undefined,
    ),
  ),
  createRule(
    'needs-you',
    'withdrawn',
    whenConnected(({ withdrawn: [list, another], withdrawn: { length }, name }) => {
      if (list === undefined) return undefined;
      return another === undefined
        ? said('state.withdrawn-one', { partner: name, list })
        : said('state.withdrawn', { partner: name, lists: length });
    }),
  ),
  createRule(
    'needs-you',
    'differs',
    whenConnected(({ differing, name }) =>
      differing > 0 ? said('state.differ', { n: differing, partner: name }) : undefined,
    ),
  ),
  createRule(
    'needs-you',
    'parked',
    whenConnected(({ parked }) => (parked > 0 ? said('state.parked', { n: parked }) : undefined)),
  ),
  createRule(
    'needs-you',
    'offered',
    whenConnected(({ newOffers, name }) =>
      newOffers > 0 ? said('state.offers', { partner: name, n: newOffers }) : undefined,
    ),
  ),
  createRule(
    'needs-you',
    'send-only',
    whenActive((facts) => (isSendOnly(facts) ? said('state.send-only', { partner: facts.name }) : undefined)),
  ),
  createRule(
    'needs-you',
    'receive-only',
    whenActive((facts) =>
      isReceiveOnly(facts) ? said('state.receive-only', { partner: facts.name }) : undefined,
    ),
  ),
  createRule(
    'paused',
    'paused-there',
    whenActive((facts) =>
      isPausedThere(facts) ? said('state.they-paused', { partner: facts.name }) : undefined,
    ),
    true,
  ),
  createRule('offline', 'unreachable', whenActive(hasNoAnswer)),
  createRule(
    'offline',
    'silent',
    whenActive((facts) => {
      if (!isSilent(facts)) return undefined;
      const { heard, name, now } = facts;
      const since = heard && moment(heard.at, now);
      // Another rule has the reason.
      if ((hasNoAnswer(facts) ?? isRefusing(facts)) !== undefined)
        return since && said('state.last-answered', { partner: name, since });
      return since
        ? said('state.not-heard-since', { partner: name, since })
        : said('state.not-answered-yet', { partner: name });
    }),
  ),
  createRule(
    'offline',
    'stands-still',
    whenActive((facts) => {
      const { stalledMs, isSearching, isReached, name } = facts;
      // Another rule covers silence and tested routes.
      if (stalledMs === undefined || isSearching === true || isReached === true || isSilent(facts))
        return undefined;
      return said('state.stands-still', { partner: name, seconds: Math.floor(stalledMs / 1000) });
    }),
  ),
  createRule(
    'offline',
    'unread',
    whenConnected(({ unreadSince, name, now }) =>
      unreadSince === undefined
        ? undefined
        : said('state.not-read-since', { partner: name, since: moment(unreadSince, now) }),
    ),
  ),
  // A live server fetches by itself: no retry here.
  createRule(
    'needs-you',
    'not-asking',
    whenActive((facts) => {
      const { isLive, heard, asked, name, now } = facts;
      if (isLive !== true || heard?.fresh !== true || !asked || !isCallOverdue(facts)) return undefined;
      return said('state.not-asking', { partner: name, since: moment(asked.at, now) });
    }),
  ),
  createRule('offline', 'absent', whenActive(absentWords)),
  // Their administrator has to act; the connection works.
  createRule('needs-you', 'untaken', whenActive(stoppedListWords)),
  createRule(
    'offline',
    'untaken',
    whenActive((facts) => {
      if (!isStalledDelivery(facts) || stoppedListWords(facts)) return undefined;
      const { sharing, name, hasWords } = facts;
      const waiting = sharing?.waiting ?? 0;
      return hasWords === true
        ? said('state.do-not-arrive', { n: waiting, partner: name })
        : said('state.not-taken-in', { n: waiting, partner: name });
    }),
  ),
  // These lose nothing, so come after whatever keeps rows from arriving.
  createRule(
    'needs-you',
    'unsent',
    whenConnected(({ sharing, name }) => {
      const unsent = sharing?.unsent ?? 0;
      return unsent > 0 ? said('state.unsent', { n: unsent, partner: name }) : undefined;
    }),
  ),
  createRule(
    'needs-you',
    'kept',
    whenConnected(({ keptRows, name, hasWords }) => {
      if (keptRows === 0) return undefined;
      // Only Footbridges can be compared with.
      return hasWords === true
        ? said('state.kept', { n: keptRows, partner: name })
        : said('state.kept-apart', { n: keptRows, partner: name });
    }),
  ),
  createRule('syncing', 'running', (facts) => {
    // Fetching from a silent partner is no progress; another rule covers silence.
    const { paused, running, stalledMs = 0, isSearching, isReached, name } = facts;
    const isTried = isSearching === true || isReached === true;
    const isInVain = !paused && (isSilent(facts) || (stalledMs > 0 && !isTried));
    if (!running || isInVain) return undefined;
    if (isReached === true)
      return said('state.sends-nothing', { partner: name, seconds: Math.floor(stalledMs / 1000) });
    return said(isSearching === true ? 'state.looking-for-route' : 'state.syncing', { partner: name });
  }),
  createRule(
    'syncing',
    'beginning',
    whenActive((facts) => {
      if (!facts.beginning) return undefined;
      if (owesAnswers(facts) && facts.heard?.fresh !== true)
        return said('state.looking', { partner: facts.name });
      return shouldCallUs(facts) && facts.asked?.fresh !== true
        ? said('state.waiting-to-be-asked', { partner: facts.name })
        : undefined;
    }),
  ),
  createRule(
    'offline',
    'nothing-yet',
    whenActive(({ awaitsOffers, name }) =>
      awaitsOffers === true ? said('state.nothing-yet', { partner: name }) : undefined,
    ),
    true,
  ),
  createRule(
    'syncing',
    'behind',
    whenActive((facts) =>
      isHeardFrom(facts) && !facts.problem && (facts.unpulled > 0 || facts.complete?.fresh !== true)
        ? said('state.syncing', { partner: facts.name })
        : undefined,
    ),
  ),
  createRule(
    'paused',
    'closed',
    whenActive(({ closed, unsure, now, name }) =>
      closed && unsure !== true
        ? said('state.may-not-read', { partner: name, pause: pausedWords(closed, now) })
        : undefined,
    ),
  ),
  createRule(
    'syncing',
    'on-its-way',
    whenActive((facts) => {
      const { sharing, closed, name } = facts;
      // Other rules cover absent partners, and those that apply nothing.
      const isSaid = closed !== undefined || isCallOverdue(facts) || isStalledDelivery(facts);
      const waiting = isSaid ? 0 : (sharing?.waiting ?? 0);
      return waiting > 0 ? said('state.on-their-way', { n: waiting, partner: name }) : undefined;
    }),
  ),
  createRule(
    'syncing',
    'untold',
    whenActive(({ sharing, closed, name }) =>
      closed || (sharing?.untold ?? 0) === 0 ? undefined : said('state.yet-to-be-heard', { partner: name }),
    ),
  ),
  createRule(
    'offline',
    'held-there',
    whenActive(({ sharing, name }) => {
      const held = sharing?.held ?? 0;
      return held > 0 ? said('state.wait-for-their-yes', { n: held, partner: name }) : undefined;
    }),
    true,
  ),
  createRule(
    'offline',
    'apart-there',
    whenActive(({ sharing, name }) => {
      const apart = sharing?.apart ?? 0;
      return apart > 0 ? said('state.stand-differently', { n: apart, partner: name }) : undefined;
    }),
    true,
  ),
  createRule(
    'offline',
    'parked-there',
    whenActive(({ sharing, name }) => {
      const parked = sharing?.parked ?? 0;
      return parked > 0 ? said('state.parked-there', { n: parked, partner: name }) : undefined;
    }),
    true,
  ),
  createRule(
    'offline',
    'undecided-there',
    whenActive(({ sharing, name, isLive }) => {
      const undecided = sharing?.undecided ?? 0;
      if (undecided === 0) return undefined;
      // It may also have stopped a list fetched before our data went back.
      return said(isLive ? 'state.not-imported' : 'state.undecided', { partner: name, n: undecided });
    }),
    true,
  ),
  createRule(
    'offline',
    'awaits-approval',
    ({ status, role, name, approved, pairingProblem }) => {
      if (status !== 'pair_requested') return undefined;
      if (approved) return pairingProblem ?? said('pairing.waits-for-them');
      return role === 'inviter' ? undefined : said('state.waiting-to-confirm', { partner: name });
    },
    true,
  ),
  createRule(
    'offline',
    'not-connected',
    ({ status, role, name, pairingProblem }) => {
      if (status !== 'pending' || (role === 'invitee' && pairingProblem !== undefined)) return undefined;
      return role === 'invitee'
        ? said('state.not-connected-yet', { partner: name })
        : said('state.waiting-for-use', { partner: name });
    },
    true,
  ),
  createRule(
    'paused',
    'paused',
    whenConnected(({ paused, closed, now, name }) => {
      if (!paused) return undefined;
      const words = pausedWords(paused, now);
      return closed ? words : said('state.not-fetched', { partner: name, pause: words });
    }),
  ),
] as const satisfies readonly Rule[];

/** The rule of a state; `well`: none applies. */
export type Cause = (typeof RULES)[number]['cause'] | 'well';

/** Returns the message that the exchange is paused, with the end if one is set. */
function pausedWords({ until }: { readonly until?: string }, now: number): Said {
  return until === undefined
    ? said('state.paused')
    : said('state.paused-until', { until: moment(until, now) });
}

/**
 * Returns the message that the partner should have called and hasn't, with what waits for it; undefined if it isn't
 * overdue.
 */
function absentWords(facts: PartnerFacts): Words | undefined {
  if (!isCallOverdue(facts)) return undefined;
  const { name, asked, sharing, now } = facts;
  const waiting = sharing?.waiting ?? 0;
  if (asked === undefined) return said('state.never-asked', { partner: name });
  const since = moment(asked.at, now);
  // A reached Footbridge asks at its interval, unless it can't reach us.
  if (facts.hasWords === true && isHeardFrom(facts) && !facts.problem)
    return waiting === 0
      ? said('state.not-reaching', { partner: name, since })
      : said('state.not-reaching-wait', { partner: name, since, n: waiting });
  const { untold = 0, undecided = 0, held = 0, lost = 0, apart = 0, parked = 0, unsent = 0 } = sharing ?? {};
  if (waiting === 0 && untold + undecided + held + lost + apart + parked + unsent > 0)
    return said('state.last-asked', { partner: name, since });
  return waiting === 0
    ? said('state.last-asked-has-all', { partner: name, since })
    : said('state.changes-wait', { partner: name, since, n: waiting });
}

/** Returns the message about the first list that a partner stopped fetching; undefined if none. */
function stoppedListWords(facts: PartnerFacts): Words | undefined {
  const [list] = isStalledDelivery(facts) ? (facts.sharing?.stopped ?? []) : [];
  return list === undefined ? undefined : said('state.stopped-there', { partner: facts.name, list });
}

/**
 * Returns the message that the connection ends soon or has ended, in minutes, hours or days; undefined if it doesn't.
 */
function endingWords({ endsIn, name }: PartnerFacts): Words | undefined {
  if (endsIn === undefined) return undefined;
  if (endsIn <= 0) return said('state.ended', { partner: name });
  const minutes = Math.ceil(endsIn / 60_000);
  if (minutes < 120) return said('state.ends-in-minutes', { partner: name, n: minutes });
  const hours = Math.ceil(minutes / 60);
  return hours < 48
    ? said('state.ends-in-hours', { partner: name, hours })
    : said('state.ends-in-days', { partner: name, days: Math.ceil(hours / 24) });
}
