import { describe, expect, it } from 'vitest';
import type { Exposure, Mapping, Node, SharedModule } from '../../../server/federation/model.ts';
import type { InboxFacts } from '../../../server/app/inbox/draft.ts';
import { createPartnerItems } from '../../../server/app/inbox/inbox.ts';
import { storeItems } from '../../../server/app/inbox/store-items.ts';
import type { StoreNotice } from '../../../server/store/store.ts';
import type { Language } from '../../../server/base/vocabulary.ts';
import { english, said, speak } from '../../../server/words/said.ts';
import { pairedNode } from '../../support/data/paired-node.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const node = pairedNode({ nodeID: '10', sharedNodeID: '20', name: 'Harbour Office', role: 'inviter' });
/** One whose token does not renew itself. */
const lasting: Node = { ...node, footbridge: false };
const name = { kind: 'String', name: 'Name', label: 'Name', isMulti: false } as const;
const offer: SharedModule = {
  moduleID: '30',
  nodeID: '10',
  externalFederationModuleID: '40',
  handle: 'customers',
  name: 'Customers',
  fields: [name],
  createdAt: '2026-11-02T00:00:00Z',
};
const mapping: Mapping = {
  nodeID: '10',
  federationModuleID: '30',
  composeModuleID: '50',
  composeNamespaceID: '60',
  fields: [{ origin: name, destination: name }],
  shape: 1,
  createdAt: '2026-11-03T00:00:00Z',
};
const list = { nodeID: '10', sharedModuleID: '30', moduleID: '50', couldNotApply: 0 };
const ASKED_AT = '2026-11-19T12:00:00Z';
const ENDED_AND_ASKS: Node = { ...node, status: 'unpaired', removeRequestedAt: ASKED_AT };
const calm: InboxFacts = {
  node,
  offers: [offer],
  mappings: [mapping],
  exposures: [],
  listNames: new Map([['50', 'Clients']]),
  lists: [list],
};

const kinds = (facts: Partial<InboxFacts>): string[] =>
  createPartnerItems({ ...calm, ...facts }, NOW).map(({ kind }) => kind);

