import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AppEvent, Overview } from '../../../server/contract/app/overview.ts';
import type { Settings } from '../../../server/contract/app/settings.ts';
import { StoreError } from '../../../server/store/store.ts';
import { claimInstance } from '../../../main/shell/instance.ts';
import type { NodeListener, ShellNode } from '../../../main/shell/node-runner.ts';
import { Shell, type ShellDeps } from '../../../main/shell/shell.ts';
import { forgetGuardedKey, openSecrets, type SecretKey } from '../../../main/secrets/secrets.ts';
import { openShellState, type ShellState } from '../../../main/shell/shell-state.ts';
import { soon } from '../../support/harness/soon.ts';
import { electronDouble, type ElectronDouble } from './electron-double.ts';
import { SETTINGS } from '../../support/data/settings.ts';

const OVERVIEW: Overview = {
  office: 'Us',
  firstRunDone: true,
  state: 'up-to-date',
  reason: '',
  also: [],
  awaited: false,
  partners: [
    {
      nodeID: '7',
      name: 'Berlin office',
      colour: 'plum',
      state: 'up-to-date',
      reason: '',
      also: [],
      awaited: false,
      status: 'paired',
      sharedLists: 1,
      receivedLists: 1,
      offeredLists: 0,
      receivedRows: 12,
      line: 'open',
      shares: [],
      receives: [],
      today: { arrived: { created: 0, updated: 0, deleted: 0 }, sent: [] },
      couldNotApply: 0,
      phone: '',
      wordsToCompare: false,
    },
  ],
  inbox: [],
  recent: [],
  addresses: [],
  reachable: false,
  version: '1',
};

/** A node that does what it is told and writes down what was asked of it. */
interface StandIn extends ShellNode {
  readonly asked: string[];
  say(event: AppEvent): void;
  /** Who made it hears of it. */
  hearer: NodeListener | undefined;
  overviewNow: Overview;
  settingsNow: Settings;
  startError: Error | undefined;
  stopsAfterMs: number;
}
function standIn(): StandIn {
  const asked: string[] = [];
  const ask = (what: string) => (): Promise<void> => {
    asked.push(what);
    return Promise.resolve();
  };
  const node: StandIn = {
    asked,
    overviewNow: OVERVIEW,
    settingsNow: SETTINGS,
    startError: undefined,
    stopsAfterMs: 0,
    hearer: undefined,
    say: (event) => node.hearer?.event(event),
    start() {
      asked.push('start');
      if (node.startError !== undefined) return Promise.reject(node.startError);
      return Promise.resolve();
    },
    stop(withinMs) {
      asked.push('stop');
      return new Promise((resolve) => setTimeout(resolve, Math.min(node.stopsAfterMs, withinMs)));
    },
    overview: () => Promise.resolve(node.overviewNow),
    settings: () => Promise.resolve(node.settingsNow),
    syncAll: ask('syncAll'),
    pauseAll: (until) => ask(`pauseAll ${until ?? 'indefinitely'}`)(),
    resumeAll: ask('resumeAll'),
    suspend: () => void asked.push('suspend'),
    resume: () => void asked.push('resume'),
    windowLink: () => Promise.resolve('http://127.0.0.1:1/?key=none'),
  };
  return node;
}

let folder: string;
let double: ElectronDouble;
let nodes: StandIn[];
let trayShown: boolean;
let now: number;
beforeEach(async () => {
  now = Date.now();
  folder = await mkdtemp(join(tmpdir(), 'footbridge-shell-'));
  double = electronDouble();
  nodes = [standIn()];
  trayShown = true;
});
afterEach(() => {
  for (const { title, message } of double.boxes)
    expect(title, `${message}: its name in the task bar`).toBe('Footbridge');
});
// Where a window stood may still be on its way to the disk.
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));

async function shell(over: Partial<ShellDeps> = {}): Promise<Shell> {
  const instance = claimInstance(double.electron, { hidden: false });
  let made = 0;
  return new Shell({
    electron: double.electron,
    instance: instance!,
    started: { hidden: false },
    dataDir: join(folder, 'data'),
    dist: '/opt/footbridge/dist',
    login: { platform: 'win32', packaged: true, execPath: '/opt/footbridge', home: folder },
    log: pino({ level: 'silent' }),
    now: () => now,
    state: await openShellState(folder, new Date()),
    secrets: {
      open: () =>
        openSecrets({ electron: double.electron, platform: 'win32', dataDir: join(folder, 'data') }),
      forget: () => forgetGuardedKey(join(folder, 'data'), new Date()),
    },
    createNode(_secrets, hearer) {
      const node = (nodes[made++] ??= standIn());
      node.hearer = hearer;
      return node;
    },
    trayShown: () => Promise.resolve(trayShown),
    updates: {
      situation: { packaged: true, platform: 'win32', hasFeed: false, signed: false },
      loadEngine: () => Promise.reject(new Error('not to be loaded')),
    },
    ...over,
  });
}
async function started(over: Partial<ShellDeps> = {}): Promise<Shell> {
  const made = await shell(over);
  await made.start();
  await soon(() => expect(double.trays[0]?.toolTip).toMatch(/Up to date/));
  return made;
}
const window = (): ElectronDouble['windows'][number] => double.windows[0]!;
/** Clicks an entry of the tray's menu, in a submenu as well. */
function click(id: string): void {
  const all = double.trays[0]!.menu.flatMap((entry) => [
    entry,
    ...((entry.submenu as (typeof entry)[] | undefined) ?? []),
  ]);
  const entry = all.find((one) => one.id === id);
  if (!entry?.click) throw new Error(`Nothing to click: ${id}`);
  (entry.click as () => void)();
}
const closed = (): Promise<unknown> => {
  window().emit('close', { preventDefault: () => double.calls.push(['close held']) });
  return soon(() => expect(double.calls.some(([name]) => name === 'close held')).toBe(true));
};

