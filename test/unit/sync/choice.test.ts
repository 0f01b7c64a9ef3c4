import { expect, it } from 'vitest';
import { choiceDigest } from '../../../server/sync/status/choice.ts';

const name = { kind: 'String', name: 'Name', label: 'Name', isMulti: false } as const;
const list = { fields: [{ ...name, fieldID: '1', isRequired: false, options: {} }] };
const matching = { fields: [{ origin: name, destination: name }] };
const choice = (more?: Parameters<typeof choiceDigest>[3]): string =>
  choiceDigest({ fields: [name] }, matching, list, more);

it('is another one once origins are told, so that rows of before get theirs: other partners read nothing again', () => {
  const texts = [choice(), choice({ tellsOrigins: true }), choice({ releasedAt: '2026-11-22T00:00:00Z' })];
  expect(new Set(texts).size).toBe(3);
  expect(choice({ tellsOrigins: false })).toBe(choice());
});
