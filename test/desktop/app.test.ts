import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { clickMenuItemById, ipcMainInvokeHandler, stubDialog } from 'electron-playwright-helpers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Overview } from '../../server/contract/app/overview.ts';
import type { Settings } from '../../server/contract/app/settings.ts';
import type { DesktopApi } from '../../server/contract/app/desktop.ts';
import { APP, killNode, launchDesktop, notRun, pagePicture, type DesktopApp } from './desktop-app.ts';

declare global {
  /** What the tests put into the main process to see what it does. */
  var watched: { opened: string[]; boxes: string[]; tray: Electron.Menu | undefined; shown: string[] };
  interface Window {
    footbridge?: DesktopApi;
  }
}

const title = notRun === undefined ? 'the desktop app' : `the desktop app (NOT RUN: ${notRun})`;
describe.skipIf(notRun !== undefined)(title, () => {
  let desktop: DesktopApp;
  const hash = (): Promise<string> => desktop.page.evaluate(() => location.hash);
  beforeAll(async () => {
    desktop = await launchDesktop();
    await desktop.app.evaluate(({ shell, dialog, Menu }) => {
      globalThis.watched = { opened: [], boxes: [], tray: undefined, shown: [] };
      shell.openExternal = (url) => Promise.resolve(void globalThis.watched.opened.push(url));
      shell.showItemInFolder = (path) => void globalThis.watched.shown.push(path);
      dialog.showMessageBox = (...args: unknown[]) => {
        globalThis.watched.boxes.push((args.at(-1) as Electron.MessageBoxOptions).message);
        return Promise.resolve({ response: 0, checkboxChecked: false });
      };
      const build = Menu.buildFromTemplate.bind(Menu);
      Menu.buildFromTemplate = (template) => {
        const menu = build(template);
        if (menu.getMenuItemById('status')) globalThis.watched.tray = menu;
        return menu;
      };
    });
  });
  afterAll(() => desktop.remove());

  it('starts the node and shows its window on the app’s own page', async () => {
    expect(desktop.page.url()).toMatch(/^app:\/\/footbridge\//);
    expect(await desktop.page.title()).toContain('Footbridge');
    const overview = await desktop.ask<Overview>('/app/overview');
    expect(overview.partners).toEqual([]);
    expect(await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
    await desktop.page.getByRole('textbox').first().waitFor();
    await pagePicture(desktop, 'first-start');
  });

  it('runs the page sandboxed, isolated, without Node, and with web security (E1)', async () => {
    // Electron has this for its own tests and leaves it out of its documentation and types.
    const preferences = await desktop.app.evaluate(({ BrowserWindow }) => {
      const contents: unknown = BrowserWindow.getAllWindows()[0]?.webContents;
      return (contents as { getLastWebPreferences(): Record<string, unknown> }).getLastWebPreferences();
    });
    expect(preferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
    });
    const inPage = await desktop.page.evaluate(() => [typeof globalThis.process, 'require' in globalThis]);
    expect(inPage).toEqual(['undefined', false]);
  });

  it('lets the page run no foreign code and reach no foreign address', async () => {
    const tried = await desktop.page.evaluate(async () => {
      const failed = async (work: () => unknown): Promise<boolean> => {
        try {
          await work();
          return false;
        } catch {
          return true;
        }
      };
      return [
        await failed(() => fetch('https://example.org/')),
        await failed(() => fetch('http://127.0.0.1:7421/')),
        await failed(() => fetch('file:///etc/passwd')),
        (() => {
          const script = document.createElement('script');
          script.textContent = 'globalThis.ran = true';
          document.head.append(script);
          return !('ran' in globalThis);
        })(),
      ];
    });
    expect(tried).toEqual([true, true, true, true]);
  });

  it('lets the page reach nobody by WebRTC either', async () => {
    const heard: string[] = [];
    const udp = createSocket('udp4', () => heard.push('udp')).bind(0, '127.0.0.1');
    const tcp = createServer(() => heard.push('tcp')).listen(0, '127.0.0.1');
    try {
      await Promise.all([once(udp, 'listening'), once(tcp, 'listening')]);
      const stun = `stun:127.0.0.1:${udp.address().port}`;
      const turn = `turn:127.0.0.1:${(tcp.address() as AddressInfo).port}?transport=tcp`;
      const gathered = await desktop.page.evaluate(
        async ([first, second]) => {
          const servers = [{ urls: first ?? '' }, { urls: second ?? '', username: 'u', credential: 'c' }];
          const connection = new RTCPeerConnection({ iceServers: servers });
          connection.createDataChannel('rows');
          const ended = new Promise((resolve) => {
            connection.addEventListener('icegatheringstatechange', () => {
              if (connection.iceGatheringState === 'complete') resolve(true);
            });
            setTimeout(() => resolve(false), 5000);
          });
          await connection.setLocalDescription(await connection.createOffer());
          return ended;
        },
        [stun, turn],
      );
      expect([gathered, heard]).toEqual([true, []]);
    } finally {
      udp.close();
      tcp.close();
    }
  });

  it('gives the page no permission', async () => {
    const states = await desktop.page.evaluate(async () => {
      const geolocation = await navigator.permissions.query({ name: 'geolocation' });
      return [geolocation.state, await Notification.requestPermission()];
    });
    expect(states).toEqual(['denied', 'denied']);
  });

  it('offers the page its seven methods and no more, and does what they say', async () => {
    expect(await desktop.page.evaluate(() => Object.keys(window.footbridge ?? {}).sort())).toEqual([
      'checkForUpdates',
      'choosePath',
      'copyText',
      'info',
      'installUpdate',
      'openExternal',
      'showDataFolder',
    ]);
    const info = await desktop.page.evaluate(() => window.footbridge?.info());
    expect(info).toMatchObject({ loginItem: { available: false }, update: { state: 'off' } });
    await desktop.page.evaluate(() => window.footbridge?.copyText('an invite'));
    expect(await desktop.app.evaluate(({ clipboard }) => clipboard.readText())).toBe('an invite');
    await desktop.page.evaluate(() => window.footbridge?.showDataFolder());
    expect(await desktop.app.evaluate(() => globalThis.watched.shown)).toEqual([desktop.dataDir]);
  });

  it('drops calls from other frames and with wrong arguments (E3)', async () => {
    await expect(ipcMainInvokeHandler(desktop.app, 'footbridge:info')).rejects.toThrow();
    await expect(
      desktop.page.evaluate(() =>
        (window.footbridge?.copyText as (text: unknown) => Promise<void>)({ a: 1 }),
      ),
    ).rejects.toThrow(/wrongly/);
    const fromElsewhere = await desktop.app.evaluate(
      async ({ BrowserWindow }, preload) => {
        const other = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } });
        await other.loadURL('about:blank');
        const answer = (await other.webContents.executeJavaScript(
          'window.footbridge.copyText("stolen").then(() => "done", (error) => String(error))',
        )) as string;
        other.destroy();
        return answer;
      },
      join(APP, 'dist', 'main', 'preload.cjs'),
    );
    expect(fromElsewhere).toMatch(/may not/);
  });

  it('stays on its page, and hands what was clicked to the browser (E2)', async () => {
    await desktop.page.evaluate(() => {
      location.href = 'https://example.org/away';
    });
    await desktop.page.evaluate(() => {
      location.href = 'file:///etc/passwd';
    });
    expect(await desktop.page.evaluate(() => window.open('https://example.org/new'))).toBeNull();
    await desktop.page.evaluate(() => {
      const link = Object.assign(document.createElement('a'), {
        href: 'https://example.org/blank',
        target: '_blank',
      });
      document.body.append(link);
      link.click();
      link.remove();
    });
    await expect
      .poll(() => desktop.app.evaluate(() => globalThis.watched.opened))
      .toEqual(['https://example.org/away', 'https://example.org/new', 'https://example.org/blank']);
    expect(desktop.page.url()).toMatch(/^app:\/\/footbridge\//);
    expect(await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  });

  it('hears of changes through the event stream within a second', async () => {
    const heard = desktop.page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const stream = new EventSource('/app/events');
          let changedAt = 0;
          stream.addEventListener('hello', () => {
            changedAt = performance.now();
            void fetch('/app/session')
              .then((session) => session.json() as Promise<{ response: { csrfToken: string } }>)
              .then(({ response }) => {
                const headers = { 'x-csrf-token': response.csrfToken, 'content-type': 'application/json' };
                return fetch('/app/settings', {
                  method: 'PATCH',
                  headers,
                  body: '{"office":"Desktop office"}',
                });
              });
          });
          stream.addEventListener('settings', () => {
            stream.close();
            resolve(performance.now() - changedAt);
          });
        }),
    );
    expect(await heard).toBeLessThan(1000);
  });

  it('takes an upload of a megabyte through its own protocol', async () => {
    const lines = Array.from(
      { length: 20_000 },
      (_, i) => `${i},Customer number ${i},City ${i % 50},and some more text`,
    );
    const body = `No,Name,City,Note\n${lines.join('\n')}\n`;
    const answer = await desktop.ask<{ created: number }>('/app/import?list=uploaded', {
      method: 'POST',
      body,
      type: 'text/csv',
    });
    expect(answer.created).toBe(20_000);
    const asFile = await desktop.page.evaluate(async (text) => {
      const file = new File([text], 'again.csv', { type: 'text/csv' });
      const session = (await (await fetch('/app/session')).json()) as { response: { csrfToken: string } };
      const headers = { 'x-csrf-token': session.response.csrfToken, 'content-type': 'text/csv' };
      const done = await fetch('/app/import?list=as-file', { method: 'POST', headers, body: file });
      return done.status;
    }, body);
    expect(asFile).toBe(200);
  });

  it('leads from its menu to the settings', async () => {
    await clickMenuItemById(desktop.app, 'settings');
    await expect.poll(hash).toBe('#/settings');
  });

  it('keeps state, sync, pause, open, settings and quit in the tray’s menu', async () => {
    const named = '{"office":"Renamed","firstRunDone":true}';
    await desktop.ask('/app/settings', { method: 'PATCH', body: named });
    await desktop.app.evaluate(({ powerMonitor }) => {
      powerMonitor.emit('suspend');
      powerMonitor.emit('resume');
    });
    await desktop.page.evaluate(() => fetch('/app/overview'));
    // A new partner changes the overview, and with it the tray.
    await desktop.ask('/app/invites', { method: 'POST', body: '{"name":"Smith & Sons"}' });
    const entries = (): Promise<string[]> =>
      desktop.app.evaluate(
        () => globalThis.watched.tray?.items.map(({ id, label }) => `${id}=${label}`) ?? [],
      );
    await expect
      .poll(async () => (await entries()).some((entry) => entry.includes('Smith && Sons')))
      .toBe(true);
    expect(await entries()).toEqual(expect.arrayContaining(['sync=Sync now', 'open=Open Footbridge']));
    await desktop.app.evaluate(() => {
      globalThis.watched.tray?.getMenuItemById('open')?.click();
      globalThis.watched.tray?.getMenuItemById('settings')?.click();
    });
    await expect.poll(hash).toBe('#/settings');
  });

  it('shows itself for a second start, with the link filled in, and stays the only one', async () => {
    const invite = 'corteza+federation://1234:abcdefghijklmnopqrstuvwxyz012345@office.example/federation';
    expect(await desktop.again(invite)).toBe(0);
    await expect.poll(hash).toBe(`#/partners/add?invite=${encodeURIComponent(invite)}`);
    expect(await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
    await pagePicture(desktop, 'invite-by-link');
    const { partners } = await desktop.ask<Overview>('/app/overview');
    expect(partners.filter(({ name }) => name !== 'Smith & Sons')).toEqual([]);
  });

  it('opens an invite file, and says plainly when a link is of no use', async () => {
    const file = join(desktop.dataDir, 'Invite.footbridge');
    await writeFile(file, 'https://77:abcdefghijklmnopqrstuvwxyz012345@from-file.example/federation\n');
    expect(await desktop.again(file)).toBe(0);
    await expect.poll(hash).toContain('from-file.example');
    expect(await desktop.again('footbridge://delete-everything')).toBe(0);
    await expect
      .poll(() => desktop.app.evaluate(() => globalThis.watched.boxes))
      .toContain('This link can’t be used');
  });

  it('keeps running when its window is closed, and comes back', async () => {
    await stubDialog(desktop.app, 'showMessageBox', { response: 0, checkboxChecked: false });
    const info = await desktop.page.evaluate(() => window.footbridge?.info());
    const gone = (): Promise<boolean> =>
      desktop.app.evaluate(({ BrowserWindow }, tray) => {
        const [window] = BrowserWindow.getAllWindows();
        return tray ? window?.isVisible() === false : window?.isMinimized() === true;
      }, info?.trayShown ?? false);
    await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    await expect.poll(gone).toBe(true);
    expect(await desktop.again()).toBe(0);
    await expect.poll(gone).toBe(false);
    expect((await desktop.ask<{ settings: Settings }>('/app/settings')).settings.office).toBe('Renamed');
  });

  it('starts the process of the node again when that ended, with a report, and goes on (E6)', async () => {
    await killNode(desktop);
    const reports = (): Promise<string[]> => readdir(join(desktop.dataDir, 'reports')).catch(() => []);
    await expect.poll(reports, { timeout: 20_000 }).toHaveLength(1);
    const office = async (): Promise<string> => (await desktop.ask<Overview>('/app/overview')).office;
    await expect.poll(() => office().catch(() => ''), { timeout: 20_000 }).toBe('Renamed');
  });

  it('loads a page anew whose process crashed; the node goes on (E4)', async () => {
    // What is asked of a page whose process is going is never answered: asked is the one that came after.
    const status = await desktop.app.evaluate(async ({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      if (!contents) return 0;
      const anew = new Promise<void>((done) => {
        contents.once('render-process-gone', () => contents.once('did-finish-load', () => done()));
      });
      contents.forcefullyCrashRenderer();
      await anew;
      return (await contents.executeJavaScript('fetch("/app/overview").then((a) => a.status)')) as number;
    });
    expect(status).toBe(200);
  });

  it('ends within two seconds', async () => {
    expect(await desktop.quit()).toBeLessThan(2_500);
  });
});