/** The window is shown, and the shell has heard where the system put it. */
const placed = (): Promise<unknown> => {
  window().emit('ready-to-show');
  return new Promise((resolve) => setTimeout(resolve, 600));
};

it('starts the node, then shows the window on the app’s own page', async () => {
  await started();
  expect(nodes[0]!.asked).toEqual(['start']);
  expect(window().url).toBe('app://footbridge/#/');
  expect(window().options.show).toBe(false);
  window().emit('ready-to-show');
  expect(window().visible).toBe(true);
});

it('shows the window once its page was read where the system never calls it ready, as under Wayland', async () => {
  await started();
  expect(window().visible).toBe(false);
  await soon(() => expect(window().visible).toBe(true));
  window().emit('ready-to-show');
  expect(double.of('window.show')).toHaveLength(1);
});

it('opens every window sandboxed, isolated and without Node (E1)', async () => {
  await started();
  expect(window().options.webPreferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    preload: '/opt/footbridge/dist/main/preload.cjs',
  });
});

it('gives no permission and no device to any page', async () => {
  await started();
  const granted: boolean[] = [];
  for (const permission of ['media', 'geolocation', 'notifications', 'clipboard-read', 'openExternal'])
    double.session.permissionRequest?.(undefined, permission, (yes) => granted.push(yes));
  expect(granted).toEqual([false, false, false, false, false]);
  expect([double.session.permissionCheck?.(), double.session.device?.()]).toEqual([false, false]);
});

it('lets nothing load from a network and nothing be saved from elsewhere', async () => {
  await started();
  const cancelled = (url: string): boolean => {
    let answer = false;
    double.session.beforeRequest?.({ url }, ({ cancel }) => (answer = cancel));
    return answer;
  };
  expect(cancelled('https://example.org/pixel.png')).toBe(true);
  expect(cancelled('app://footbridge/assets/index.js')).toBe(false);
  let held = false;
  double.session.events.emit(
    'will-download',
    { preventDefault: () => (held = true) },
    { getURL: () => 'https://x/' },
  );
  expect(held).toBe(true);
});

it('leaves WebRTC, which no handler of requests sees, no way into a network', async () => {
  await started();
  expect(double.of('window.setWebRTCIPHandlingPolicy')).toEqual([['disable_non_proxied_udp']]);
  expect(double.of('session.setProxy')).toMatchObject([[{ proxyRules: 'socks5://127.0.0.1:1' }]]);
});

it('keeps the page where it is and hands links to the browser (E2)', async () => {
  await started();
  const contents = window().webContents;
  const send = (event: string, details: object): boolean => {
    let held = false;
    contents.emit(event, { ...details, preventDefault: () => (held = true) });
    return held;
  };
  expect(send('will-navigate', { url: 'https://example.org/' })).toBe(true);
  expect(send('will-navigate', { url: 'file:///etc/passwd' })).toBe(true);
  expect(send('will-navigate', { url: 'app://footbridge/#/lists' })).toBe(false);
  expect(send('will-redirect', { url: 'https://example.org/' })).toBe(true);
  expect(send('will-frame-navigate', { isMainFrame: false })).toBe(true);
  expect(send('will-attach-webview', {})).toBe(true);
  expect(contents.openHandler?.({ url: 'https://example.org/new' })).toEqual({ action: 'deny' });
  expect(contents.openHandler?.({ url: 'file:///etc/passwd' })).toEqual({ action: 'deny' });
  expect(double.of('shell.openExternal')).toEqual([['https://example.org/'], ['https://example.org/new']]);
});

