import { expect, it } from 'vitest';
import { localeOf } from '../../../server/http/listeners/language.ts';
import { formatterCache } from '../../../server/words/said.ts';

const asking = (language: string): ReturnType<typeof localeOf> =>
  localeOf({ get: ((name: string) => (name === 'accept-language' ? language : undefined)) as never });

it('keeps the formatters that were used last, and no more than 64', () => {
  let made = 0;
  const cache = formatterCache<number>();
  const make = (): number => ++made;
  for (let n = 0; n < 10_000; n++) {
    cache(`en-${n}`, make);
    cache('en-GB', make);
  }
  expect(made).toBe(10_001);
  for (let n = 9_940; n < 10_000; n++) cache(`en-${n}`, make);
  expect(made).toBe(10_001);
  cache('en-9000', make);
  expect(made).toBe(10_002);
});

it('knows the regions that there are, and takes the language alone for the others', () => {
  expect(asking('en-GB').region).toBe('en-GB');
  expect(asking('es-419').region).toBe('es-419');
  expect(asking('de-QZ').region).toBe('de');
  expect(asking('de-937').region).toBe('de');
});
