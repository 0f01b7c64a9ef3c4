import { expect, it, onTestFinished } from 'vitest';
import type { Federation } from '../../../server/federation/federation.ts';
import type { OfferedDefinition } from '../../../server/federation/offers/known-offers.ts';
import { createDismissals } from '../../../server/app/dismissals.ts';
import { listOffers } from '../../../server/app/offers.ts';
import { OverviewSource } from '../../../server/app/overview.ts';
import { english } from '../../../server/words/said.ts';
import { createArrivedToday } from '../../../server/app/arrived-today.ts';
import { openSettings } from '../../../server/app/settings.ts';
import type { Lists } from '../../../server/lists/lists.ts';
import { createIds } from '../../../server/base/ids.ts';
import type { Sync } from '../../../server/sync/sync.ts';
import { countingStore } from '../../support/reading/counting-store.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';
import { openOwnStore, partsOver, pullEngine } from '../../support/harness/parts.ts';
import { Ledger } from '../../../server/federation/sharing/ledger.ts';

const MATCHED_OF = 4;

/** An office with one partner that offers so many lists, of which every fourth is received. */
async function offered(lists: number): Promise<{
  readonly nodeID: string;
  readonly federation: Federation;
  readonly lists: Lists;
  readonly sync: Sync;
  readonly taken: () => number;
  readonly overview: OverviewSource;
}> {
  const clock = manualClock();
  const ids = createIds(clock, 1);
  const own = await openOwnStore({ clock });
  onTestFinished(own.close);
  const counting = countingStore(own.store);
  const { store } = counting;
  const parts = await partsOver(store, { clock, ids });
  const { federation } = parts;
  const sync = await pullEngine(store, parts, { clock, ids });
  const { nodeID } = await federation.nodes.create({ name: 'Braga' }, '0');
  const { namespaceID } = await parts.lists.defaultNamespace();
  const offers = Array.from({ length: lists }, (_, number): OfferedDefinition => offer(number));
  const { added } = await federation.shared.reconcile(nodeID, offers, { complete: true });
  for (const [number, { moduleID, name, fields }] of added.entries()) {
    if (number % MATCHED_OF > 0) continue;
    const into = await parts.lists.createModule(namespaceID, {
      name,
      fields: fields.map((field) => ({ ...field })),
    });
    const match = fields.map((field) => ({ origin: field, destination: field }));
    await federation.mappings.set(nodeID, moduleID, {
      composeModuleID: into.moduleID,
      fields: match,
      shape: 1,
    });
  }
  const system = await store.partition('system');
  const overview = new OverviewSource({
    ...{ federation, lists: parts.lists, sync, store, system, clock },
    secrets: { open: (sealed) => Promise.resolve(sealed) },
    today: createArrivedToday({ history: sync.history, ledger: new Ledger({ store, clock }), clock }),
    settings: await openSettings(system, {}, () => undefined),
    dismissals: createDismissals(system),
    strangers: { list: () => Promise.resolve([]) },
    files: { watched: { all: () => Promise.resolve([]) }, copies: { all: () => Promise.resolve([]) } },
    notice: () => undefined,
    version: '0',
    addresses: () => [],
    reachable: () => false,
  });
  return { nodeID, federation, lists: parts.lists, sync, taken: () => counting.taken(), overview };
}

function offer(number: number): OfferedDefinition {
  const fields = ['Street', 'Town', 'Telephone'].slice(0, 1 + (number % 3));
  return {
    externalFederationModuleID: String(7000 + number),
    externalComposeModuleID: String(9000 + number),
    handle: `customers_${number}`,
    name: `Customers of district ${number}`,
    fields: fields.map((name) => ({ kind: 'String', name, label: name, isMulti: false })),
  };
}

const QUESTIONS = {
  state: (office) => office.sync.status(office.nodeID),
  overview: (office) => office.overview.overview('en'),
  offers: (office) => listOffers(office, office.nodeID, english),
  matches: (office) => office.federation.mappings.list(office.nodeID),
} satisfies Record<string, (office: Awaited<ReturnType<typeof offered>>) => Promise<unknown>>;

it('a partner that offers four times the lists costs about four times the reading, and no more', async () => {
  const [few, many] = [await offered(40), await offered(160)];
  for (const [name, ask] of Object.entries(QUESTIONS)) {
    await Promise.all([ask(few), ask(many)]);
    few.taken();
    many.taken();
    await ask(few);
    const once = few.taken();
    await ask(many);
    expect(once, name).toBeGreaterThan(9);
    expect(many.taken() / once, name).toBeLessThan(4.2);
  }
});

it('one offer of many is found without looking at the others', async () => {
  const { nodeID, federation, taken } = await offered(120);
  const [first] = await federation.shared.list(nodeID);
  taken();
  expect((await federation.shared.get(nodeID, first?.moduleID ?? '')).handle).toBe('customers_0');
  expect((await federation.shared.get(nodeID, '7093')).handle).toBe('customers_93');
  expect(taken()).toBeLessThan(10);
});
