import type { FoundInList } from '../contract/app/search.ts';
import type { Language } from '../base/vocabulary.ts';
import type { Lists } from '../lists/lists.ts';
import { titleOf } from '../lists/rows/row-titles.ts';

const NAMED = 3;
const SHOWN_LETTERS = 120;

/**
 * Returns readable lists with matching rows (as the language shows them), by name, each with their number and the first
 * three titles. Throws the signal's reason.
 */
export async function searchLists(
  lists: Pick<Lists, 'modules' | 'isUnreadable' | 'listAsShown'>,
  asked: { readonly text: string; readonly language: Language },
  signal: AbortSignal,
): Promise<FoundInList[]> {
  const found: FoundInList[] = [];
  for (const { moduleID, name, fields } of await lists.modules()) {
    signal.throwIfAborted();
    if (await lists.isUnreadable(moduleID)) continue;
    const page = await lists.listAsShown(moduleID, {
      search: asked.text,
      language: asked.language,
      limit: NAMED,
      incTotal: true,
    });
    if (page.rows.length === 0) continue;
    const rows = page.rows.map(({ recordID, values }) => ({
      recordID,
      title: titleOf(fields, values).slice(0, SHOWN_LETTERS),
    }));
    found.push({ moduleID, name, total: page.total ?? rows.length, rows });
  }
  const order = new Intl.Collator(asked.language, { numeric: true });
  return found.sort((a, b) => order.compare(a.name, b.name));
}
