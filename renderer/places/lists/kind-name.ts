import type { ListColumn } from '../../../server/contract/app/lists.ts';
import type { Translate } from '../../text/catalogue.ts';

/** Returns the name of a column's kind; for `DateTime` with `only`, that of a date or a time. */
export const kindName = (t: Translate, kind: ListColumn['kind'], only?: 'date' | 'time'): string =>
  kind === 'DateTime' && only ? t(`list.moment-${only}`) : t(`kind.${kind}`);
