import { expect, it } from 'vitest';
import { NameLookups, type Lookup } from '../../../server/base/guarded-lookup.ts';

it('looks up one name at a time, in turns of their owners, however many one of them has', () => {
  const lookups = new NameLookups();
  const started: string[] = [];
  const answers: (() => void)[] = [];
  const slow: Lookup = (hostname, _options, callback) => {
    started.push(hostname);
    answers.push(() => callback(null, [{ address: '198.51.100.7', family: 4 }]));
  };
  const found: string[] = [];
  const ask = (owner: string, name: string): void =>
    lookups.forOwner(owner, slow)(name, { all: true }, (_error, [first]) =>
      found.push(`${name} ${first?.address}`),
    );
  for (let at = 0; at < 12; at++) ask('hostile', `x${at}.example`);
  ask('oslo', 'oslo.example');
  ask('hostile', 'x0.example');
  ask('bergen', 'bergen.example');
  expect(started).toEqual(['x0.example']);
  for (let turn = 0; turn < 14; turn++) answers[turn]?.();
  expect(started.slice(0, 5)).toEqual([
    'x0.example',
    'oslo.example',
    'bergen.example',
    'x1.example',
    'x2.example',
  ]);
  expect(started).toHaveLength(14);
  expect(found.filter((line) => line === 'x0.example 198.51.100.7')).toHaveLength(2);
  ask('oslo', 'oslo.example');
  expect(started.at(-1)).toBe('oslo.example');
});
