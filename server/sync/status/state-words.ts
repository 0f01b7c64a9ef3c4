import { counted, moment, said, type Said, type Words } from '../../words/said.ts';
import type { PartnerFacts } from './partner-facts.ts';
import { isAbsent } from './silence.ts';

export function pausedWords({ until }: { readonly until?: string }, now: number): Said {
  return until === undefined ? said`Paused by you.` : said`Paused by you until ${moment(until, now)}.`;
}

/** The partner should have asked by now, and did not. */
export function absent(facts: PartnerFacts): Words | undefined {
  if (!isAbsent(facts)) return undefined;
  const { name, asked, sharing, now } = facts;
  const waiting = sharing?.waiting ?? 0;
  if (asked === undefined) return said`${name} has not asked for anything since Footbridge started here.`;
  const since = moment(asked.at, now);
  const { untold = 0, undecided = 0, held = 0, lost = 0, apart = 0 } = sharing ?? {};
  if (waiting === 0 && untold + undecided + held + lost + apart > 0)
    return said`${name} last asked at ${since}.`;
  return waiting === 0
    ? said`${name} last asked at ${since} and has everything up to then.`
    : counted(
        waiting,
        said`${name} last asked at ${since}: 1 change waits for them.`,
        said`${name} last asked at ${since}: ${waiting} changes wait for them.`,
      );
}

export function endsSoon({ endsIn, name }: PartnerFacts): Words | undefined {
  if (endsIn === undefined) return undefined;
  if (endsIn <= 0) return said`The connection with ${name} has ended. Pair again with a new invite to go on.`;
  const minutes = Math.ceil(endsIn / 60_000);
  if (minutes < 120)
    return counted(
      minutes,
      said`The connection with ${name} ends in 1 minute. Pair again to go on after that.`,
      said`The connection with ${name} ends in ${minutes} minutes. Pair again to go on after that.`,
    );
  const hours = Math.ceil(minutes / 60);
  return hours < 48
    ? said`The connection with ${name} ends in ${hours} hours. Pair again to go on after that.`
    : said`The connection with ${name} ends in ${Math.ceil(hours / 24)} days. Pair again to go on after that.`;
}
