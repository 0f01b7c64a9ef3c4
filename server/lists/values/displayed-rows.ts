import { ownMember } from '../../base/own-member.ts';
import type { Field, Module, Values } from '../definitions/model.ts';
import { isReferring, type FindList } from '../rows/references.ts';
import { ownNaming, type TitleCache } from '../rows/title-cache.ts';
import type { Lens, ListOptions } from '../rows/row-list.ts';

/** Undefined: unchanged. */
type Show = (stored: string) => string | undefined;

/**
 * Returns a lens that shows references as titles and choices by their texts, in the columns that sort, query or search
 * compare; undefined if none needs it. References to unknown or unreadable lists stay ids.
 */
export async function createDisplayLens(
  { fields }: Module,
  { sort = '', query = '', search = '' }: Pick<ListOptions, 'sort' | 'query' | 'search'>,
  titles: TitleCache,
  find: FindList,
): Promise<Lens | undefined> {
  const compared = (field: Field): boolean =>
    search.trim() !== '' || `${sort} ${query}`.split(/[^\w.-]+/).includes(field.name);
  const shows = new Map<string, Show>();
  const keys: string[] = [];
  for (const field of fields.filter(compared)) {
    if (isReferring(field)) {
      const list = await find(field.options.moduleID);
      if (!list || list === 'unreadable') continue;
      const { byID, version } = await titles.get(list.rows, ownNaming(list.module.fields));
      shows.set(field.name, (stored) => byID.get(stored));
      keys.push(version);
    } else if (field.options.optionTexts) {
      const { optionTexts } = field.options;
      shows.set(field.name, (stored) => ownMember(optionTexts, stored));
    }
  }
  return shows.size === 0
    ? undefined
    : { key: keys.join(' '), toCompared: (values) => toDisplayed(values, shows) };
}

/** Returns the values as displayed; a text that displays as nothing stays as stored. */
function toDisplayed(values: Values, shows: ReadonlyMap<string, Show>): Values {
  const result: Record<string, readonly string[]> = { ...values };
  for (const [name, show] of shows) {
    const stored = ownMember(values, name);
    if (!stored) continue;
    result[name] = stored.map((text) => {
      const shown = show(text) ?? '';
      return shown === '' ? text : shown;
    });
  }
  return result;
}
