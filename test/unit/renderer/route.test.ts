import { describe, expect, it } from 'vitest';
import { parseRoute, to } from '../../../renderer/state/route.ts';
import { shortcut } from '../../../renderer/state/shortcuts.ts';

describe('addresses of the window', () => {
  it('reads every address that its own links use', () => {
    expect(parseRoute(to.home)).toEqual({ place: 'home' });
    expect(parseRoute(to.partner('12', 'receive', '34'))).toEqual({
      place: 'partner',
      nodeID: '12',
      tab: 'receive',
      item: '34',
    });
    expect(parseRoute(to.list('7', true))).toEqual({ place: 'list', moduleID: '7', bin: true });
    expect(parseRoute(to.importFile('7'))).toEqual({ place: 'import', moduleID: '7' });
    expect(parseRoute(to.settings)).toEqual({ place: 'settings' });
  });

  it('fills in an invite from a link, and refuses one that is too long to be one', () => {
    const invite = 'http://1:abc@host/federation?name=A&B';
    const at = (text: string): string => `#/partners/add?invite=${encodeURIComponent(text)}`;
    expect(parseRoute(at(invite))).toEqual({ place: 'add-partner', invite });
    expect(parseRoute(at('x'.repeat(8193)))).toEqual({ place: 'add-partner', invite: '' });
  });

  it('takes nothing for an address that is not its own', () => {
    for (const hash of [
      '#/partners/1/delete',
      '#/partners/x',
      '#/lists/1/2/3/4/5',
      '#/lists/-1',
      '#/settings/1',
    ]) {
      expect(parseRoute(hash), hash).toEqual({ place: 'unknown' });
    }
  });
});

describe('shortcuts', () => {
  const press = { key: '1', ctrlKey: true, metaKey: false, altKey: false, shiftKey: false };
  it('need Ctrl or Cmd alone', () => {
    expect(shortcut(press)).toBe('home');
    expect(shortcut({ ...press, key: 'R' })).toBe('sync');
    expect(shortcut({ ...press, ctrlKey: false, metaKey: true, key: ',' })).toBe('settings');
    expect(shortcut({ ...press, ctrlKey: false })).toBeUndefined();
    expect(shortcut({ ...press, shiftKey: true })).toBeUndefined();
  });
});
