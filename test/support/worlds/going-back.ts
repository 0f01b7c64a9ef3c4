import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PartnerDetail } from '../../../server/contract/app/overview.ts';
import type { Comparison, Offer } from '../../../server/contract/app/sharing.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { pairNodes, rowsOf, shareAndReceive, startNode, type NodeOffice } from '../harness/node.ts';
import { approveDeletions } from '../harness/approve-deletions.ts';

/** One of two offices whose whole data folder can be put back to an older copy of it. */
export interface Office {
  readonly name: 'Oslo' | 'Bergen';
  /** Another one after each start. */
  node: NodeOffice;
  readonly list: string;
  /** The other one, as this one knows it. */
  readonly partner: string;
  /** Copies the folder of an office while it is closed. */
  copy(): Promise<void>;
  /** Puts the copy in the place of what it has now: all of it is older, and whole. */
  putBack(): Promise<void>;
  restart(): Promise<void>;
  /** Rows as `Name,Town`. */
  add(rows: readonly string[]): Promise<void>;
  /** The row of this name goes to another town; nothing where there is none. */
  change(name: string, town: string): Promise<void>;
  rename(name: string, other: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** As its grid shows them. */
  shown(): Promise<string[]>;
  /** What it says of the other one. */
  says(): Promise<string>;
}

/** Oslo shares its customers with Bergen. */
export interface GoingBack {
  readonly oslo: Office;
  readonly bergen: Office;
  /** At Bergen. */
  sync(): Promise<void>;
  offer(): Promise<Offer>;
  compare(): Promise<Comparison>;
  /** The rows that wait for a word, as the file that its user saves. */
  waitingFile(): Promise<string>;
  decide(go: boolean): Promise<void>;
  close(): Promise<void>;
}

export async function goingBack(rows: readonly string[]): Promise<GoingBack> {
  const folder = await temporaryFolder();
  const dataOf = (name: string): string => join(folder.path, name);
  const copyOf = (name: string): string => join(folder.path, `${name}-copy`);
  const start = (name: string, port = 0): Promise<NodeOffice> =>
    startNode(name, { dataDir: dataOf(name), port });

  const [first, second] = [await start('Oslo'), await start('Bergen')];
  const pair = await pairNodes(first, second);
  const customers = await first.list('Customers', ['Name', 'Town']);

  function office(
    name: Office['name'],
    of: { readonly node: NodeOffice; readonly list: string; readonly partner: string },
  ): Office {
    const { port } = of.node;
    const find = async (wanted: string): Promise<string | undefined> =>
      (await rowsOf(it.node, it.list)).find(({ Name }) => Name === wanted)?.recordID;
    const it: Office = {
      name,
      ...of,
      async copy() {
        await it.node.stop();
        await rm(copyOf(name), { recursive: true, force: true });
        await cp(dataOf(name), copyOf(name), { recursive: true });
        it.node = await start(name, port);
      },
      async putBack() {
        await it.node.stop();
        await rm(dataOf(name), { recursive: true });
        await cp(copyOf(name), dataOf(name), { recursive: true });
        it.node = await start(name, port);
      },
      async restart() {
        await it.node.stop();
        it.node = await start(name, port);
      },
      async add(added) {
        await it.node.app('POST', `/app/import?moduleID=${it.list}`, ['Name,Town', ...added].join('\n'));
      },
      async change(wanted, town) {
        const row = await find(wanted);
        if (row === undefined) return;
        await it.node.app('PATCH', `/app/lists/${it.list}/rows/${row}`, { values: { Town: [town] } });
      },
      async rename(wanted, other) {
        const row = await find(wanted);
        if (row === undefined) return;
        await it.node.app('PATCH', `/app/lists/${it.list}/rows/${row}`, { values: { Name: [other] } });
      },
      async remove(wanted) {
        const row = await find(wanted);
        if (row !== undefined) await it.node.app('DELETE', `/app/lists/${it.list}/rows/${row}`);
      },
      shown: async () =>
        (await rowsOf(it.node, it.list)).map(({ Name = '', Town = '' }) => `${Name},${Town}`).sort(),
      says: async () => (await it.node.app<PartnerDetail>('GET', `/app/partners/${it.partner}`)).reason,
    };
    return it;
  }

  const oslo = office('Oslo', { node: first, list: customers, partner: pair.atInviter });
  await oslo.add(rows);
  const shared = await shareAndReceive(
    { office: first, partner: pair.atInviter, list: customers },
    ['Name', 'Town'],
    { office: second, partner: pair.atInvited },
  );
  const bergen = office('Bergen', { node: second, list: shared.list, partner: pair.atInvited });
  const at = `/app/partners/${pair.atInvited}`;
  const offerAt = `${at}/offers/${shared.sharedModuleID}`;

  return {
    oslo,
    bergen,
    sync: async () => {
      await bergen.node.app('POST', `${at}/sync`);
    },
    async offer() {
      const [offer] = await bergen.node.app<Offer[]>('GET', `${at}/offers`);
      if (!offer) throw new Error('Nothing is offered.');
      return offer;
    },
    compare: () => bergen.node.app<Comparison>('POST', `${offerAt}/compare`),
    async waitingFile() {
      return (await bergen.node.fetch(`${offerAt}/waiting.csv`)).text();
    },
    decide: (go) =>
      go ? approveDeletions(bergen.node, offerAt) : bergen.node.app('POST', `${offerAt}/brake`, { go }),
    async close() {
      await Promise.all([oslo.node.stop(), bergen.node.stop()]);
      await folder.remove();
    },
  };
}