it('answers the page, and no other frame, and no wrong arguments (E3)', async () => {
  await started();
  const page = { url: 'app://footbridge/#/settings', parent: null };
  expect(await double.invoke('footbridge:info', page)).toMatchObject({
    platform: 'windows',
    trayShown: true,
  });
  expect(await double.invoke('footbridge:openExternal', page, 'https://example.org/')).toBe(true);
  expect(await double.invoke('footbridge:openExternal', page, 'file:///x')).toBe(false);
  await double.invoke('footbridge:copyText', page, 'an invite');
  expect(double.of('clipboard.writeText')).toEqual([['an invite']]);
  for (const frame of [null, { url: 'https://evil.example/', parent: null }, { url: page.url, parent: {} }])
    await expect(double.invoke('footbridge:copyText', frame, 'x')).rejects.toThrow(/may not/);
  for (const args of [[], [3], ['a', 'b'], [{}], ['x'.repeat(70_000)]])
    await expect(double.invoke('footbridge:copyText', page, ...args)).rejects.toThrow(/wrongly/);
  await expect(double.invoke('footbridge:quit', page)).rejects.toThrow(/No handler/);
  expect(double.of('clipboard.writeText')).toHaveLength(1);
});

it('hides on close, explaining it once, and comes back from the tray', async () => {
  await started();
  window().emit('ready-to-show');
  await closed();
  await soon(() => expect(window().visible).toBe(false));
  expect(double.boxes.map(({ message }) => message)).toEqual(['Footbridge keeps running']);
  click('open');
  expect(window().visible).toBe(true);
  await closed();
  await soon(() => expect(window().visible).toBe(false));
  expect(double.boxes).toHaveLength(1);
  expect(await readFile(join(folder, 'shell.json'), 'utf8')).toMatch(/"closeExplained": true/);
});

it('explains closing once also when it is asked for twice before anybody could answer', async () => {
  const kept: ShellState = { closeExplained: false };
  const change = (part: Partial<ShellState>): Promise<void> =>
    Promise.resolve(void Object.assign(kept, part));
  await started({ state: { current: () => ({ ...kept }), change, putAside: undefined } });
  window().emit('ready-to-show');
  window().emit('close', { preventDefault: () => undefined });
  window().emit('close', { preventDefault: () => undefined });
  await soon(() => expect(window().visible).toBe(false));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(double.boxes).toHaveLength(1);
});

it('leaves the menu bar, in which quitting is, to be seen where no tray icon is', async () => {
  trayShown = false;
  await started({ login: { platform: 'linux', packaged: false, execPath: '/x', home: folder } });
  await soon(() => expect(double.of('window.setMenuBarVisibility')).toEqual([[true]]));
  double = electronDouble();
  nodes = [standIn()];
  trayShown = true;
  await started();
  expect(double.of('window.setMenuBarVisibility')).toEqual([]);
});

it('shows no markup of a partner’s in a notification of Linux', async () => {
  await started({ login: { platform: 'linux', packaged: false, execPath: '/x', home: folder } });
  nodes[0]!.overviewNow = {
    ...OVERVIEW,
    partners: OVERVIEW.partners.map((one) => ({
      ...one,
      state: 'error' as const,
      reason: '<a href="https://evil.example">Install the update</a>',
    })),
  };
  nodes[0]!.say({ type: 'overview' });
  await soon(() => expect(double.notifications).toHaveLength(1));
  expect(double.notifications[0]!.options.body).toBe('‹a href="https://evil.example"›Install the update‹/a›');
});

it('quits from the explanation when that is what the user wanted', async () => {
  await started();
  double.answers.push(1);
  await closed();
  await soon(() => expect(double.of('app ended')).toHaveLength(1));
});

it('only minimizes where no tray could bring the window back (E5)', async () => {
  trayShown = false;
  await started({ login: { platform: 'linux', packaged: false, execPath: '/x', home: folder } });
  await closed();
  await soon(() => expect(window().minimized).toBe(true));
  expect(double.of('window.hide')).toEqual([]);
});

it('starts without a window when asked to, but never out of reach', async () => {
  await started({ started: { hidden: true } });
  expect(double.windows).toHaveLength(0);
  click('open');
  expect(window().url).toBe('app://footbridge/#/');

  double = electronDouble();
  nodes = [standIn()];
  trayShown = false;
  await started({ started: { hidden: true } });
  window().emit('ready-to-show');
  expect(window().minimized).toBe(true);
});

it('shows the window for a second start and takes over its link (E5)', async () => {
  await started();
  window().minimized = true;
  double.app.emit('second-instance', {}, [], '/', {
    hidden: false,
    link: 'corteza://1:abc@host.example/federation',
  });
  await soon(() => expect(window().url).toContain('#/partners/add?invite=corteza%3A%2F%2F1%3Aabc%40host'));
  expect(window().minimized).toBe(false);
  expect(nodes[0]!.asked).toEqual(['start']);
});

