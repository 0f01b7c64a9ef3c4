import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { MUTATIONS } from '../../mutations/list.ts';

// A renamed function changes the text that a mutation replaces: `npm run mutations` would only tell much later.
it('each mutation replaces a text that its file has exactly once', () => {
  const isApplicable = ({ file, from }: (typeof MUTATIONS)[number]): boolean =>
    readFileSync(file, 'utf8').split(from).length === 2;
  expect(MUTATIONS.filter((mutation) => !isApplicable(mutation)).map(({ name }) => name)).toEqual([]);
});
