import { describe, expect, it } from 'vitest';
import { parseRoute, to } from '../../../renderer/state/route.ts';
import { shortcut } from '../../../renderer/places/help/keys.ts';

describe('addresses of the window', () => {
  it('reads every address that its own links use', () => {
    expect(parseRoute(to.home)).toEqual({ place: 'home' });
    const partner = { place: 'partner', nodeID: '12' };
    expect(parseRoute(to.partner('12'))).toEqual({ ...partner, view: { tab: 'lists' } });
    expect(parseRoute(to.partner('12', 'activity'))).toEqual({ ...partner, view: { tab: 'activity' } });
    expect(parseRoute(to.received('12'))).toEqual({ ...partner, view: { tab: 'lists', way: 'receive' } });
    expect(parseRoute(to.share('12', 'new'))).toEqual({ ...partner, view: { share: 'new' } });
    expect(parseRoute(to.match('12', '34'))).toEqual({ ...partner, view: { match: '34' } });
    expect(parseRoute(to.words('12'))).toEqual({ ...partner, view: { step: 'words' } });
    expect(parseRoute(to.listSearch('7', 'a & b?'))).toEqual({
      place: 'list',
      moduleID: '7',
      bin: false,
      search: 'a & b?',
    });
    expect(parseRoute(to.listFiles('7'))).toEqual({ place: 'list', moduleID: '7', bin: false, files: true });
    expect(parseRoute(to.row('7', '12', true))).toEqual({
      place: 'list',
      moduleID: '7',
      bin: true,
      row: '12',
    });
    expect(parseRoute(to.list('7', true))).toEqual({ place: 'list', moduleID: '7', bin: true });
    expect(parseRoute(to.importFile('7'))).toEqual({ place: 'import', moduleID: '7' });
    expect(parseRoute(to.settings)).toEqual({ place: 'settings' });
    expect(parseRoute(to.networkSettings)).toEqual({ place: 'settings', section: 'network' });
  });

  it('reads the addresses of the tabs that a partner had before', () => {
    const view = (hash: string): unknown => {
      const route = parseRoute(hash);
      return route.place === 'partner' ? route.view : route;
    };
    expect(view('#/partners/12')).toEqual({ tab: 'lists' });
    expect(view('#/partners/12/share')).toEqual({ tab: 'lists' });
    expect(view('#/partners/12/receive')).toEqual({ tab: 'lists', way: 'receive' });
    expect(view('#/partners/12/share/34')).toEqual({ share: '34' });
    expect(view('#/partners/12/receive/34')).toEqual({ match: '34' });
  });

  it('fills in an invite from a link, and refuses one that is too long to be one', () => {
    const invite = 'http://1:abc@host/federation?name=A&B';
    const at = (text: string): string => `#/partners/add?invite=${encodeURIComponent(text)}`;
    expect(parseRoute(at(invite))).toEqual({ place: 'add-partner', invite, paste: false });
    expect(parseRoute(at('x'.repeat(8193)))).toEqual({ place: 'add-partner', invite: '', paste: false });
    expect(parseRoute(to.pasteInvite)).toEqual({ place: 'add-partner', invite: '', paste: true });
  });

  it('takes nothing for an address that is not its own', () => {
    for (const hash of [
      '#/partners/1/delete',
      '#/partners/x',
      '#/partners/1/activity/2',
      '#/partners/1/receive/new',
      '#/lists/1/2/3/4/5',
      '#/lists/-1',
      '#/settings/1',
      '#/settings/network/1',
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
