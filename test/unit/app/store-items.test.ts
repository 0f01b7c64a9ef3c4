import { expect, it } from 'vitest';
import { storeItems } from '../../../server/app/inbox/store-items.ts';
import type { StoreNotice } from '../../../server/store/store.ts';
import { LANGUAGES } from '../../../server/base/vocabulary.ts';
import { said, speak } from '../../../server/words/said.ts';

const notice = (partition: string, what: StoreNotice['said']): StoreNotice => ({
  at: '2026-11-24T01:00:00.000Z',
  code: 'restored-from-backup',
  message: speak(what, 'en'),
  file: '',
  partition,
  said: what,
});

it('asks nobody to enter again what an older file of the ledger lacks, in any language', () => {
  const lost = said('store.aside-missing', { n: 6 });
  const told = (partition: string, language: (typeof LANGUAGES)[number]): string =>
    storeItems([notice(partition, lost)], new Map([['7', 'Customers']]))
      .map(({ message }) => speak(message, language))
      .join();
  for (const language of LANGUAGES) {
    expect(told('list-7', language)).toContain(speak(lost, language));
    expect(told('ledger', language)).not.toContain(speak(lost, language));
  }
  expect(told('ledger', 'en')).toMatch(/close Footbridge and put them back/);
});