describe('the inbox', () => {
  it('is empty while nothing needs the user', () => {
    expect(createPartnerItems(calm, NOW)).toEqual([]);
  });

  it('warns before the yes to a partner that would be called without encryption', () => {
    const asked = { ...node, status: 'pair_requested' } as const;
    const said = (baseURL: string): string =>
      english(createPartnerItems({ ...calm, node: { ...asked, baseURL } }, NOW)[0]?.message ?? '');
    expect(said('http://harbour.local:7420/federation')).toMatch(/Not encrypted/);
    expect(said('https://harbour.example/federation')).not.toMatch(/encrypted/);
    expect(said('')).not.toMatch(/encrypted/);
    for (const own of ['127.0.0.1', 'localhost', '[::1]'])
      expect(said(`http://${own}:7420/federation`)).not.toMatch(/encrypted/);
  });

  it('asks to match no column again that the partner removed', () => {
    const saidOf = (fields: SharedModule['fields'], parkedBy: 'partner' | 'us'): string => {
      const parked = { origin: name, destination: name, parked: 'gone', parkedBy };
      const facts = { offers: [{ ...offer, fields }], mappings: [{ ...mapping, fields: [parked] }] };
      return english(createPartnerItems({ ...calm, ...facts }, NOW)[0]?.message ?? '');
    };
    expect(saidOf([], 'partner')).toMatch(/^Harbour Office no longer shares .+ of “Clients”: Name\./);
    expect(saidOf([{ ...name, kind: 'Number' }], 'partner')).toMatch(/Match these again: Name\./);
    expect(saidOf([], 'us')).toMatch(/Match these again: Name\./);
  });

  it.each<[string, Partial<InboxFacts>, string[]]>([
    ['asks to approve', { node: { ...node, status: 'pair_requested' } }, ['pair-request']],
    ['does not ask the one who asked', { node: { ...node, status: 'pair_requested', role: 'invitee' } }, []],
    ['says that a connection ended', { node: { ...node, status: 'unpaired' } }, ['connection-ended']],
    [
      'says it once where the partner asks to remove its rows as well',
      { node: ENDED_AND_ASKS, removeRequest: { at: ASKED_AT, rows: 12 } },
      ['remove-request'],
    ],
    [
      'offers nothing of a former partner that needs it',
      { node: { ...node, status: 'unpaired' }, lists: [{ ...list, kept: 5, couldNotApply: 3 }] },
      ['connection-ended'],
    ],
    [
      'offers nothing of a list that is no longer shared and would have to come from the partner',
      {
        offers: [{ ...offer, withdrawnAt: '2026-11-19T00:00:00Z' }],
        lists: [{ ...list, kept: 5, couldNotApply: 3 }],
      },
      ['list-withdrawn'],
    ],
    [
      'asks about rows of a former partner that wait here',
      {
        node: { ...node, status: 'unpaired' },
        lists: [{ ...list, brake: { removes: 40, empties: 0, of: 50 }, doubles: 2 }],
      },
      ['connection-ended', 'brake', 'doubles'],
    ],
    [
      'warns before a connection ends that cannot renew itself',
      { node: { ...lasting, tokenSince: '2026-11-20T02:00:00Z', tokenExpiresAt: '2026-11-20T14:00:00Z' } },
      ['connection-ending'],
    ],
    [
      'does not warn from the first minute of a short one',
      { node: { ...lasting, tokenSince: '2026-11-20T11:59:00Z', tokenExpiresAt: '2026-11-20T14:00:00Z' } },
      [],
    ],
    [
      'does not warn of the end of a long one more than a week before',
      { node: { ...lasting, tokenSince: '2025-11-20T12:00:00Z', tokenExpiresAt: '2026-11-28T12:00:00Z' } },
      [],
    ],
    [
      'warns half an hour before where nobody wrote down how long it lasts',
      { node: { ...lasting, tokenExpiresAt: '2026-11-20T12:29:00Z' } },
      ['connection-ending'],
    ],
    [
      'says that a connection ended by time, before anything else noticed',
      { node: { ...node, footbridge: false, tokenExpiresAt: '2026-11-20T11:59:59Z' } },
      ['connection-ended'],
    ],
    [
      'does not warn where it renews itself',
      { node: { ...node, tokenExpiresAt: '2026-11-20T13:00:00Z' } },
      [],
    ],
    [
      'says that a list which we receive is no longer shared',
      { offers: [{ ...offer, withdrawnAt: '2026-11-19T00:00:00Z' }] },
      ['list-withdrawn'],
    ],
    [
      'says with that what waits of it, and asks no second time',
      {
        offers: [{ ...offer, withdrawnAt: '2026-11-19T00:00:00Z' }],
        lists: [{ ...list, brake: { removes: 40, empties: 0, of: 50 } }],
      },
      ['list-withdrawn'],
    ],
    ['shows an offered list', { mappings: [] }, ['list-offered']],
    ['leaves out a dismissed one', { mappings: [], offers: [{ ...offer, dismissedAt: 'x' }] }, []],
    [
      'shows columns that changed',
      { mappings: [{ ...mapping, fields: [{ origin: name, destination: name, parked: 'gone' }] }] },
      ['columns-changed'],
    ],
    [
      'asks for no column of a list that is no longer shared',
      {
        offers: [{ ...offer, withdrawnAt: '2026-11-19T00:00:00Z' }],
        mappings: [{ ...mapping, fields: [{ origin: name, destination: name, parked: 'gone' }] }],
      },
      ['list-withdrawn'],
    ],
    ['shows a brake', { lists: [{ ...list, brake: { removes: 40, empties: 0, of: 50 } }] }, ['brake']],
    ['shows rows that did not fit', { lists: [{ ...list, couldNotApply: 3 }] }, ['could-not-apply']],
    ['shows rows that the user kept', { lists: [{ ...list, kept: 5, settled: 2 }] }, ['kept']],
    ['asks no more about those that are to stay so', { lists: [{ ...list, kept: 5, settled: 5 }] }, []],
  ])('%s', (_what, facts, expected) => {
    expect(kinds(facts)).toEqual(expected);
  });

  it('dismissed as a request to remove rows, an end stays so once they are removed', () => {
    const idsOf = (facts: Partial<InboxFacts>): string[] =>
      createPartnerItems({ ...calm, node: ENDED_AND_ASKS, ...facts }, NOW).map(({ itemID }) => itemID);
    expect(idsOf({})).toEqual(idsOf({ removeRequest: { at: ASKED_AT, rows: 12 } }));
  });

  it.each([
    ['2026-11-20T12:00:30Z', 'one minute'],
    ['2026-11-20T13:59:00Z', '119 minutes'],
    ['2026-11-20T14:00:00Z', '2 hours'],
    ['2026-11-25T12:00:00Z', '5 days'],
  ])('says how long a connection has still to go: until %s it is %s', (tokenExpiresAt, words) => {
    const tokenSince = '2026-09-01T12:00:00Z';
    const [item] = createPartnerItems({ ...calm, node: { ...lasting, tokenSince, tokenExpiresAt } }, NOW);
    expect(english(item?.message ?? '')).toContain(`ends in ${words} and`);
  });

  it('says the effect of a brake in numbers, and where', () => {
    const [item] = createPartnerItems(
      { ...calm, lists: [{ ...list, brake: { removes: 40, empties: 0, of: 50 } }] },
      NOW,
    );
    expect(item).toMatchObject({ rows: 40, listName: 'Clients', partner: 'Harbour Office' });
    expect(english(item?.message ?? '')).toContain('remove 40 of 50 rows');
  });

  it('names beside the rows that would be removed those that would be emptied', () => {
    const brake = { removes: 19, empties: 8, of: 60 };
    const [item] = createPartnerItems({ ...calm, lists: [{ ...list, brake }] }, NOW);
    expect(item).toMatchObject({ rows: 27 });
    expect(english(item?.message ?? '')).toMatch(/remove 19 of 60 rows .* 8 other rows would lose values/);
  });

  it('tells of values that were lost before also where rows would be removed', () => {
    const brake = { removes: 45, empties: 3, of: 100, gone: 7, emptied: 28 };
    const [item] = createPartnerItems({ ...calm, lists: [{ ...list, brake }] }, NOW);
    expect(english(item?.message ?? '')).toMatch(
      /remove 45 more of 100 rows .*, after 7 .* 3 other rows would lose values, after 28 earlier/,
    );
  });

  it('does not say of a brake that nothing went, where some went before it', () => {
    const brake = { removes: 80, empties: 0, of: 400, gone: 101 };
    const [item] = createPartnerItems({ ...calm, lists: [{ ...list, brake }] }, NOW);
    expect(english(item?.message ?? '')).toContain('remove 80 more of 400 rows in “Clients”, after 101');
    expect(english(item?.message ?? '')).not.toContain('Nothing');
  });

  it('names columns that left a share because their kind changed, also where nothing of it is left', () => {
    const retyped = { at: '2026-11-19T08:00:00Z', columns: ['Kunde', 'Vertreter'] };
    const shared: Exposure = {
      ...{ moduleID: '40', nodeID: '10', composeModuleID: '50', composeNamespaceID: '60' },
      ...{ handle: 'auftraege', name: 'Aufträge', fields: [], fieldIDs: [], shape: 1 },
      ...{ createdAt: '2026-11-03T00:00:00Z', createdBy: '1', deletedAt: retyped.at, retyped },
    };
    const [item] = createPartnerItems({ ...calm, exposures: [shared] }, NOW);
    expect(item).toMatchObject({ kind: 'columns-unshared', moduleID: '50', listName: 'Aufträge' });
    expect(speak(item?.message ?? '', 'de')).toMatch(
      /Art dieser Spalten .*: Kunde, Vertreter\. .* wählen Sie/,
    );
  });

  it('brings a dismissed item back only when its facts change', () => {
    const id = (couldNotApply: number): string | undefined =>
      createPartnerItems({ ...calm, lists: [{ ...list, couldNotApply }] }, NOW)[0]?.itemID;
    expect(id(3)).toBe(id(3));
    expect(id(4)).not.toBe(id(3));
  });

  it('names both partners that say that they are the same office', () => {
    const [item] = createPartnerItems(
      { ...calm, node: { ...node, installation: 'oslo' }, sameAs: 'Quay' },
      NOW,
    );
    expect(item).toMatchObject({ kind: 'same-office', nodeID: '10' });
    expect(english(item?.message ?? '')).toMatch(
      /^Harbour Office and Quay both claim .* disconnect the wrong one/,
    );
  });

  const names = new Map([['7', 'Clients']]);
  const notice = (code: StoreNotice['code'], partition?: string): StoreNotice => {
    const words = said('store.aside-missing', { n: 12 });
    const about = partition === undefined ? {} : { partition };
    return { at: '2026-11-20T00:00:00Z', code, message: english(words), said: words, file: 'x', ...about };
  };

  it('tells what the store repaired, but not what needs no attention', () => {
    expect(storeItems([notice('stale-lock')], names)).toEqual([]);
    expect(storeItems([notice('damaged-put-aside')], names)).toMatchObject([{ kind: 'store-notice' }]);
  });

  it('says in which list something is missing, and how much', () => {
    const told = (partition: string, language: Language): string =>
      speak(storeItems([notice('damaged-put-aside', partition)], names)[0]?.message ?? '', language);
    expect(told('list-7', 'en')).toMatch(
      /^“Clients”: .* newest changes .* are missing, 12 in all\. Look through/,
    );
    expect(told('list-7', 'de')).toMatch(
      /^„Clients“: .* neuesten .* Änderungen fehlen, insgesamt 12\. Sehen Sie/,
    );
    expect(told('list-8', 'en')).toMatch(/^Files were damaged/);
    expect(told('system', 'en')).toMatch(
      /^Settings, partners and shares: .* Check with each partner what you share\.$/,
    );
    expect(told('system', 'de')).toMatch(/^Einstellungen, Partner und Freigaben: /);
  });
});
