import type { Logger } from 'pino';
import { Refusal } from '../base/refusal.ts';
import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Partition, Tx } from '../store/store.ts';
import type { Node } from './model.ts';
import type { NodeTokens } from './partners/node-tokens.ts';
import type { TrustedClock, TimeAnchor } from '../base/trusted-clock.ts';
import { mayReadAlike } from './partners/pausing.ts';
import type { FederationChange, Office, OwnAddress, PartnerCalls, Secrets } from './ports.ts';
import { NODES } from './tables.ts';
import { said } from '../words/said.ts';

/** Shared by the services of this folder. */
export interface FederationContext {
  readonly system: Partition;
  readonly clock: Clock;
  readonly known: TrustedClock;
  readonly ids: Ids;
  readonly secrets: Secrets;
  readonly tokens: NodeTokens;
  readonly calls: PartnerCalls;
  readonly office: Office;
  readonly ownAddress: () => OwnAddress;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly changed: (change: FederationChange) => void;
}

/** Returns the current time as stored and sent. */
export function nowOf(context: Pick<FederationContext, 'clock'>): string {
  return new Date(context.clock.now()).toISOString();
}

/** Returns a mark of this moment for elapsed time. */
export function markOf({ clock, known }: Pick<FederationContext, 'clock' | 'known'>): TimeAnchor {
  return { wall: clock.now(), seen: known.elapsed() };
}

/**
 * Finds a partner by our id or by the pair's shared id; our own wins (docs/interface.md: Partners). The
 * partner chooses the shared id, so an ambiguous one finds nobody; nor does a removed partner's. @throws
 * Refusal `not-found`, `conflict` for a shared id of several partners
 */
export async function findNode(system: Partition, n: string): Promise<Node> {
  const own = await system.get(NODES, n);
  if (own?.deletedAt !== undefined) throw unknownNode(n);
  if (own) return own;
  const [shared, another] = (await system.find(NODES, 'shared', n)).filter(
    ({ value }) => value.deletedAt === undefined,
  );
  if (another) throw new Refusal('conflict', 'node.ambiguous', said('partner.ambiguous', { number: n }));
  if (shared) return shared.value;
  throw unknownNode(n);
}

export function unknownNode(n: string): Refusal {
  return new Refusal('not-found', 'node.unknown', said('partner.unknown', { number: n }));
}

/**
 * Changes a partner's record in one transaction and notifies listeners. `body` gets the current record; if it
 * throws, nothing changes.
 */
export async function changeNode(
  context: FederationContext,
  nodeID: string,
  body: (node: Node, tx: Tx) => Node | Promise<Node>,
): Promise<Node> {
  const { before, after } = await context.system.transaction(async (tx) => {
    const before = await tx.get(NODES, nodeID);
    if (!before || before.deletedAt !== undefined) throw unknownNode(nodeID);
    const after = { ...(await body(before, tx)), updatedAt: nowOf(context) };
    tx.put(NODES, nodeID, after);
    return { before, after };
  });
  context.changed({ kind: 'node', nodeID, ours: mayReadAlike(before, after) });
  return after;
}
