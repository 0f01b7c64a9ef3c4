import { expect, it } from 'vitest';
import { WINDOW_TEXTS } from '../../../server/words/messages.ts';
import { filesIn, text } from '../../support/reading/pages.ts';

const sources = filesIn(['renderer'], /\.(ts|svelte|html)$/)
  .filter((path) => !path.startsWith('renderer/text/'))
  .map(text)
  .join('\n');
/** What keys begin with that are put together, such as `kind.${field.kind}`. */
const begun = [...sources.matchAll(/`([\w.-]{3,}?)\$\{/g)].map(([, start = '']) => start);

it('the window has no text left over that it shows nowhere', () => {
  const isShown = (key: string): boolean =>
    [`'${key}'`, `"${key}"`, `\`${key}\``].some((quoted) => sources.includes(quoted)) ||
    begun.some((start) => key.startsWith(start));
  expect(Object.keys(WINDOW_TEXTS.en).filter((key) => !isShown(key))).toEqual([]);
});
