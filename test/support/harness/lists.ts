import { onTestFinished } from 'vitest';
import { openLists, type Lists } from '../../../server/lists/lists.ts';
import type { FieldInput } from '../../../server/lists/definitions/inputs.ts';
import type { IncomingRow, Module, Values, ListsChange } from '../../../server/lists/definitions/model.ts';
import type { Rows } from '../../../server/lists/rows/rows.ts';
import { systemClock, type Clock } from '../../../server/base/clock.ts';
import { createIds, type Ids } from '../../../server/base/ids.ts';
import type { DiskStore } from '../../../server/store/engine/open-store.ts';
import { openOwnStore } from './parts.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { manualClock, type ManualClock } from './manual-clock.ts';

export interface TestLists {
  readonly lists: Lists;
  readonly store: DiskStore;
  readonly clock: ManualClock;
  readonly ids: Ids;
  /** Everything that `onChange` told, oldest first. */
  readonly changes: ListsChange[];
  /** Closes the store and opens it again, as after a restart. */
  reopen(): Promise<TestLists>;
}

/** Real lists in a folder of the test's own, removed when the test ends. */
export async function testLists(): Promise<TestLists> {
  const { path, remove } = await temporaryFolder();
  const clock = manualClock();
  const ids = createIds(clock, 1);
  let store: DiskStore | undefined;
  onTestFinished(async () => {
    await store?.close();
    await remove();
  });
  const open = async (): Promise<TestLists> => {
    const changes: ListsChange[] = [];
    const opened = await listsAt(path, { clock, ids, onChange: (change) => void changes.push(change) });
    ({ store } = opened);
    return {
      ...opened,
      clock,
      ids,
      changes,
      async reopen() {
        await opened.store.close();
        return open();
      },
    };
  };
  return open();
}

/** The lists of a folder, of whose changes nobody else hears: what a node leaves that is killed behind one, or damage. */
export async function listsAt(
  dataDir: string,
  {
    clock = systemClock,
    ids = createIds(clock),
    onChange = (): void => undefined,
  }: { clock?: Clock; ids?: Ids; onChange?: (change: ListsChange) => void } = {},
): Promise<{ readonly store: DiskStore; readonly lists: Lists }> {
  const { store } = await openOwnStore({ dataDir, clock });
  return { store, lists: await openLists({ store, clock, ids, onChange }) };
}

export const text = (name: string, more: Partial<FieldInput> = {}): FieldInput => ({
  kind: 'String',
  name,
  ...more,
});

/** A list with these columns in the default workspace. */
export async function makeList(
  { lists }: TestLists,
  fields: readonly FieldInput[] = [text('Name'), text('City'), text('Note')],
  name = 'Customers',
): Promise<{ module: Module; rows: Rows }> {
  const { namespaceID } = await lists.defaultNamespace();
  const module = await lists.createModule(namespaceID, { name, fields });
  return { module, rows: await lists.rows(module.moduleID) };
}

/** `{Name: 'a'}` as values of one text each. */
export function values(texts: Readonly<Record<string, string>>): Values {
  return Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, [value]]));
}

/** A row of a partner as it is once converted, changed there at `minute` minutes past midnight; `''` is no value. */
export function incoming(
  recordID: string,
  minute: number,
  texts: Readonly<Record<string, string>>,
  more: Partial<IncomingRow> = {},
): IncomingRow {
  return {
    recordID,
    createdAt: '2025-01-01T00:00:00Z',
    updatedAt: minuteTime(minute),
    values: values(Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))),
    ...more,
  };
}

export function minuteTime(minute: number): string {
  return new Date(Date.UTC(2025, 0, 1, 0, minute)).toISOString();
}
