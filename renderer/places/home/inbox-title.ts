import type { InboxItem } from '../../../server/contract/app/overview.ts';
import type { Translate } from '../../text/catalogue.ts';

/** What an item is about, in one line. */
export const inboxTitle = (t: Translate, { kind, partner = '', listName = '' }: InboxItem): string =>
  t(`inbox.${kind}`, { partner, list: listName });