it('starts again, once, when somebody starts it while it ends', async () => {
  const { argv } = process;
  process.argv = ['/opt/footbridge', '--password-store=basic', '--hidden', 'footbridge:open'];
  try {
    await started({
      login: { platform: 'linux', packaged: true, execPath: '/mnt/f', appImage: '/f', home: folder },
    });
    nodes[0]!.stopsAfterMs = 50;
    double.electron.app.quit();
    double.app.emit('second-instance', {}, [], '/', { hidden: true });
    double.app.emit('second-instance', {}, [], '/', {
      hidden: false,
      link: 'corteza://1:abc@host.example/f',
    });
    double.app.emit('second-instance', {}, [], '/', { hidden: false });
    await soon(() => expect(double.of('app ended')).toHaveLength(1));
    expect(double.of('app.relaunch')).toEqual([
      [{ args: ['--password-store=basic', 'corteza://1:abc@host.example/f'], execPath: '/f' }],
    ]);
    expect(double.of('window.show')).toEqual([]);
  } finally {
    process.argv = argv;
  }
});

it('does not show itself for a second start at login, and survives rubbish from one', async () => {
  await started({ started: { hidden: true } });
  double.app.emit('second-instance', {}, [], '/', { hidden: true });
  double.app.emit('second-instance', {}, ['electron', '.', '--hidden'], '/', 'rubbish');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(double.windows).toHaveLength(0);
  double.app.emit('second-instance', {}, ['electron', '.'], '/', null);
  await soon(() => expect(double.windows).toHaveLength(1));
});

it('shows itself on a click in the dock, but not for the click that macOS reports at a hidden start', async () => {
  const made = await shell({ started: { hidden: true } });
  double.app.emit('activate');
  await made.start();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(double.windows).toHaveLength(0);
  double.app.emit('activate');
  await soon(() => expect(double.windows).toHaveLength(1));
});

it('opens a link that macOS gave before the app was ready', async () => {
  const made = await shell();
  let held = false;
  double.app.emit('open-url', { preventDefault: () => (held = true) }, 'corteza://1:abc@early.example/f');
  await made.start();
  await soon(() => expect(window().url).toContain('early.example'));
  expect(held).toBe(true);
});

it('says plainly that a link is of no use, and does nothing else with it', async () => {
  await started();
  double.app.emit('second-instance', {}, [], '/', { hidden: false, link: 'footbridge://delete-everything' });
  await soon(() => expect(double.boxes.map(({ message }) => message)).toEqual(['This link can’t be used']));
  expect(window().url).toBe('app://footbridge/#/');
});

it('reads an invite file, and refuses one that is none', async () => {
  await started();
  await mkdir(join(folder, 'mail'));
  const file = join(folder, 'mail', 'Invite.footbridge');
  await writeFile(file, '\n corteza://1:abc@from-file.example/f \n');
  double.app.emit('open-file', { preventDefault: () => undefined }, file);
  await soon(() => expect(window().url).toContain('from-file.example'));
  double.app.emit('open-file', { preventDefault: () => undefined }, join(folder, 'none.footbridge'));
  await soon(() => expect(double.boxes.map(({ message }) => message)).toEqual(['This file can’t be used']));
});

it('draws the tray by what the node says, and does what its menu is asked', async () => {
  await started();
  expect(double.trays[0]!.image).toBe('/opt/footbridge/dist/icons/tray/up-to-date.png');
  nodes[0]!.overviewNow = { ...OVERVIEW, state: 'error', reason: 'Disk full' };
  nodes[0]!.say({ type: 'overview' });
  await soon(() => expect(double.trays[0]!.image).toMatch(/error\.png$/));
  expect(double.trays[0]!.toolTip).toMatch(/Problem: Disk full/);
  click('sync');
  click('pause-hour');
  click('pause-indefinitely');
  click('partner-7');
  click('settings');
  expect(nodes[0]!.asked.slice(1)).toEqual([
    'syncAll',
    expect.stringMatching(/^pauseAll \d{4}-/),
    'pauseAll indefinitely',
  ]);
  expect(double.of('window.loadURL').slice(1)).toEqual([
    ['app://footbridge/#/partners/7'],
    ['app://footbridge/#/settings'],
  ]);
  expect(double.trays).toHaveLength(1);
});

it('leaves the tray’s menu alone while it says the same: a click in one that is replaced is lost', async () => {
  await started();
  const before = double.of('tray.setContextMenu').length;
  nodes[0]!.settingsNow = { ...SETTINGS, office: 'Renamed', theme: 'dark' };
  nodes[0]!.say({ type: 'settings' });
  nodes[0]!.say({ type: 'overview' });
  await soon(() => expect(double.nativeTheme).toMatchObject({ themeSource: 'dark' }));
  nodes[0]!.overviewNow = { ...OVERVIEW, lastSuccessAt: new Date().toISOString() };
  nodes[0]!.say({ type: 'overview' });
  await soon(() => expect(double.trays[0]!.toolTip).toMatch(/Last sync/));
  expect(double.of('tray.setContextMenu')).toHaveLength(before);
  nodes[0]!.settingsNow = { ...SETTINGS, language: 'de' };
  nodes[0]!.say({ type: 'settings' });
  await soon(() => expect(double.of('tray.setContextMenu')).toHaveLength(before + 1));
});

