import type { ListColumn } from '../../../server/contract/app/lists.ts';
import type { Translate } from '../../text/catalogue.ts';

/** What a column's kind is called: days without a time, or times without a day, are called so. */
export const kindName = (t: Translate, kind: ListColumn['kind'], only?: 'date' | 'time'): string =>
  kind === 'DateTime' && only ? t(`list.moment-${only}`) : t(`kind.${kind}`);
