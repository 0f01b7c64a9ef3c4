import { disconnect } from '../../server/app/disconnect.ts';
import { connect, startAgain, type Office, type Partner } from './year-office.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MONTH = 30;
/** How far off the clock is once a month, for minutes in which all goes on: by then a clock that is wrong was seen. */
const JUMPS = [HOUR, -HOUR, DAY, -DAY, 365 * DAY, -365 * DAY];
const JUMP_LASTS = 20 * 60_000;
const REMOVED_A_MONTH = 3;
const ENDED_A_MONTH = 2;
const STARTS_EVERY = 7;

/** What a month brings besides rows, a day each: starts, ends and new beginnings of connections, renewed tokens, clocks. */
export async function eventsOf(office: Office, day: number, exchange: () => Promise<void>): Promise<void> {
  const month = Math.floor(day / MONTH);
  if (day % STARTS_EVERY === 0) await startAgain(office);
  for (const [index, partner] of office.partners.entries())
    if (index % MONTH === day % MONTH) await renew(office, partner);
  switch (day % MONTH) {
    case 5:
      for (let each = 0; each < REMOVED_A_MONTH; each++)
        await replace(office, (month * REMOVED_A_MONTH + each) % office.partners.length);
      break;
    case 10:
      for (let each = 0; each < ENDED_A_MONTH; each++)
        await pairAnew(office, -1 - ((month * ENDED_A_MONTH + each) % office.partners.length));
      break;
    case 20:
      await jump(office, JUMPS[month % JUMPS.length] ?? 0, exchange);
      break;
  }
}

async function renew({ running: { parts } }: Office, { node }: Partner): Promise<void> {
  const { token } = await parts.federation.tokens.renew(node.nodeID);
  await parts.federation.tokens.verify(token);
}

/** A partner is removed with its rows, and another office takes its place. */
async function replace({ running: { parts }, partners }: Office, at: number): Promise<void> {
  const { node, shared, into } = partnerAt(partners, at);
  await disconnect(parts, node.nodeID, { received: 'remove', askRemoval: true, by: '1' });
  const created = await parts.federation.nodes.create({ name: `${node.name} (new)` }, '1');
  partners[at] = { ...(await connect(parts, created, shared)), shared, into, read: undefined };
}

/** A connection ends, and the same two pair again; what was received stays. */
async function pairAnew({ running: { parts }, partners }: Office, fromTheEnd: number): Promise<void> {
  const at = partners.length + fromTheEnd;
  const partner = partnerAt(partners, at);
  const ended = await parts.federation.disconnects.revoke(partner.node.nodeID, '1');
  partners[at] = { ...partner, ...(await connect(parts, ended, partner.shared)), read: undefined };
}

async function jump({ clock }: Office, ahead: number, exchange: () => Promise<void>): Promise<void> {
  clock.set(clock.now() + ahead);
  await exchange();
  clock.advance(JUMP_LASTS);
  clock.set(clock.now() - ahead);
}

function partnerAt(partners: readonly Partner[], at: number): Partner {
  const partner = partners[at];
  if (!partner) throw new Error(`There is no partner ${at}.`);
  return partner;
}
