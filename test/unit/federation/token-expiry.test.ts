import { describe, expect, it } from 'vitest';
import { tokenExpiry } from '../../../server/federation/partners/node-tokens.ts';

const jwt = (claims: object): string =>
  `${Buffer.from('{"alg":"HS512"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sig`;

describe('a partner’s token', () => {
  it('tells when it ends, where it is a JWT that says so', () => {
    expect(tokenExpiry(jwt({ exp: 1795204290, iat: 1795197090 }))).toBe('2026-11-20T19:51:30.000Z');
  });

  it.each([
    ['says nothing of it', jwt({})],
    ['says something else', jwt({ exp: 'soon' })],
    ['says a time that no calendar has', jwt({ exp: 8.64e12 + 1 })],
    ['is no JWT', 'opaque'],
    ['is like one', 'a.!!!.c'],
  ])('that %s is taken as one without an end', (_what, token) => expect(tokenExpiry(token)).toBeUndefined());
});