it('tells of arrivals in one notification whose click leads to the partner', async () => {
  await started();
  for (let page = 0; page < 5; page++)
    nodes[0]!.say({
      type: 'activity',
      activity: {
        activityID: `${page}`,
        at: '2026-03-10T12:00:00Z',
        nodeID: '7',
        partner: 'Berlin office',
        kind: 'pull',
        outcome: 'ok',
        listName: 'Customers',
        counts: { created: 100, updated: 0, deleted: 0, unchanged: 0, failed: 0 },
        message: '',
      },
    });
  await soon(() => expect(double.of('notification.show')).toHaveLength(1));
  expect(double.notifications[0]!.options).toMatchObject({
    title: 'Berlin office',
    body: '500 rows changed in Customers',
  });
  double.notifications[0]!.emit('click');
  expect(window().url).toBe('app://footbridge/#/partners/7/activity');
});

it('stops the node before it ends, within two seconds even when the node hangs (E5)', async () => {
  await started();
  nodes[0]!.stopsAfterMs = 60_000;
  // By a made-up clock: on a busy machine two seconds of ours may be over before anything is done in them.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    double.electron.app.quit();
    await expect.poll(() => nodes[0]!.asked).toContain('stop');
    await vi.advanceTimersByTimeAsync(1999);
    await expect.poll(() => double.of('app ended')).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
  expect(double.trays[0]!.destroyed).toBe(true);
});

it('has the page save what is typed, with time to arrive, before the node is stopped', async () => {
  await started();
  double.isTyping = true;
  const begun = performance.now();
  double.electron.app.quit();
  await soon(() => expect(double.of('window.executeJavaScript')).toHaveLength(1));
  expect(nodes[0]!.asked).not.toContain('stop');
  await soon(() => expect(nodes[0]!.asked).toContain('stop'));
  expect(performance.now() - begun).toBeGreaterThan(150);
  await soon(() => expect(double.of('app ended')).toHaveLength(1));
});

it('has written down where its window stands before Electron is let quit', async () => {
  await started();
  await placed();
  let written = '';
  window().on('close', () => (written = readFileSync(join(folder, 'shell.json'), 'utf8')));
  double.electron.app.quit();
  await soon(() => expect(double.of('app ended')).toHaveLength(1));
  expect(JSON.parse(written)).toMatchObject({
    bounds: { x: 10, y: 20, width: 1000, height: 700, maximized: false },
  });
});

it('installs an update only after the node has stopped, and lets the windows close for it', async () => {
  const installed: string[] = [];
  const engine = Object.assign(new EventEmitter(), {
    checkForUpdates: () => Promise.resolve({ isUpdateAvailable: true, updateInfo: { version: '2.0.0' } }),
    quitAndInstall: () => void installed.push(nodes[0]!.asked.at(-1) ?? ''),
  });
  await started({
    updates: {
      situation: { packaged: true, platform: 'win32', hasFeed: true, signed: true },
      loadEngine: () =>
        Promise.resolve(engine as unknown as Awaited<ReturnType<ShellDeps['updates']['loadEngine']>>),
    },
  });
  const page = { url: 'app://footbridge/', parent: null };
  expect(await double.invoke('footbridge:installUpdate', page)).toBe(false);
  await double.invoke('footbridge:checkForUpdates', page);
  engine.emit('update-downloaded', { version: '2.0.0' });
  click('install-update');
  await soon(() => expect(installed).toEqual(['stop']));
  let held = false;
  window().emit('close', { preventDefault: () => (held = true) });
  expect(held).toBe(false);
  expect(double.of('app.exit')).toEqual([]);
  double.app.emit('second-instance', {}, [], '/', { hidden: false });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(double.of('app.relaunch'), 'the installer does that').toEqual([]);
});

it('looks for an update from its menu, and says what it found or why it does not look', async () => {
  await started();
  const items = double.menus
    .at(-1)!
    .flatMap(({ submenu }) => submenu as { id?: string; click?: () => void }[]);
  items.find(({ id }) => id === 'check-updates')?.click?.();
  await soon(() =>
    expect(double.boxes).toMatchObject([
      { message: 'Updates', detail: 'This copy has no address to update from.' },
    ]),
  );
});

it('claims its links on Windows, where no package does, and not for a copy run from its sources', async () => {
  await started();
  expect(double.of('app.setAsDefaultProtocolClient')).toEqual([
    ['corteza'],
    ['corteza+federation'],
    ['footbridge'],
  ]);
  double = electronDouble();
  nodes = [standIn()];
  await started({ login: { platform: 'win32', packaged: false, execPath: '/x', home: folder } });
  expect(double.of('app.setAsDefaultProtocolClient')).toEqual([]);
});

