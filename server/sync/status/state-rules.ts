import { counted, moment, said } from '../../words/said.ts';
import { connected, going, rule, told, type Rule } from './rule.ts';
import { isAbsent, isHeard, isPausedThere, isSilent, isUntaken, mustAnswer, mustAsk } from './silence.ts';
import { absent, endsSoon, pausedWords } from './state-words.ts';
import { unwritableWords } from './unwritable.ts';

/** All that can be the case besides that all is well; what comes first is said first. */
export const RULES = [
  rule('error', 'unwritable', ({ unwritable }) => unwritable && unwritableWords(unwritable)),
  // What a pull met of a disk that refuses is said with that.
  rule('error', 'broken', (facts) =>
    facts.unwritable && facts.problem?.kind === 'store' ? undefined : told('store', 'internal')(facts),
  ),
  rule('error', 'faulty', told('faulty', 'refused')),
  rule(
    'error',
    'list-failed',
    connected(({ listProblem }) => listProblem),
  ),
  rule('error', 'pairing-failed', ({ status, pairingProblem }) =>
    status === 'failed'
      ? (pairingProblem ?? said`Pairing failed. Try again or make a new invite.`)
      : undefined,
  ),
  rule('needs-you', 'not-reached', ({ status, role, name, pairingProblem }) =>
    status === 'pending' && role === 'invitee' && pairingProblem !== undefined
      ? said`Not connected with ${name}: ${pairingProblem}`
      : undefined,
  ),
  // Somebody who asks anew is news; that the connection before has ended is known.
  rule('needs-you', 'asks-to-connect', ({ status, role, name, hasWords }) => {
    if (status !== 'pair_requested' || role !== 'inviter') return undefined;
    return hasWords === true
      ? said`${name} asks to connect. Approve if you expected them, then compare the words by telephone.`
      : said`${name} asks to connect. Check that you expected them, then approve.`;
  }),
  rule('needs-you', 'refused-token', told('ended', 'address')),
  rule('needs-you', 'ended', ({ status, name }) =>
    status === 'unpaired'
      ? said`The connection with ${name} has ended. Pair again with a new invite to go on.`
      : undefined,
  ),
  rule('needs-you', 'ends-soon', connected(endsSoon)),
  rule(
    'needs-you',
    'copied-here',
    connected(({ copiedHere, name }) =>
      copiedHere
        ? said`The data folder of this office is in use on two computers: ${name} is called by both in turn, and each gets a part of what is new. Close Footbridge on one of them. If both are needed, pair that one anew, with an empty data folder.`
        : undefined,
    ),
  ),
  rule(
    'needs-you',
    'copied-there',
    connected(({ copiedThere, name }) =>
      copiedThere
        ? said`${name} seems to use one data folder on two computers, and each of them gets a part of what is new. Ask them to close Footbridge on one of the two.`
        : undefined,
    ),
  ),
  rule(
    'needs-you',
    'went-back',
    connected(({ wentBack = 0, name }) =>
      wentBack > 0
        ? counted(
            wentBack,
            said`The data of ${name} went back to an earlier state: 1 row that you have is gone or older there. Look at it and decide.`,
            said`The data of ${name} went back to an earlier state: ${wentBack} rows that you have are gone or older there. Look at them and decide.`,
          )
        : undefined,
    ),
  ),
  rule(
    'needs-you',
    'lost-here',
    connected(({ sharing, name }) => {
      const lost = sharing?.lost ?? 0;
      return lost > 0
        ? counted(
            lost,
            said`Your data went back to an earlier state: ${name} still has 1 row that is gone or older here. Ask them to save it as a file before they decide, and import that here.`,
            said`Your data went back to an earlier state: ${name} still has ${lost} rows that are gone or older here. Ask them to save these as a file before they decide, and import that here.`,
          )
        : undefined;
    }),
  ),
  rule(
    'needs-you',
    'held',
    connected(({ brakes, heldRows, missing = 0, name }) => {
      if (brakes === 0) return undefined;
      if (missing > 0 && missing === heldRows)
        return counted(
          missing,
          said`1 row that you have is no longer there at ${name}. Remove it or keep it.`,
          said`${missing} rows that you have are no longer there at ${name}. Remove them or keep them.`,
        );
      return counted(
        heldRows,
        said`${name} removed or emptied 1 row. Look at it and decide.`,
        said`${name} removed or emptied ${heldRows} rows. Look at them and decide.`,
      );
    }),
  ),
  rule(
    'needs-you',
    'not-applied',
    connected(({ couldNotApply, name }) =>
      couldNotApply > 0
        ? counted(
            couldNotApply,
            said`1 row from ${name} could not be taken in. See which and why.`,
            said`${couldNotApply} rows from ${name} could not be taken in. See which and why.`,
          )
        : undefined,
    ),
  ),
  rule(
    'needs-you',
    'withdrawn',
    connected(({ withdrawn: [list, another], withdrawn: { length }, name }) => {
      if (list === undefined) return undefined;
      return another === undefined
        ? said`${name} no longer shares “${list}”. Decide what becomes of the rows that you have.`
        : said`${name} no longer shares ${length} of your lists. Decide what becomes of the rows that you have.`;
    }),
  ),
  rule(
    'needs-you',
    'kept',
    connected(({ keptRows, name }) =>
      keptRows > 0
        ? counted(
            keptRows,
            said`You kept 1 row that ${name} removed or emptied, so the two of you differ. Compare to fetch theirs after all.`,
            said`You kept ${keptRows} rows that ${name} removed or emptied, so the two of you differ. Compare to fetch theirs after all.`,
          )
        : undefined,
    ),
  ),
  rule(
    'needs-you',
    'differs',
    connected(({ differing, name }) =>
      differing > 0
        ? counted(
            differing,
            said`1 row differs from what ${name} has. Compare to fetch it again.`,
            said`${differing} rows differ from what ${name} has. Compare to fetch them again.`,
          )
        : undefined,
    ),
  ),
  rule(
    'needs-you',
    'parked',
    connected(({ parked }) =>
      parked > 0
        ? counted(
            parked,
            said`1 matched column changed. Match it again.`,
            said`${parked} matched columns changed. Match them again.`,
          )
        : undefined,
    ),
  ),
  rule(
    'needs-you',
    'offered',
    connected(({ newOffers, name }) =>
      newOffers > 0
        ? counted(
            newOffers,
            said`${name} offers 1 list. Choose where to put it.`,
            said`${name} offers ${newOffers} lists. Choose where to put them.`,
          )
        : undefined,
    ),
  ),
  rule(
    'paused',
    'paused-there',
    going((facts) =>
      isPausedThere(facts)
        ? said`${facts.name} has paused, so that nothing of theirs can be fetched. It goes on by itself when they do.`
        : undefined,
    ),
    true,
  ),
  rule('offline', 'unreachable', going(told('unreachable', 'busy'))),
  rule(
    'offline',
    'silent',
    going((facts) => {
      if (!isSilent(facts)) return undefined;
      const { heard, name, now } = facts;
      return heard === undefined
        ? said`${name} has not answered yet. It is tried again by itself.`
        : said`Not heard from ${name} since ${moment(heard.at, now)}. It is tried again by itself.`;
    }),
  ),
  rule(
    'offline',
    'stands-still',
    going(({ stoodFor, name }) =>
      stoodFor === undefined
        ? undefined
        : said`Nothing has come from ${name} for ${Math.floor(stoodFor / 1000)} seconds. It is waited for, then tried again by itself.`,
    ),
  ),
  rule(
    'offline',
    'unread',
    connected(({ unreadSince, name, now }) =>
      unreadSince === undefined
        ? undefined
        : said`${name} asks for rows but has not read them since ${moment(unreadSince, now)}. Ask them whether their computer is asleep or busy.`,
    ),
  ),
  rule('offline', 'absent', going(absent)),
  rule(
    'offline',
    'untaken',
    going((facts) => {
      if (!isUntaken(facts)) return undefined;
      const { sharing, name, hasWords } = facts;
      const waiting = sharing?.waiting ?? 0;
      return hasWords === true
        ? counted(
            waiting,
            said`1 change does not arrive at ${name}, though they ask for it. Ask them what their Footbridge says.`,
            said`${waiting} changes do not arrive at ${name}, though they ask for them. Ask them what their Footbridge says.`,
          )
        : counted(
            waiting,
            said`1 change does not arrive at ${name}, though they ask. Ask them to look whether their program still takes this list in.`,
            said`${waiting} changes do not arrive at ${name}, though they ask. Ask them to look whether their program still takes these lists in.`,
          );
    }),
  ),
  rule('syncing', 'running', ({ running, name }) =>
    running ? said`Getting changes from ${name}.` : undefined,
  ),
  rule(
    'syncing',
    'beginning',
    going((facts) => {
      if (!facts.beginning) return undefined;
      if (mustAnswer(facts) && facts.heard?.fresh !== true) return said`Looking for ${facts.name}.`;
      return mustAsk(facts) && facts.asked?.fresh !== true
        ? said`Waiting for ${facts.name} to ask for what is new.`
        : undefined;
    }),
  ),
  rule(
    'syncing',
    'behind',
    going((facts) =>
      isHeard(facts) && !facts.problem && (facts.unpulled > 0 || facts.complete?.fresh !== true)
        ? said`Getting changes from ${facts.name}.`
        : undefined,
    ),
  ),
  rule(
    'paused',
    'closed',
    going(({ closed, now, name }) =>
      closed ? said`${name} may not read what you share. ${pausedWords(closed, now)}` : undefined,
    ),
  ),
  rule(
    'syncing',
    'on-its-way',
    going((facts) => {
      const { sharing, closed, name } = facts;
      // Of a partner that is away it is said that they wait, and of one that takes nothing in as well.
      const isSaid = closed !== undefined || isAbsent(facts) || isUntaken(facts);
      const waiting = isSaid ? 0 : (sharing?.waiting ?? 0);
      return waiting > 0
        ? counted(
            waiting,
            said`1 change is on its way to ${name}.`,
            said`${waiting} changes are on their way to ${name}.`,
          )
        : undefined;
    }),
  ),
  rule(
    'syncing',
    'untold',
    going(({ sharing, closed, name }) =>
      closed || (sharing?.untold ?? 0) === 0
        ? undefined
        : said`It is yet to be heard how much ${name} has of what you share.`,
    ),
  ),
  rule(
    'offline',
    'held-there',
    going(({ sharing, name }) => {
      const held = sharing?.held ?? 0;
      return held > 0
        ? counted(
            held,
            said`1 row that you removed or emptied waits for a yes at ${name}.`,
            said`${held} rows that you removed or emptied wait for a yes at ${name}.`,
          )
        : undefined;
    }),
    true,
  ),
  rule(
    'offline',
    'apart-there',
    going(({ sharing, name }) => {
      const apart = sharing?.apart ?? 0;
      return apart > 0
        ? counted(
            apart,
            said`1 row stands differently at ${name}: it was kept there or did not fit.`,
            said`${apart} rows stand differently at ${name}: they were kept there or did not fit.`,
          )
        : undefined;
    }),
    true,
  ),
  rule(
    'offline',
    'undecided-there',
    going(({ sharing, name }) => {
      const undecided = sharing?.undecided ?? 0;
      return undecided > 0
        ? counted(
            undecided,
            said`${name} has not chosen yet where to put 1 list.`,
            said`${name} has not chosen yet where to put ${undecided} lists.`,
          )
        : undefined;
    }),
    true,
  ),
  rule(
    'offline',
    'awaits-approval',
    ({ status, role, name }) =>
      status === 'pair_requested' && role !== 'inviter' ? said`Waiting for ${name} to confirm.` : undefined,
    true,
  ),
  rule(
    'offline',
    'not-connected',
    ({ status, role, name, pairingProblem }) => {
      if (status !== 'pending' || (role === 'invitee' && pairingProblem !== undefined)) return undefined;
      return role === 'invitee'
        ? said`Not connected with ${name} yet.`
        : said`Waiting for ${name} to use the invite.`;
    },
    true,
  ),
  rule(
    'paused',
    'paused',
    connected(({ paused, closed, now, name }) => {
      if (!paused) return undefined;
      const words = pausedWords(paused, now);
      return closed ? words : said`Nothing is fetched from ${name}; they may read what you share. ${words}`;
    }),
  ),
] as const satisfies readonly Rule[];

/** What a state comes from; `well` is that none of the rules has anything to say. */
export type Cause = (typeof RULES)[number]['cause'] | 'well';
