import type { FieldKind } from '../../base/vocabulary.ts';
import type { FieldDescriptor } from '../../lists/definitions/model.ts';
import type { Partition, Table, Tx } from '../../store/store.ts';
import type { Exposure, Node } from '../model.ts';
import { EXPOSURES, NODES } from '../tables.ts';
import { descriptorOf } from './columns.ts';

/** The definition of one exposure as a live server got it first. Key: the exposure's id. */
interface PinnedDefinition {
  /** The connection over which it went out: its {@link Node.tokenSince}. */
  readonly since?: string | undefined;
  readonly name: string;
  readonly handle: string;
  readonly columns: readonly (FieldDescriptor & { readonly fieldID: string })[];
}

const PINNED: Table<PinnedDefinition> = { name: 'live-definition' };

/** Set once the shares of earlier versions are pinned. */
const EARLIER_PINNED: Table<true> = { name: 'earlier-shares-pinned' };
const EARLIER_KEY = 'live';

/**
 * Pins the definition of an exposure towards a live server while the exposure and the connection last: the server copies
 * it at the first fetch, and at each pairing into a new record. Such a server compares all
 * descriptors, and stops fetching the list for good when a label, kind or the order differs. It matches columns by
 * name, so a column renamed here would arrive empty there (docs/live-servers.md: What a changed definition does).
 */
export interface LiveDefinitions {
  /**
   * Returns the exposure as the server gets it. The first call of a connection pins that; it is durable when it
   * resolves.
   */
  pin(exposure: Exposure, node: Pick<Node, 'tokenSince'>): Promise<Exposure>;
  /** Returns the shared columns under their pinned names, without those that are not pinned. */
  asPinned(exposure: Exposure): Promise<Exposure>;
  /** Returns the pinned columns; undefined before anything went out over this connection. */
  pinnedColumns(
    exposure: Pick<Exposure, 'moduleID'>,
    node: Pick<Node, 'tokenSince'>,
  ): Promise<PinnedDefinition['columns'] | undefined>;
}

/** Kinds whose values leave as names. In a field of the same kind a live server refuses them, and the whole row. */
const LEAVING_AS_TEXT: ReadonlySet<string> = new Set(['User', 'Record', 'File']);

export async function openLiveDefinitions(system: Partition): Promise<LiveDefinitions> {
  await pinEarlierShares(system);
  return {
    async pin(exposure, node) {
      const { moduleID } = exposure;
      const pinned =
        (await pinnedOver(system, moduleID, node)) ??
        (await system.transaction(async (tx) => {
          const present = await pinnedOver(tx, moduleID, node);
          if (present) return present;
          const asText = (kind: FieldKind): FieldKind => (LEAVING_AS_TEXT.has(kind) ? 'String' : kind);
          const fresh = definitionOf(exposure, node.tokenSince, asText);
          tx.put(PINNED, moduleID, fresh);
          return fresh;
        }));
      const { name, handle, columns } = pinned;
      return {
        ...exposure,
        ...{
          name,
          handle,
          fields: columns.map(descriptorOf),
          fieldIDs: columns.map(({ fieldID }) => fieldID),
        },
      };
    },

    async asPinned(exposure) {
      const pinned = await system.get(PINNED, exposure.moduleID);
      if (!pinned) return exposure;
      const columns = pinned.columns.filter(({ fieldID }) => exposure.fieldIDs.includes(fieldID));
      return {
        ...exposure,
        ...{ fields: columns.map(descriptorOf), fieldIDs: columns.map(({ fieldID }) => fieldID) },
      };
    },

    async pinnedColumns({ moduleID }, node) {
      return (await pinnedOver(system, moduleID, node))?.columns;
    },
  };
}

/** Returns what is pinned for the present connection. */
async function pinnedOver(
  source: Tx | Partition,
  moduleID: string,
  { tokenSince }: Pick<Node, 'tokenSince'>,
): Promise<PinnedDefinition | undefined> {
  const pinned = await source.get(PINNED, moduleID);
  return pinned?.since === tokenSince ? pinned : undefined;
}

function definitionOf(
  { name, handle, fields, fieldIDs }: Exposure,
  since: string | undefined,
  kindOf: (kind: FieldKind) => FieldKind = (kind) => kind,
): PinnedDefinition {
  const columns = fields.map((field, at) => ({
    ...{ ...descriptorOf(field), kind: kindOf(field.kind), fieldID: fieldIDs[at] ?? '' },
  }));
  return { since, name, handle, columns };
}

/**
 * Pins what versions before the pins sent to a server, with the kinds as they are: it copied them, and would stop at any
 * other. Done once, as later shares have no pin either before they go out.
 */
function pinEarlierShares(system: Partition): Promise<void> {
  return system.transaction(async (tx) => {
    if (await tx.get(EARLIER_PINNED, EARLIER_KEY)) return;
    tx.put(EARLIER_PINNED, EARLIER_KEY, true);
    for (const { value: exposure } of await system.page(EXPOSURES, { limit: 100_000 })) {
      const node = await tx.get(NODES, exposure.nodeID);
      const isShared = node?.dialect === 'live' && exposure.deletedAt === undefined;
      if (!isShared || node.tokenSince === undefined || (await tx.get(PINNED, exposure.moduleID))) continue;
      tx.put(PINNED, exposure.moduleID, definitionOf(exposure, node.tokenSince));
    }
  });
}
