import type { InboxItem } from '../../../../server/contract/app/overview.ts';
import type { Translate } from '../../../text/catalogue.ts';

/** What an item is about in two or three words, beside the name of the partner that it is of. */
export function statusLine(t: Translate, { kind, listName = '' }: InboxItem): string {
  switch (kind) {
    // Of no partner: they never stand beside one.
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
