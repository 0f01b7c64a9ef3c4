import type { FieldDescriptor } from '../../lists/definitions/model.ts';
import type { Partition, Table } from '../../store/store.ts';
import type { Exposure } from '../model.ts';
import { descriptorOf } from './columns.ts';
import { SERVED } from './puller-marks.ts';

/** The definition of one exposure as a live server was first told it. Key: the exposure's id. */
interface ToldDefinition {
  readonly name: string;
  readonly handle: string;
  readonly columns: readonly (FieldDescriptor & { readonly fieldID: string })[];
}

const TOLD: Table<ToldDefinition> = { name: 'told-to-live-server' };

/**
 * Pins the definition of an exposure towards a live server for the exposure's life. Such a server compares all
 * descriptors, and stops fetching the list for good when a label, kind or the order differs. It matches columns by
 * name, so a column renamed here would arrive empty there (docs/live-servers.md: What a changed definition does).
 */
export interface LiveDefinitions {
  /** Returns the exposure as the server is told of it. The first call pins that; it is durable when it resolves. */
  tell(exposure: Exposure): Promise<Exposure>;
  /** Returns the shared columns under their told names, without those that the server was never told of. */
  asTold(exposure: Exposure): Promise<Exposure>;
  /** Returns the ids of the pinned columns; undefined before anything was told. */
  toldFieldIDs(moduleID: string): Promise<readonly string[] | undefined>;
}

/** Kinds whose values leave as names. In a field of the same kind a live server refuses them, and the whole row. */
const LEAVING_AS_TEXT: ReadonlySet<string> = new Set(['User', 'Record', 'File']);

export function createLiveDefinitions(system: Partition): LiveDefinitions {
  /** @param isServed rows left already: an older version told the true kinds, and another kind would stop the server */
  function definitionOf({ name, handle, fields, fieldIDs }: Exposure, isServed: boolean): ToldDefinition {
    const columns = fields.map((field, at) => {
      const kind = !isServed && LEAVING_AS_TEXT.has(field.kind) ? 'String' : field.kind;
      return { ...descriptorOf(field), kind, fieldID: fieldIDs[at] ?? '' };
    });
    return { name, handle, columns };
  }

  return {
    async tell(exposure) {
      const { moduleID } = exposure;
      const pinned =
        (await system.get(TOLD, moduleID)) ??
        (await system.transaction(async (tx) => {
          const present = await tx.get(TOLD, moduleID);
          if (present) return present;
          const fresh = definitionOf(exposure, (await tx.get(SERVED, moduleID)) !== undefined);
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

    async toldFieldIDs(moduleID) {
      return (await system.get(TOLD, moduleID))?.columns.map(({ fieldID }) => fieldID);
    },
  };
}
