import { expect, it } from 'vitest';
import { loginItem, ownAppImage, startsHidden, type LoginSituation } from '../../../main/shell/login-item.ts';
import { textsIn } from '../../../main/text/i18n.ts';
import {
  nextCheck,
  updatePolicy as policyIn,
  type UpdatePolicy,
  type UpdateSituation,
} from '../../../main/updates/updater.ts';

const updatePolicy = (situation: UpdateSituation): UpdatePolicy => policyIn(situation, textsIn('en'));

const installed: LoginSituation = {
  platform: 'win32',
  packaged: true,
  execPath: '/opt/Footbridge/footbridge',
  home: '/home/office',
};

it('starts in the tray at login, by the argument on Windows and by the system on macOS', () => {
  expect(loginItem(installed, true)).toEqual({
    kind: 'system',
    settings: { openAtLogin: true, args: ['--hidden'] },
  });
  expect(loginItem({ ...installed, platform: 'darwin' }, false)).toEqual({
    kind: 'system',
    settings: { openAtLogin: false },
  });
});

it('writes an autostart entry on Linux, naming the AppImage itself and quoting its path', () => {
  const item = loginItem(
    { ...installed, platform: 'linux', appImage: '/home/office/My "Apps"/50% $x.AppImage' },
    true,
  );
  expect(item).toMatchObject({
    kind: 'autostart-file',
    file: '/home/office/.config/autostart/footbridge.desktop',
  });
  expect(item.kind === 'autostart-file' && item.content).toContain(
    String.raw`Exec="/home/office/My \\"Apps\\"/50%% \\$x.AppImage" --hidden`,
  );
  const moved = loginItem({ ...installed, platform: 'linux', configHome: '/cfg' }, true);
  expect(moved).toMatchObject({ file: '/cfg/autostart/footbridge.desktop' });
});

it('does not take the AppImage of a program that started it, such as a terminal, for its own', () => {
  const env = { APPIMAGE: '/home/u/Footbridge.AppImage', APPDIR: '/tmp/.mount_FootbrA' };
  expect(ownAppImage(env, '/tmp/.mount_FootbrA/footbridge')).toBe(env.APPIMAGE);
  expect(ownAppImage(env, '/opt/Footbridge/footbridge')).toBeUndefined();
  expect(ownAppImage({ APPIMAGE: env.APPIMAGE }, '/opt/Footbridge/footbridge')).toBeUndefined();
});

it('never writes a copy run from its sources into the login', () => {
  for (const platform of ['win32', 'darwin', 'linux'] as const)
    expect(loginItem({ ...installed, platform, packaged: false }, true).kind).toBe('unavailable');
});

it('shows no window when started by argument or by the login of a Mac', () => {
  expect([startsHidden(true, false), startsHidden(false, true), startsHidden(false, false)]).toEqual([
    true,
    true,
    false,
  ]);
});

const good: UpdateSituation = {
  packaged: true,
  platform: 'win32',
  hasFeed: true,
  signed: true,
  enabled: true,
};

it('updates by itself only a signed package with a feed, and not when switched off', () => {
  expect(updatePolicy(good)).toEqual({ check: 'by-itself' });
  expect(updatePolicy({ ...good, enabled: false }).check).toBe('on-demand');
  for (const lacking of [{ packaged: false }, { hasFeed: false }, { signed: false }])
    for (const enabled of [true, false])
      expect(updatePolicy({ ...good, ...lacking, enabled }).check, JSON.stringify(lacking)).toBe('never');
});

it('gives a reason that Settings can show wherever it does not look by itself', () => {
  for (const lacking of [{ packaged: false }, { hasFeed: false }, { signed: false }, { enabled: false }]) {
    const policy = updatePolicy({ ...good, ...lacking });
    expect(policy.check === 'by-itself' ? '' : policy.reason).toMatch(/\w+.*\.$/);
    expect(policyIn({ ...good, ...lacking }, textsIn('de'))).not.toEqual(policy);
  }
});

it('looks once a day, not at once at every start, and not in a hurry when the clock jumped', () => {
  const now = Date.UTC(2026, 2, 10);
  const hour = 3_600_000;
  expect(nextCheck(undefined, now)).toBe(60_000);
  expect(nextCheck(now - hour, now)).toBe(23 * hour);
  expect(nextCheck(now - 48 * hour, now)).toBe(60_000);
  expect(nextCheck(now + hour, now)).toBe(60_000);
});
