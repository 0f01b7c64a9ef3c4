import { expect, it } from 'vitest';
import { externalUrl } from '../../../main/security/open-external.ts';
import { isAppUrl, mayDownload, mayNavigate, mayRequest } from '../../../main/security/navigation.ts';

const FOREIGN = [
  'https://example.org/',
  'http://127.0.0.1:7421/',
  'file:///etc/passwd',
  'app://other/',
  'app://footbridge.evil.example/',
  'app://user:password@footbridge/',
  'app://footbridge:80/',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'about:blank',
  'chrome://settings',
  '',
  'not an address',
];

it('keeps the window on the page of the app (E2)', () => {
  for (const url of ['app://footbridge/', 'app://footbridge/#/settings', 'app://footbridge/index.html?x#/'])
    expect(mayNavigate(url), url).toBe(true);
  for (const url of [...FOREIGN, 'app://footbridge/app/overview', 'app://footbridge/../x'])
    expect(mayNavigate(url), url).toBe(false);
});

it('lets the page load from its own origin and what it makes itself, nothing from a network', () => {
  for (const url of ['app://footbridge/app/events', 'blob:app://footbridge/1-2', 'data:image/png;base64,AA'])
    expect(mayRequest(url), url).toBe(true);
  for (const url of [
    ...FOREIGN.slice(0, 8),
    'data:text/html,x',
    'blob:https://example.org/1',
    'ws://localhost/',
  ])
    expect(mayRequest(url), url).toBe(false);
});

it('lets files be saved from the app only', () => {
  expect(mayDownload('app://footbridge/app/partners/1/ledger.csv')).toBe(true);
  expect(mayDownload('blob:app://footbridge/1-2')).toBe(true);
  for (const url of [...FOREIGN, 'blob:https://example.org/1']) expect(mayDownload(url), url).toBe(false);
});

it('knows its own origin exactly', () => {
  expect(isAppUrl('app://footbridge/a')).toBe(true);
  for (const url of FOREIGN) expect(isAppUrl(url), url).toBe(false);
});

it('opens web pages and mails outside, and nothing that could act on this computer (S4)', () => {
  expect(externalUrl('https://example.org/a?b=c#d')).toBe('https://example.org/a?b=c#d');
  expect(externalUrl('http://intranet/page')).toBe('http://intranet/page');
  expect(externalUrl('mailto:office@example.org?subject=Invite&body=corteza%3A')).toMatch(/^mailto:/);
  for (const url of [
    'file:///C:/Windows/System32/calc.exe',
    '\\\\server\\share\\x.exe',
    'smb://server/share',
    'ms-msdt:/id',
    'javascript:alert(1)',
    'vscode://file/x',
    'app://footbridge/',
    'https://user:password@example.org/',
    'https://exa\nmple.org/',
    'mailto:a@example.org?attach=/etc/passwd',
    `https://example.org/${'a'.repeat(8192)}`,
    'relative/path',
  ])
    expect(externalUrl(url), url.slice(0, 50)).toBeUndefined();
});
