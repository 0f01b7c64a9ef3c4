import type { PartnerDetail } from '../../../../server/contract/app/overview.ts';
import type { App } from '../../../state/app.svelte.ts';

/** Returns in words who compared the verification words with whom, as far as known, and when. */
export function wordsCompared(
  { t, format }: Pick<App, 't' | 'format'>,
  { at, name, spokeTo }: NonNullable<PartnerDetail['wordsCompared']>,
): string {
  const date = format.date(at);
  if (name && spokeTo) return t('words.compared-both', { name, spokeTo, date });
  if (name) return t('words.compared-by', { name, date });
  return spokeTo ? t('words.compared-with', { spokeTo, date }) : t('words.compared', { date });
}