it('ends the process itself when the orderly end does not come', async () => {
  await started();
  double.electron.app.quit();
  await soon(() => expect(double.of('app.exit')).toEqual([[0]]));
});

it('stops cleanly when the session or the computer ends', async () => {
  await started();
  window().emit('session-end');
  await soon(() => expect(double.of('app ended')).toHaveLength(1));

  double = electronDouble();
  nodes = [standIn()];
  await started();
  let held = false;
  double.powerMonitor.emit('shutdown', { preventDefault: () => (held = true) });
  await soon(() => expect(double.of('app ended')).toHaveLength(1));
  expect(held).toBe(true);
});

it('lets the node sleep and wake with the computer', async () => {
  await started();
  double.powerMonitor.emit('suspend');
  double.powerMonitor.emit('resume');
  expect(nodes[0]!.asked.slice(1)).toEqual(['suspend', 'resume']);
});

it('loads a page whose process ended anew, and asks when it keeps ending (E4)', async () => {
  await started();
  for (let i = 0; i < 3; i++) window().webContents.emit('render-process-gone', {}, { reason: 'crashed' });
  await soon(() => expect(double.of('window.reload')).toHaveLength(3));
  expect(double.boxes).toHaveLength(0);
  window().webContents.emit('render-process-gone', {}, { reason: 'oom' });
  await soon(() => expect(double.boxes.map(({ message }) => message)).toEqual(['The window keeps failing']));
  window().webContents.emit('render-process-gone', {}, { reason: 'clean-exit' });
  expect(double.boxes).toHaveLength(1);
  expect(nodes[0]!.asked).toEqual(['start']);
});

it('offers to open a page anew that does not respond (E4)', async () => {
  await started();
  double.answers.push(1);
  window().emit('unresponsive');
  await soon(() => expect(double.of('window.forcefullyCrashRenderer')).toHaveLength(1));
});

it('restarts the node after a crash, writes a report without secrets, and says so', async () => {
  const made = await started();
  const secret = 'a'.repeat(32);
  await made.crashed(new Error(`sent to https://12:${secret}@host/ from ${folder}`), 'uncaught exception');
  expect(nodes).toHaveLength(2);
  expect(nodes[0]!.asked).toEqual(['start', 'stop']);
  expect(nodes[1]!.asked).toEqual(['start']);
  await soon(() => expect(double.boxes[0]?.message).toBe('Footbridge had a problem and started again'));
  expect(double.of('window.reload')).toHaveLength(1);
  const [report] = await readdir(join(folder, 'data', 'reports'));
  const text = await readFile(join(folder, 'data', 'reports', report!), 'utf8');
  expect(text).toMatch(/During: uncaught exception/);
  expect(text).not.toContain(secret);
});

it('gives up after the fourth crash in ten minutes, and starts again when asked to', async () => {
  const made = await started();
  for (let i = 0; i < 3; i++) await made.crashed(new Error('again'), 'test');
  double.answers.push(0, 0, 0, 0);
  await made.crashed(new Error('again'), 'test');
  await soon(() => expect(double.boxes.map(({ message }) => message)).toContain('Footbridge keeps stopping'));
  await soon(() => expect(nodes.at(-1)?.asked).toEqual(['start']));
  expect(nodes).toHaveLength(5);
});

it('restarts the node after it crashed by itself, and says so once', async () => {
  await started();
  nodes[0]!.hearer!.crashed(new Error('it is gone'), 'the process of the node');
  // What else goes wrong with it meanwhile is no other crash.
  nodes[0]!.hearer!.crashed(new Error('it is gone'), 'the process of the node');
  await soon(() => expect(nodes[1]?.asked).toEqual(['start']));
  await soon(() => expect(double.boxes[0]?.message).toBe('Footbridge had a problem and started again'));
  expect(nodes).toHaveLength(2);
  expect(double.of('window.reload')).toHaveLength(1);
});

it('restarts a new node, too, that ends before anything was asked of it', async () => {
  nodes = [standIn(), standIn()];
  nodes[1]!.settings = () => {
    nodes[1]!.hearer!.crashed(new Error('it is gone again'), 'the process of the node');
    return Promise.reject(new Error('it is gone again'));
  };
  await started();
  nodes[0]!.hearer!.crashed(new Error('it is gone'), 'the process of the node');
  await soon(() => expect(nodes[2]?.asked).toEqual(['start']));
});

