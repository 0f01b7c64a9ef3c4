import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isLink, parseDeepLink, parseInviteFile } from '../../../main/shell/deep-link.ts';

const INVITE =
  'corteza+federation://123456789:abcdefghijklmnopqrstuvwxyz012345@office.example/federation?name=B%20%26%20C';

it('fills an invite link into the pairing page, whatever characters it has', () => {
  for (const text of [INVITE, INVITE.replace('corteza+federation', 'corteza'), `  ${INVITE}\n`]) {
    const target = parseDeepLink(text);
    expect(target).toEqual({
      kind: 'page',
      route: `#/partners/add?invite=${encodeURIComponent(text.trim())}`,
    });
  }
});

it('takes an invite out of our own scheme', () => {
  const inner = 'https://1:abc@host.example/federation';
  const wanted = { kind: 'page', route: `#/partners/add?invite=${encodeURIComponent(inner)}` };
  expect(parseDeepLink(`footbridge://pair?invite=${encodeURIComponent(inner)}`)).toEqual(wanted);
  expect(parseDeepLink(`footbridge:pair?invite=${encodeURIComponent(inner)}`)).toEqual(wanted);
  expect(parseDeepLink(`footbridge:${inner}`)).toEqual(wanted);
  expect(parseDeepLink('footbridge://open/')).toEqual({ kind: 'page', route: '#/' });
});

it('refuses links that lead nowhere, are too long, or carry control characters (E2)', () => {
  for (const text of [
    'footbridge://delete-everything',
    'footbridge://pair',
    'footbridge://pair?invite=%20',
    'footbridge:javascript:alert(1)',
    'https://example.org/',
    'javascript:alert(1)',
    'corteza://a\u0000b',
    'corteza://a\nb',
    `corteza://1:x@host/${'a'.repeat(8192)}`,
    '',
  ])
    expect(parseDeepLink(text), text.slice(0, 60)).toMatchObject({ kind: 'refused' });
});

it('takes exactly 8 KB and not a byte more', () => {
  const head = 'corteza://1:x@host/';
  expect(parseDeepLink(head + 'a'.repeat(8192 - head.length)).kind).toBe('page');
  expect(parseDeepLink(head + 'a'.repeat(8193 - head.length)).kind).toBe('refused');
});

it('never throws and only ever gives a page of ours', () => {
  const link = fc.tuple(fc.constantFrom('corteza:', 'footbridge:', 'corteza+federation://', ''), fc.string());
  fc.assert(
    fc.property(link, ([scheme, rest]) => {
      const target = parseDeepLink(scheme + rest);
      if (target.kind === 'page')
        expect(target.route).toMatch(/^#\/(partners\/add\?invite=[\w.!~*'()%-]+)?$/);
    }),
  );
  expect(parseDeepLink('corteza:half a character: \ud800').kind).toBe('page');
});

it('tells our links from other arguments by their scheme', () => {
  expect(['corteza:x', 'CORTEZA://x', 'footbridge:open', 'corteza+federation://y'].every(isLink)).toBe(true);
  expect(['--hidden', 'corteza', 'C:\\invite.footbridge', 'http://x', './a.footbridge'].some(isLink)).toBe(
    false,
  );
});

it('reads an invite file and nothing else', () => {
  expect(parseInviteFile(`\uFEFF${INVITE}\r\n`)).toMatchObject({ kind: 'page' });
  expect(parseInviteFile('https://1:abc@host.example/federation\n')).toMatchObject({ kind: 'page' });
  expect(parseInviteFile('Dear colleague, https://1:abc@host')).toMatchObject({ kind: 'refused' });
  expect(parseInviteFile('')).toMatchObject({ kind: 'refused' });
  expect(parseInviteFile(`https://1:abc@host/${'a'.repeat(9000)}`)).toMatchObject({ kind: 'refused' });
});
