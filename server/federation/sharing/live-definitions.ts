import type { FieldKind } from '../../base/vocabulary.ts';
import type { FieldDescriptor } from '../../lists/definitions/model.ts';
import type { Partition, Table, Tx } from '../../store/store.ts';
import type { Exposure, Node } from '../model.ts';
import { EXPOSURES, NODES } from '../tables.ts';
import { descriptorOf } from './columns.ts';
import { isOfLedger } from './ledger-parts.ts';

export const LIVE_DEFINITIONS = 'live-definitions';

/** Returns whether a restore leaves a partition unchanged, as what was sent can't be undone. */
export const isKeptOnRestore = (partition: string): boolean =>
  isOfLedger(partition) || partition === LIVE_DEFINITIONS;

/** By exposure id: as a live server first received it. */
interface PinnedDefinition {
  /** `tokenSince` of the connection it was sent over. */
  readonly since?: string | undefined;
  readonly name: string;
  readonly handle: string;
  readonly columns: readonly (FieldDescriptor & { readonly fieldID: string })[];
}

const PINNED: Table<PinnedDefinition> = { name: 'live-definition' };

/** Set once earlier versions' shares are pinned. */
const EARLIER_PINNED: Table<true> = { name: 'earlier-shares-pinned' };
const EARLIER_KEY = 'live';

/**
 * Exposures as live servers know them: they copy one at the first fetch, and stop for good if a label, kind
 * or the order differs (docs/live-servers.md: What a changed definition does).
 */
export interface LiveDefinitions {
  /** Returns the exposure as pinned for the present connection; the first call pins it durably. */
  pin(exposure: Exposure, node: Pick<Node, 'tokenSince'>): Promise<Exposure>;
  /** Returns the exposure with only pinned columns, under pinned names; unchanged without pins. */
  asPinned(exposure: Exposure): Promise<Exposure>;
  /** Returns the pinned definition; undefined before this connection's first. */
  pinned(
    exposure: Pick<Exposure, 'moduleID'>,
    node: Pick<Node, 'tokenSince'>,
  ): Promise<Pick<PinnedDefinition, 'name' | 'columns'> | undefined>;
}

/** Sent as names, which live servers refuse in these kinds. */
const LEAVING_AS_TEXT: ReadonlySet<string> = new Set(['User', 'Record', 'File']);

/**
 * Opens the definitions that live servers were sent, which stay as pinned; moves or makes older versions'. Only offices
 * with a live partner need `openPins`.
 */
export async function openLiveDefinitions(
  system: Partition,
  openPins: () => Promise<Partition>,
): Promise<LiveDefinitions> {
  await movePins(system, openPins);
  await pinEarlierShares(system, openPins);
  return {
    /** Returns the share as pinned for the connection; pins the present definition if there is none. */
    async pin(exposure, node) {
      const { moduleID } = exposure;
      const pins = await openPins();
      const pinned =
        (await pinnedForConnection(pins, moduleID, node)) ?? (await pinPresent(pins, exposure, node));
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

    /**
     * Returns the share with its columns as pinned, without those no longer shared; unchanged without a pin. The pin
     * may be of an earlier connection.
     */
    async asPinned(exposure) {
      const pinned = await (await openPins()).get(PINNED, exposure.moduleID);
      if (!pinned) return exposure;
      const columns = pinned.columns.filter(({ fieldID }) => exposure.fieldIDs.includes(fieldID));
      return {
        ...exposure,
        ...{ fields: columns.map(descriptorOf), fieldIDs: columns.map(({ fieldID }) => fieldID) },
      };
    },

    pinned: async ({ moduleID }, node) => pinnedForConnection(await openPins(), moduleID, node),
  };
}

/** Returns the list's name, numbered if one of this name and handle is pinned: the server refuses a second one. */
async function uniqueName(
  pins: Partition,
  { name, handle }: Exposure,
  { tokenSince }: Pick<Node, 'tokenSince'>,
): Promise<string> {
  const all = await pins.page(PINNED, { limit: 100_000 });
  const taken = new Set(
    all.flatMap(({ value }) => (value.since === tokenSince && value.handle === handle ? [value.name] : [])),
  );
  let unlike = name;
  for (let number = 2; taken.has(unlike); number++) unlike = `${name} (${number})`;
  return unlike;
}

/**
 * Pins the present definition unless one is pinned, and returns the pinned one. Kinds that live servers refuse become
 * text.
 */
async function pinPresent(
  pins: Partition,
  exposure: Exposure,
  node: Pick<Node, 'tokenSince'>,
): Promise<PinnedDefinition> {
  const name = await uniqueName(pins, exposure, node);
  return pins.transaction(async (tx) => {
    const present = await pinnedForConnection(tx, exposure.moduleID, node);
    if (present) return present;
    const asText = (kind: FieldKind): FieldKind => (LEAVING_AS_TEXT.has(kind) ? 'String' : kind);
    const fresh = toPinned({ ...exposure, name }, node.tokenSince, asText);
    tx.put(PINNED, exposure.moduleID, fresh);
    return fresh;
  });
}

/** Returns the definition pinned for the present connection, if any. */
async function pinnedForConnection(
  source: Tx | Partition,
  moduleID: string,
  { tokenSince }: Pick<Node, 'tokenSince'>,
): Promise<PinnedDefinition | undefined> {
  const pinned = await source.get(PINNED, moduleID);
  return pinned?.since === tokenSince ? pinned : undefined;
}

/** Returns a share's definition as pinned for a connection (`since`), with each column's kind by `kindOf`. */
function toPinned(
  { name, handle, fields, fieldIDs }: Exposure,
  since: string | undefined,
  kindOf: (kind: FieldKind) => FieldKind = (kind) => kind,
): PinnedDefinition {
  const columns = fields.map((field, at) => ({
    ...{ ...descriptorOf(field), kind: kindOf(field.kind), fieldID: fieldIDs[at] ?? '' },
  }));
  return { since, name, handle, columns };
}

/** Moves older versions' pins to their own partition, where newer ones stay. */
async function movePins(system: Partition, openPins: () => Promise<Partition>): Promise<void> {
  const earlier = await system.page(PINNED, { limit: 100_000 });
  if (earlier.length === 0) return;
  await (
    await openPins()
  ).transaction(async (tx) => {
    for (const { key, value } of earlier) if (!(await tx.get(PINNED, key))) tx.put(PINNED, key, value);
  });
  await system.transaction((tx) => {
    for (const { key } of earlier) tx.delete(PINNED, key);
  });
}

/** Pins, once, open shares with live servers, which older versions had sent and not stored. Existing pins stay. */
async function pinEarlierShares(system: Partition, openPins: () => Promise<Partition>): Promise<void> {
  if (await system.get(EARLIER_PINNED, EARLIER_KEY)) return;
  for (const { value: exposure } of await system.page(EXPOSURES, { limit: 100_000 })) {
    const node = await system.get(NODES, exposure.nodeID);
    const isShared = node?.dialect === 'live' && exposure.deletedAt === undefined;
    if (!isShared || node.tokenSince === undefined) continue;
    const earlier = toPinned(exposure, node.tokenSince);
    await (
      await openPins()
    ).transaction(async (tx) => {
      if (!(await tx.get(PINNED, exposure.moduleID))) tx.put(PINNED, exposure.moduleID, earlier);
    });
  }
  await system.transaction((tx) => {
    tx.put(EARLIER_PINNED, EARLIER_KEY, true);
  });
}
