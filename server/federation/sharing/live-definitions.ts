import type { FieldKind } from '../../base/vocabulary.ts';
import type { FieldDescriptor } from '../../lists/definitions/model.ts';
import type { Partition, Table, Tx } from '../../store/store.ts';
import type { Exposure, Node } from '../model.ts';
import { EXPOSURES, NODES } from '../tables.ts';
import { descriptorOf } from './columns.ts';

/** The definition of one exposure as a live server was first told it. Key: the exposure's id. */
interface ToldDefinition {
  /** The connection over which it was told: its {@link Node.tokenSince}. */
  readonly since?: string | undefined;
  readonly name: string;
  readonly handle: string;
  readonly columns: readonly (FieldDescriptor & { readonly fieldID: string })[];
}

const TOLD: Table<ToldDefinition> = { name: 'told-to-live-server' };

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
   * Returns the exposure as the server is told of it. The first call of a connection pins that; it is durable when it
   * resolves.
   */
  tell(exposure: Exposure, node: Pick<Node, 'tokenSince'>): Promise<Exposure>;
  /** Returns the shared columns under their told names, without those that the server was never told of. */
  asTold(exposure: Exposure): Promise<Exposure>;
  /** Returns the pinned columns; undefined before anything was told over this connection. */
  toldColumns(
    exposure: Pick<Exposure, 'moduleID'>,
    node: Pick<Node, 'tokenSince'>,
  ): Promise<ToldDefinition['columns'] | undefined>;
}

/** Kinds whose values leave as names. In a field of the same kind a live server refuses them, and the whole row. */
const LEAVING_AS_TEXT: ReadonlySet<string> = new Set(['User', 'Record', 'File']);

export async function openLiveDefinitions(system: Partition): Promise<LiveDefinitions> {
  await pinEarlierShares(system);
  return {
    async tell(exposure, node) {
      const { moduleID } = exposure;
      const pinned =
        (await pinnedOver(system, moduleID, node)) ??
        (await system.transaction(async (tx) => {
          const present = await pinnedOver(tx, moduleID, node);
          if (present) return present;
          const asText = (kind: FieldKind): FieldKind => (LEAVING_AS_TEXT.has(kind) ? 'String' : kind);
          const fresh = definitionOf(exposure, node.tokenSince, asText);
          tx.put(TOLD, moduleID, fresh);
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

    async asTold(exposure) {
      const pinned = await system.get(TOLD, exposure.moduleID);
      if (!pinned) return exposure;
      const columns = pinned.columns.filter(({ fieldID }) => exposure.fieldIDs.includes(fieldID));
      return {
        ...exposure,
        ...{ fields: columns.map(descriptorOf), fieldIDs: columns.map(({ fieldID }) => fieldID) },
      };
    },

    async toldColumns({ moduleID }, node) {
      return (await pinnedOver(system, moduleID, node))?.columns;
    },
  };
}

/** What was told over the connection that there is now. */
async function pinnedOver(
  source: Tx | Partition,
  moduleID: string,
  { tokenSince }: Pick<Node, 'tokenSince'>,
): Promise<ToldDefinition | undefined> {
  const pinned = await source.get(TOLD, moduleID);
  return pinned?.since === tokenSince ? pinned : undefined;
}

function definitionOf(
  { name, handle, fields, fieldIDs }: Exposure,
  since: string | undefined,
  asTold: (kind: FieldKind) => FieldKind = (kind) => kind,
): ToldDefinition {
  const columns = fields.map((field, at) => ({
    ...{ ...descriptorOf(field), kind: asTold(field.kind), fieldID: fieldIDs[at] ?? '' },
  }));
  return { since, name, handle, columns };
}

/**
 * Pins what versions before the pins told a server, with the kinds as they are: it copied them, and would stop at any
 * other. Done once, as a later share can be unpinned too, until it is told.
 */
function pinEarlierShares(system: Partition): Promise<void> {
  return system.transaction(async (tx) => {
    if (await tx.get(EARLIER_PINNED, EARLIER_KEY)) return;
    tx.put(EARLIER_PINNED, EARLIER_KEY, true);
    for (const { value: exposure } of await system.page(EXPOSURES, { limit: 100_000 })) {
      const node = await tx.get(NODES, exposure.nodeID);
      const isShared = node?.dialect === 'live' && exposure.deletedAt === undefined;
      if (!isShared || node.tokenSince === undefined || (await tx.get(TOLD, exposure.moduleID))) continue;
      tx.put(TOLD, exposure.moduleID, definitionOf(exposure, node.tokenSince));
    }
  });
}
