import { expect, it } from 'vitest';
import { en } from '../../../server/words/en/window/index.ts';
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
  expect(Object.keys(en).filter((key) => !isShown(key))).toEqual([]);
});
