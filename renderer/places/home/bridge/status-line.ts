import type { InboxItem } from '../../../../server/contract/app/overview.ts';
import type { Translate } from '../../../text/catalogue.ts';

/**
 * Returns an inbox item's subject in two or three words, to show beside its partner's name; "needs you" for the kinds
 * that have none.
 */
export function statusLine(t: Translate, { kind, listName = '' }: InboxItem): string {
  switch (kind) {
    // Never shown beside a partner.
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
