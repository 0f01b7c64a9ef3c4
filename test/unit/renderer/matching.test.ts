import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { displaySamples } from '../../../renderer/places/partners/receive/matching.ts';
import { createFormat } from '../../../renderer/text/format.ts';
import { suggestMappings } from '../../../server/app/suggestions.ts';
import type { ListColumn } from '../../../server/contract/app/lists.ts';
import { english } from '../../../server/words/said.ts';
import { translators } from '../../support/reading/translators.ts';

beforeEach(() => vi.stubGlobal('navigator', { languages: [] }));
afterEach(() => vi.unstubAllGlobals());

type Kind = ListColumn['kind'];
interface Options {
  readonly only?: 'date';
  readonly precision?: number;
  readonly unit?: string;
}
type Column = Omit<ListColumn, 'options'> & { readonly options: Options };
const column = (kind: Kind, options: Options = {}, isMulti = false): Column => ({
  ...{ fieldID: '1', name: 'Column', label: '', isRequired: false },
  ...{ kind, options, isMulti },
});

/** Returns the sample of these values, and what becomes of them in `ours` if that is displayed otherwise. */
async function displayed(theirs: Kind, ours: Column | undefined, values: string[]): Promise<string[]> {
  const origin = column(theirs, {}, values.length > 1);
  const [suggestion] = await suggestMappings(
    [origin],
    ours ? [ours] : [],
    [{ recordID: '1', createdAt: '', updatedAt: '', values: { Column: values } }],
    english,
  );
  if (!suggestion) throw new Error('Nothing was suggested.');
  const wording = { t: translators.de, format: createFormat('de') };
  const [sample] = displaySamples(suggestion, ours, wording);
  return [...new Set([sample?.before ?? '', sample?.after ?? sample?.before ?? ''])];
}

const days = column('DateTime', { only: 'date' }, true);
it.each<[string, Kind, Column | undefined, string[], string[]]>([
  ['a day', 'DateTime', column('DateTime', { only: 'date' }), ['2026-01-13'], ['13.01.2026']],
  ['an amount', 'Number', column('Number', { precision: 2 }), ['6814.20'], ['6.814,20']],
  ['an amount in euros', 'Number', column('Number', { precision: 2, unit: '€' }), ['6814.2'], ['6.814,20 €']],
  ['a number', 'Number', column('Number'), ['6814.20'], ['6814,20']],
  ['what is not received', 'Number', undefined, ['6814.20'], ['6814,20']],
  ['a day that is not received', 'DateTime', undefined, ['2026-01-13'], ['13.01.2026']],
  ['a yes', 'Bool', column('Bool'), ['1'], ['Ja']],
  ['several days', 'DateTime', days, ['2026-01-13', '2026-02-01'], ['13.01.2026, 01.02.2026']],
  [
    'a text that becomes a number',
    'String',
    column('Number', { precision: 2 }),
    ['6814.2'],
    ['6814.2', '6.814,20'],
  ],
  ['a number that becomes text', 'Number', column('String'), ['6814.2'], ['6814,2', '6814.2']],
  ['a text', 'String', column('String'), ['2026-01-13'], ['2026-01-13']],
])('the matching shows %s as the lists do', async (_what, theirs, ours, values, shown) => {
  const nobreak = (text: string): string => text.replaceAll(/\s/g, ' ');
  expect((await displayed(theirs, ours, values)).map(nobreak)).toEqual(shown);
});