it('starts nothing behind the dialog that asks whether to try again', async () => {
  const made = await started();
  const asked = new Map<string, (response: number) => void>();
  double.electron.dialog.showMessageBox = (...args: unknown[]) =>
    new Promise((resolve) => {
      const answer = (response: number): void => resolve({ response, checkboxChecked: false });
      asked.set((args.at(-1) as Electron.MessageBoxOptions).message, answer);
    });
  for (let i = 0; i < 4; i++) await made.crashed(new Error('again'), 'test');
  await soon(() => expect([...asked.keys()]).toContain('Footbridge keeps stopping'));
  // Ten minutes later a restart would be due again.
  now += 11 * 60_000;
  await made.crashed(new Error('in the shell, while nothing runs'), 'test');
  expect(nodes).toHaveLength(4);
  asked.get('Footbridge keeps stopping')?.(0);
  await soon(() => expect(nodes[4]?.asked).toEqual(['start']));
});

it('tells once of crashes and of links that come while nobody looks', async () => {
  const made = await started();
  const told: string[] = [];
  double.electron.dialog.showMessageBox = (...args: unknown[]) => {
    told.push((args.at(-1) as Electron.MessageBoxOptions).message);
    return new Promise(() => undefined);
  };
  for (let i = 0; i < 5; i++) {
    await made.crashed(new Error('every four minutes'), 'test');
    now += 4 * 60_000;
    double.app.emit('second-instance', {}, [], '/', { hidden: false, link: 'footbridge://nowhere' });
  }
  expect(nodes).toHaveLength(6);
  window().emit('unresponsive');
  window().emit('unresponsive');
  await soon(() => expect(told).toHaveLength(3));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(new Set(told)).toEqual(
    new Set([
      'Footbridge had a problem and started again',
      'This link can’t be used',
      'The window does not respond',
    ]),
  );
  expect(told).toHaveLength(3);
});

it('starts a node anew that has not answered for two minutes, however long the computer slept', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    await started();
    for (let minute = 0; minute < 5; minute++) await vi.advanceTimersByTimeAsync(60_000);
    expect(nodes, 'it answers').toHaveLength(1);
    nodes[0]!.settings = () => new Promise(() => undefined);
    now += 24 * 3_600_000;
    await vi.advanceTimersByTimeAsync(120_000);
    expect(nodes, 'busy for a while, or just woken up').toHaveLength(1);
    await vi.advanceTimersByTimeAsync(30_000);
    await soon(() => expect(nodes[1]?.asked).toEqual(['start']));
    expect(nodes[0]!.asked).toEqual(['start', 'stop']);
    await soon(() => expect(double.boxes[0]?.message).toBe('Footbridge had a problem and started again'));
    nodes[1]!.settings = () => new Promise(() => undefined);
    await vi.advanceTimersByTimeAsync(60_000);
    nodes[1]!.hearer!.crashed(new Error('it is gone'), 'the process of the node');
    await soon(() => expect(nodes[2]?.asked).toEqual(['start']));
    await vi.advanceTimersByTimeAsync(600_000);
    expect(nodes, 'what the one before owes is nobody’s any more').toHaveLength(3);
  } finally {
    vi.useRealTimers();
  }
});

it('starts no node once the user has quit while the keyring asked', async () => {
  let open: ((key: SecretKey) => void) | undefined;
  const forget = (): Promise<void> => Promise.resolve();
  const made = await shell({ secrets: { open: () => new Promise((resolve) => (open = resolve)), forget } });
  const start = made.start();
  await soon(() => expect(open).toBeDefined());
  double.electron.app.quit();
  await soon(() => expect(double.of('app ended')).toHaveLength(1));
  open?.({ key: Buffer.alloc(32), protection: 'file' });
  await start;
  expect(nodes[0]!.asked).toEqual([]);
});

it('stops a node that is still starting when the user quits, and tells of no failure', async () => {
  const made = await shell();
  let fail: ((error: Error) => void) | undefined;
  nodes[0]!.start = () => new Promise((_resolve, reject) => (fail = reject));
  nodes[0]!.stop = () => {
    nodes[0]!.asked.push('stop');
    fail?.(new Error('The process of the node ended.'));
    return Promise.resolve();
  };
  const start = made.start();
  await soon(() => expect(fail).toBeDefined());
  double.electron.app.quit();
  await start;
  await soon(() => expect(double.of('app ended')).toHaveLength(1));
  expect(nodes[0]!.asked).toEqual(['stop']);
  expect(double.boxes).toEqual([]);
});

it.each([
  ['newer-version', /newer Footbridge/, /Install the newest version/],
  ['locked', /already running/, /restart the computer/],
  ['damaged', /can’t be read/, /Nothing was deleted/],
  ['full', /disk is full/, /Make room/],
] as const)('explains a data folder that is %s and ends', async (code, message, detail) => {
  nodes[0]!.startError = new StoreError(code, 'What the store found.');
  double.answers.push(1);
  const made = await shell();
  await made.start();
  expect(double.boxes[0]!.message).toMatch(message);
  expect(double.boxes[0]!.detail).toMatch(detail);
  expect(double.boxes[0]!.detail).toMatch(/What the store found/);
  expect(double.windows).toHaveLength(0);
  expect(double.of('app.exit')).toEqual([[3]]);
});

