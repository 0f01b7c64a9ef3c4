import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchDesktop, type DesktopApp } from '../desktop-app.ts';
import { notOnDesktop, picture, run, titled, traySeen, windowsSeen } from './whole-desktop.ts';

describe.skipIf(notOnDesktop !== undefined)(titled('the tray of a desktop'), () => {
  let desktop: DesktopApp;
  beforeAll(async () => {
    desktop = await launchDesktop();
    await desktop.ask('/app/settings', { method: 'PATCH', body: '{"office":"Tray","firstRunDone":true}' });
  });
  afterAll(() => desktop.remove());

  const seen = (): Promise<boolean> =>
    desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() ?? false);
  const labels = async (): Promise<string[]> =>
    ((await (await traySeen())?.menu()) ?? []).map(({ label }) => label);

  it('shows the icon with its state and its whole menu', async () => {
    await expect
      .poll(labels, { timeout: 10_000 })
      .toEqual([
        expect.stringMatching(/partner/),
        'Sync now',
        'Pause',
        '30 minutes',
        '1 hour',
        'Until tomorrow',
        'Until I resume',
        'Open Footbridge',
        'Settings…',
        'Quit Footbridge',
      ]);
    const menu = (await (await traySeen())?.menu()) ?? [];
    expect(menu.filter(({ enabled }) => !enabled).map(({ label }) => label)).toEqual([
      expect.stringMatching(/partner/),
      'Sync now',
      'Pause',
    ]);
    expect(await (await traySeen())?.toolTip()).toMatch(/"Footbridge\n.*partner/);
    await picture('tray-icon');
  });

  it('explains the first closing, hides the window, and brings it back', async () => {
    await expect.poll(seen, { timeout: 10_000 }).toBe(true);
    await run('xdotool', 'key', '--delay', '100', 'ctrl+w');
    await expect.poll(windowsSeen, { timeout: 5000 }).toContain('Footbridge');
    await picture('tray-closing-explained');
    await run('xdotool', 'key', 'Return');
    await expect.poll(seen, { timeout: 5000 }).toBe(false);
    await picture('tray-closed');
    await (await traySeen())?.click('Open Footbridge');
    await expect.poll(seen, { timeout: 5000 }).toBe(true);

    await run('xdotool', 'key', '--delay', '100', 'ctrl+w');
    await expect.poll(seen, { timeout: 5000 }).toBe(false);
    expect(await windowsSeen(), 'explained once').not.toContain('Footbridge');
    await (await traySeen())?.click('Settings…');
    await expect.poll(seen, { timeout: 5000 }).toBe(true);
    await expect.poll(() => desktop.page.evaluate(() => location.hash)).toBe('#/settings');
    await picture('tray-settings');
  });

  it('names a partner as it is called, and the state of all', async () => {
    await desktop.ask('/app/invites', { method: 'POST', body: '{"name":"Smith & _Sons_"}' });
    await expect
      .poll(labels, { timeout: 5000 })
      .toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^Waiting for them: .*Smith & _Sons_/),
          '…  Smith & _Sons_: Waiting for them',
        ]),
      );
    await picture('tray-partner');
  });

  it('keeps the entries of its menu while they say the same: a click in an open one is not lost', async () => {
    const before = await (await traySeen())?.menu();
    expect(before?.map(({ label }) => label)).toContain('…  Smith & _Sons_: Waiting for them');
    await desktop.ask('/app/settings', { method: 'PATCH', body: '{"office":"Renamed"}' });
    await expect.poll(() => desktop.page.title()).toContain('Renamed');
    // By then the tray has been drawn again.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await (await traySeen())?.menu()).toEqual(before);
    await run('xdotool', 'mousemove', '1388', '15', 'click', '3');
    await new Promise((resolve) => setTimeout(resolve, 500));
    await picture('tray-menu');
    await run('xdotool', 'key', 'Escape');
  });

  it('speaks German when that is chosen', async () => {
    await desktop.ask('/app/settings', { method: 'PATCH', body: '{"language":"de"}' });
    await expect.poll(labels, { timeout: 5000 }).toContain('Jetzt abgleichen');
  });

  it('ends the app from its menu, and is gone from the tray', async () => {
    const closed = desktop.app.waitForEvent('close', { timeout: 5000 });
    await (await traySeen())?.click('Footbridge beenden');
    await closed;
    await expect.poll(async () => (await traySeen()) === undefined, { timeout: 5000 }).toBe(true);
  });
});
