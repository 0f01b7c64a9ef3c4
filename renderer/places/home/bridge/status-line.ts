import type { InboxItem } from '../../../../server/contract/app/overview.ts';
import type { Translate } from '../../../text/catalogue.ts';

/** Returns an inbox item's subject in two or three words, shown beside its partner's name. */
export function statusLine(t: Translate, { kind, listName = '' }: InboxItem): string {
  switch (kind) {
    // Without a partner: never shown beside one.
    case 'stranger':
    case 'store-notice':
    case 'file-waits':
    case 'file-problem':
    case 'kept-withdrawn':
      return t('state.needs-you');
    default:
      return t(`brief.${kind}`, { list: listName });
  }
}