it('asks before it gives up secrets that a shut keyring guards', async () => {
  await started();
  double = electronDouble();
  double.keyring.key = 'another user';
  nodes = [standIn()];
  await (await shell()).start();
  expect(double.boxes.map(({ message }) => message)).toEqual(['The keyring of this computer stays shut']);
  await soon(() => expect(double.of('app ended')).toHaveLength(1));
  expect(nodes[0]!.asked).toEqual([]);

  double = electronDouble();
  double.keyring.key = 'another user';
  double.answers.push(1);
  await started();
  expect(nodes[0]!.asked).toEqual(['start']);
  expect(await readdir(join(folder, 'data', 'keys'))).toEqual([
    'secrets.key.guarded',
    expect.stringMatching(/unopened/),
  ]);
});

it('tries again after a failed start when the user has made room', async () => {
  nodes[0]!.startError = new StoreError('full', 'No room.');
  nodes[1] = standIn();
  await started();
  expect(double.boxes).toHaveLength(1);
  expect(nodes[1].asked).toEqual(['start']);
  expect(window().url).toBe('app://footbridge/#/');
});

it('speaks of a report on a failed start only where one could be written', async () => {
  nodes[0]!.startError = new TypeError('x is not a function');
  nodes[1] = standIn();
  await started();
  expect(double.boxes[0]?.detail).toMatch(/A report was saved/);

  double = electronDouble();
  nodes = [standIn()];
  nodes[0]!.startError = new TypeError('x is not a function');
  await rm(join(folder, 'data', 'reports'), { recursive: true });
  await writeFile(join(folder, 'data', 'reports'), 'no folder');
  await started();
  expect(double.boxes[0]?.detail).not.toMatch(/report/);
});

it('does what the settings say, at the start and when they change', async () => {
  nodes[0]!.settingsNow = { ...SETTINGS, closeToTray: false, theme: 'dark', startAtLogin: true };
  await started();
  expect(double.nativeTheme).toMatchObject({ themeSource: 'dark' });
  await soon(() =>
    expect(double.of('app.setLoginItemSettings')).toEqual([[{ openAtLogin: true, args: ['--hidden'] }]]),
  );
  nodes[0]!.settingsNow = { ...SETTINGS, language: 'de' };
  nodes[0]!.say({ type: 'settings' });
  await soon(() => expect(double.of('app.setLoginItemSettings')).toHaveLength(2));
  expect(double.nativeTheme).toMatchObject({ themeSource: 'system' });
  expect(double.menus.at(-1)?.map(({ label }) => label)).toContain('Bearbeiten');
  expect(double.trays[0]!.toolTip).toMatch(/Aktuell/);
  nodes[0]!.settingsNow = { ...SETTINGS, closeToTray: false };
  nodes[0]!.say({ type: 'settings' });
  await closed();
  await soon(() => expect(double.of('app ended')).toHaveLength(1));
});

it('leaves the start to another instance that runs already', () => {
  double.singleInstance = false;
  expect(claimInstance(double.electron, { hidden: false, link: 'corteza:x' })).toBeUndefined();
  expect(double.of('app.requestSingleInstanceLock')).toEqual([[{ hidden: false, link: 'corteza:x' }]]);
});

it('keeps copy and paste on the menu bar and the right button, and no reload that would take Ctrl+R', async () => {
  await started();
  const flat = JSON.stringify(double.menus.at(-1));
  for (const role of ['cut', 'copy', 'paste', 'selectAll']) expect(flat).toContain(`"role":"${role}"`);
  expect(flat).not.toMatch(/"role":"(reload|forceReload|toggleDevTools)"/);
  const editFlags = { canCut: true, canCopy: true, canPaste: true, canSelectAll: true };
  window().webContents.emit('context-menu', {}, { isEditable: true, selectionText: '', editFlags });
  window().webContents.emit('context-menu', {}, { isEditable: false, selectionText: '', editFlags });
  expect(double.of('menu.popup')).toHaveLength(1);
});

it('has the ground of the theme before the page is drawn, and follows its change', async () => {
  double.nativeTheme.shouldUseDarkColors = true;
  await started();
  expect(window().options.backgroundColor).toBe('#0f181c');
  double.nativeTheme.shouldUseDarkColors = false;
  double.nativeTheme.emit('updated');
  expect(double.of('window.setBackgroundColor')).toEqual([['#f5f4ef']]);
});

it('opens where it was left', async () => {
  await started();
  await placed();
  await closed();
  await soon(() => expect(window().visible).toBe(false));
  double = electronDouble();
  nodes = [standIn()];
  await started();
  expect(window().options).toMatchObject({ x: 10, y: 20, width: 1000, height: 700 });
});
