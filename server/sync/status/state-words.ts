import { moment, said, type Said, type Words } from '../../words/said.ts';
import type { PartnerFacts } from './partner-facts.ts';
import { isAbsent } from './liveness.ts';

export function pausedWords({ until }: { readonly until?: string }, now: number): Said {
  return until === undefined
    ? said('state.paused')
    : said('state.paused-until', { until: moment(until, now) });
}

/** Returns the message if the partner should have asked by now and didn't. */
export function absent(facts: PartnerFacts): Words | undefined {
  if (!isAbsent(facts)) return undefined;
  const { name, asked, sharing, now } = facts;
  const waiting = sharing?.waiting ?? 0;
  if (asked === undefined) return said('state.never-asked', { partner: name });
  const since = moment(asked.at, now);
  const { untold = 0, undecided = 0, held = 0, lost = 0, apart = 0, parked = 0 } = sharing ?? {};
  if (waiting === 0 && untold + undecided + held + lost + apart + parked > 0)
    return said('state.last-asked', { partner: name, since });
  return waiting === 0
    ? said('state.last-asked-has-all', { partner: name, since })
    : said('state.changes-wait', { partner: name, since, n: waiting });
}

export function endsSoon({ endsIn, name }: PartnerFacts): Words | undefined {
  if (endsIn === undefined) return undefined;
  if (endsIn <= 0) return said('state.ended', { partner: name });
  const minutes = Math.ceil(endsIn / 60_000);
  if (minutes < 120) return said('state.ends-in-minutes', { partner: name, n: minutes });
  const hours = Math.ceil(minutes / 60);
  return hours < 48
    ? said('state.ends-in-hours', { partner: name, hours })
    : said('state.ends-in-days', { partner: name, days: Math.ceil(hours / 24) });
}
