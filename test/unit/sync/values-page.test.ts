import { readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import { WINDOW_TEXTS } from '../../../server/words/messages.ts';
import { FIELD_KINDS } from '../../../server/base/vocabulary.ts';
import { valuesTable, WORDS } from '../../support/data/values-table.ts';

const PAGE = new URL('../../../docs/values.md', import.meta.url);
const TABLE = /(?<=<!-- table -->\n)[^]*(?=<!-- \/table -->)/;

it('docs/values.md tells users the rules that hold in the code', async () => {
  const page = await readFile(PAGE, 'utf8');
  expect(page).toMatch(TABLE);
  const options = { ...(await resolveConfig(PAGE)), parser: 'markdown' };
  const right = await format(page.replace(TABLE, `\n${valuesTable()}\n\n`), options);
  // UPDATE_DOCS=1 writes the page anew after a rule was changed.
  if (process.env.UPDATE_DOCS) await writeFile(PAGE, right);
  else expect(page).toBe(right);
});

it('docs/values.md calls the kinds as the window does', () => {
  for (const kind of FIELD_KINDS) expect(WORDS[kind]).toBe(WINDOW_TEXTS.en[`kind.${kind}`]);
});
