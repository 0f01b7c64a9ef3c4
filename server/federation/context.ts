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
  readonly notifyChanged: (change: FederationChange) => void;
}

/** Returns the system clock's time in ISO 8601, as stored and sent. */
export function nowOf(context: Pick<FederationContext, 'clock'>): string {
  return new Date(context.clock.now()).toISOString();
}

/** Returns the present time, to measure durations from. */
export function anchorNow({ clock, known }: Pick<FederationContext, 'clock' | 'known'>): TimeAnchor {
  return { wall: clock.now(), seen: known.elapsed() };
}

/**
 * Finds a partner by our id or the pair's shared one; a deleted one isn't found. Throws `node.unknown`,
 * `node.ambiguous` (several share it).
 */
export async function findNode(system: Partition, ourOrSharedID: string): Promise<Node> {
  const own = await system.get(NODES, ourOrSharedID);
  if (own?.deletedAt !== undefined) throw unknownNode(ourOrSharedID);
  if (own) return own;
  const [shared, another] = (await system.find(NODES, 'shared', ourOrSharedID)).filter(
    ({ value }) => value.deletedAt === undefined,
  );
  if (another)
    throw new Refusal('conflict', 'node.ambiguous', said('partner.ambiguous', { number: ourOrSharedID }));
  if (shared) return shared.value;
  throw unknownNode(ourOrSharedID);
}

/** Finds a partner like {@link findNode}; follows our id of a replaced record to its replacement. */
export async function findCurrentNode(system: Partition, n: string): Promise<Node> {
  return findNode(system, (await system.get(NODES, n))?.replacedBy ?? n);
}

export function unknownNode(ourOrSharedID: string): Refusal {
  return new Refusal('not-found', 'node.unknown', said('partner.unknown', { number: ourOrSharedID }));
}

/**
 * In one transaction stores the record that `body` returns, with a new `updatedAt`, and returns it. Then notifies
 * listeners, also of ids that `body` adds to `others`. Throws `node.unknown`, also for a deleted one.
 */
export async function changeNode(
  context: FederationContext,
  nodeID: string,
  body: (node: Node, tx: Tx, others: string[]) => Node | Promise<Node>,
): Promise<Node> {
  const { before, after, others } = await context.system.transaction(async (tx) => {
    const before = await tx.get(NODES, nodeID);
    if (!before || before.deletedAt !== undefined) throw unknownNode(nodeID);
    const others: string[] = [];
    const after = { ...(await body(before, tx, others)), updatedAt: nowOf(context) };
    tx.put(NODES, nodeID, after);
    return { before, after, others };
  });
  for (const other of others) context.notifyChanged({ kind: 'node', nodeID: other });
  context.notifyChanged({ kind: 'node', nodeID, ours: mayReadAlike(before, after) });
  return after;
}
