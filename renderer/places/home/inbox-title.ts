import type { InboxItem } from '../../../server/contract/app/overview.ts';
import type { Translate } from '../../text/catalogue.ts';

/** Returns an item's subject in one line. */
export const inboxTitle = (t: Translate, { kind, partner = '', listName = '' }: InboxItem): string =>
  t(`inbox.${kind}`, { partner, list: listName });
