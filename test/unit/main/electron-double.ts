import { EventEmitter } from 'node:events';
import type { MenuItemConstructorOptions, MessageBoxOptions } from 'electron';
import type { Electron as Uses } from '../../../main/electron.ts';
import type { ShellElectron } from '../../../main/shell/shell.ts';
import { forkNode, type ForkedNode } from '../../support/harness/forked-node.ts';

/** One call that the shell made, such as `['app.quit']` or `['window.loadURL', 'app://…']`. */
export type Call = readonly [name: string, ...args: unknown[]];

/**
 * The one stand-in for Electron in the shell's tests. It has just the parts that the shell uses, writes down
 * each call, lets a test send the events of a desktop, and fails on whatever it does not have.
 */
export interface ElectronDouble {
  readonly electron: ShellElectron & Uses<'safeStorage' | 'utilityProcess'>;
  readonly calls: Call[];
  /** The arguments of all calls of this name. */
  of(name: string): unknown[][];
  readonly app: EventEmitter;
  readonly powerMonitor: EventEmitter;
  readonly nativeTheme: EventEmitter & { shouldUseDarkColors: boolean };
  readonly windows: DoubleWindow[];
  readonly trays: DoubleTray[];
  readonly notifications: (EventEmitter & { options: { title: string; body: string } })[];
  /** The processes that were forked: of the built node, whatever was to be run in them. */
  readonly forked: ForkedNode[];
  /** Answers to the coming message boxes, in order; 0 when there are none left. */
  readonly answers: number[];
  readonly boxes: MessageBoxOptions[];
  /** Menus set for the application, the last one last. */
  readonly menus: MenuItemConstructorOptions[][];
  /** Calls the handler of a channel as a page would. */
  invoke(
    channel: string,
    frame: { url: string; parent: unknown } | null,
    ...args: unknown[]
  ): Promise<unknown>;
  /** The handler of the app's own protocol. */
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** Handlers that the shell gave to the session. */
  readonly session: SessionHandlers;
  displays: { id: number; workArea: { x: number; y: number; width: number; height: number } }[];
  isPackaged: boolean;
  singleInstance: boolean;
  /** A field of the page is being edited. */
  isTyping: boolean;
  /** The system's keyring; what was encrypted with another `key` does not open. It marks what it seals as Chromium does. */
  readonly keyring: { available: boolean; sealsWith: 'v10' | 'v11'; key: string; outdated: boolean };
}

export interface DoubleWindow extends EventEmitter {
  readonly options: Electron.BrowserWindowConstructorOptions;
  readonly webContents: EventEmitter & { openHandler: ((details: { url: string }) => unknown) | undefined };
  visible: boolean;
  minimized: boolean;
  url: string;
}
export interface DoubleTray extends EventEmitter {
  image: string;
  toolTip: string;
  menu: MenuItemConstructorOptions[];
  destroyed: boolean;
}
interface SessionHandlers {
  beforeRequest?: (details: { url: string }, callback: (answer: { cancel: boolean }) => void) => void;
  permissionRequest?: (contents: unknown, permission: string, callback: (granted: boolean) => void) => void;
  permissionCheck?: () => boolean;
  device?: () => boolean;
  readonly events: EventEmitter;
}

/** Lets nothing be used that the double does not have: a test then fails instead of passing for nothing. */
function strict<T extends object>(name: string, part: T): T {
  return new Proxy(part, {
    get(target, key) {
      if (typeof key === 'symbol' || key in target || key === 'then') return Reflect.get(target, key, target);
      throw new Error(`The double of Electron has no ${name}.${key}.`);
    },
    set(target, key, value) {
      if (!(key in target)) throw new Error(`The double of Electron has no ${name}.${String(key)}.`);
      return Reflect.set(target, key, value, target);
    },
  });
}

/** What a stand-in has beside an emitter's own: what the test reads, and methods of Electron that the shell calls. */
type Parts<T> = Omit<T, keyof EventEmitter> & Record<string, unknown>;

export function electronDouble(): ElectronDouble {
  const calls: Call[] = [];
  const note =
    <Args extends unknown[], R>(name: string, answer?: (...args: Args) => R) =>
    (...args: Args): R => {
      calls.push([name, ...args]);
      return answer?.(...args) as R;
    };
  const emitter = <T extends object>(name: string, part: T): EventEmitter & T =>
    strict(
      name,
      Object.defineProperties(new EventEmitter(), Object.getOwnPropertyDescriptors(part)) as EventEmitter & T,
    );

  const windows: DoubleWindow[] = [];
  const trays: DoubleTray[] = [];
  const notifications: ElectronDouble['notifications'] = [];
  const forked: ForkedNode[] = [];
  const menus: MenuItemConstructorOptions[][] = [];
  const boxes: MessageBoxOptions[] = [];
  const answers: number[] = [];
  const handlers = new Map<string, (event: unknown, ...args: unknown[]) => unknown>();
  const sessionHandlers: SessionHandlers = { events: new EventEmitter() };
  let protocolHandler: ((request: Request) => Promise<Response>) | undefined;

  const double = {
    isPackaged: false,
    userData: '',
    singleInstance: true,
    isTyping: false,
    keyring: {
      available: true,
      sealsWith: 'v11' as ElectronDouble['keyring']['sealsWith'],
      key: 'this user',
      outdated: false,
    },
    displays: [{ id: 1, workArea: { x: 0, y: 0, width: 1920, height: 1040 } }],
  };

  const app = emitter('app', {
    get isPackaged() {
      return double.isPackaged;
    },
    quit: note('app.quit', () => {
      const held = { yes: false };
      app.emit('before-quit', { preventDefault: () => (held.yes = true) });
      if (held.yes) return;
      for (const window of windows) window.emit('close', { preventDefault: () => undefined });
      calls.push(['app ended']);
    }),
    exit: note('app.exit'),
    whenReady: () => Promise.resolve(),
    getPath: () => double.userData,
    getAppPath: () => process.cwd(),
    setPath: note('app.setPath', (_name: string, path: string) => {
      double.userData = path;
    }),
    setAppUserModelId: note('app.setAppUserModelId'),
    relaunch: note('app.relaunch'),
    getLocale: () => 'en-GB',
    getLoginItemSettings: () => ({ wasOpenedAtLogin: false }),
    setLoginItemSettings: note('app.setLoginItemSettings'),
    setAsDefaultProtocolClient: note('app.setAsDefaultProtocolClient'),
    requestSingleInstanceLock: note('app.requestSingleInstanceLock', () => double.singleInstance),
    enableSandbox: note('app.enableSandbox'),
  });

  const window = (options: Electron.BrowserWindowConstructorOptions): DoubleWindow => {
    const contents: DoubleWindow['webContents'] = emitter<Parts<DoubleWindow['webContents']>>('webContents', {
      openHandler: undefined,
      setWindowOpenHandler(handler: (details: { url: string }) => unknown) {
        contents.openHandler = handler;
      },
      setWebRTCIPHandlingPolicy: note('window.setWebRTCIPHandlingPolicy'),
      reload: note('window.reload'),
      isCrashed: () => false,
      executeJavaScript: note('window.executeJavaScript', () => Promise.resolve(double.isTyping)),
      forcefullyCrashRenderer: note('window.forcefullyCrashRenderer'),
    });
    const made: DoubleWindow = emitter<Parts<DoubleWindow>>('window', {
      options,
      webContents: contents,
      visible: false,
      minimized: false,
      url: '',
      loadURL: note('window.loadURL', (url: string) => {
        made.url = url;
        return Promise.resolve();
      }),
      show: note('window.show', () => {
        made.visible = true;
      }),
      hide: note('window.hide', () => {
        made.visible = false;
      }),
      focus: note('window.focus'),
      minimize: note('window.minimize', () => {
        made.minimized = true;
      }),
      maximize: note('window.maximize', () => {
        made.visible = true;
      }),
      restore: note('window.restore', () => {
        made.minimized = false;
      }),
      close: note('window.close', (): void => {
        made.emit('close', { preventDefault: () => undefined });
      }),
      setBackgroundColor: note('window.setBackgroundColor'),
      setAutoHideMenuBar: note('window.setAutoHideMenuBar'),
      setMenuBarVisibility: note('window.setMenuBarVisibility'),
      isDestroyed: () => false,
      isVisible: () => made.visible,
      isMinimized: () => made.minimized,
      isMaximized: () => false,
      getNormalBounds: () => ({ x: 10, y: 20, width: 1000, height: 700 }),
    });
    windows.push(made);
    app.emit('web-contents-created', {}, contents);
    return made;
  };

  const tray = (image: { file: string }): DoubleTray => {
    const made = emitter('tray', {
      image: image.file,
      toolTip: '',
      menu: [] as MenuItemConstructorOptions[],
      destroyed: false,
      setImage(next: { file: string }) {
        made.image = next.file;
      },
      setToolTip(text: string) {
        made.toolTip = text;
      },
      setContextMenu: note('tray.setContextMenu', (menu: { template: MenuItemConstructorOptions[] }) => {
        made.menu = menu.template;
      }),
      destroy() {
        made.destroyed = true;
      },
    });
    trays.push(made);
    return made;
  };

  const notification = (options: {
    title: string;
    body: string;
  }): ElectronDouble['notifications'][number] => {
    const made = emitter('notification', { options, show: note('notification.show') });
    notifications.push(made);
    return made;
  };

  const powerMonitor = new EventEmitter();
  const nativeTheme = emitter('nativeTheme', { shouldUseDarkColors: false, themeSource: 'system' });

  // `new` on a function that returns an object gives that object.
  const constructor = (make: (options: never) => object, statics: object = {}): object =>
    strict(
      'class',
      Object.assign(function (options: never): object {
        return make(options);
      }, statics),
    );

  const electron = strict('electron', {
    app,
    powerMonitor,
    nativeTheme,
    BrowserWindow: constructor(window),
    Tray: constructor(tray),
    Notification: constructor(notification, { isSupported: () => true }),
    Menu: strict('Menu', {
      buildFromTemplate: (template: MenuItemConstructorOptions[]) => ({
        template,
        popup: note('menu.popup'),
      }),
      setApplicationMenu(menu: { template: MenuItemConstructorOptions[] }) {
        menus.push(menu.template);
      },
    }),
    clipboard: strict('clipboard', { writeText: note('clipboard.writeText') }),
    dialog: strict('dialog', {
      showMessageBox(...args: [MessageBoxOptions] | [unknown, MessageBoxOptions]) {
        const options = args.length === 2 ? args[1] : args[0];
        boxes.push(options);
        return Promise.resolve({ response: answers.shift() ?? 0, checkboxChecked: false });
      },
    }),
    ipcMain: strict('ipcMain', {
      handle(channel: string, handler: (event: unknown, ...args: unknown[]) => unknown) {
        handlers.set(channel, handler);
      },
    }),
    nativeImage: strict('nativeImage', { createFromPath: (file: string) => ({ file }) }),
    protocol: strict('protocol', {
      registerSchemesAsPrivileged: note('protocol.registerSchemesAsPrivileged'),
      handle(_scheme: string, handler: (request: Request) => Promise<Response>) {
        protocolHandler = handler;
      },
    }),
    safeStorage: strict('safeStorage', {
      isAsyncEncryptionAvailable: () => Promise.resolve(double.keyring.available),
      encryptStringAsync: (text: string) =>
        Promise.resolve(
          Buffer.from(
            double.keyring.sealsWith +
              JSON.stringify([double.keyring.key, Buffer.from(text).toString('base64')]),
          ),
        ),
      decryptStringAsync(sealed: Buffer) {
        const [key, text] = JSON.parse(sealed.toString().slice(3)) as [string, string];
        if (key !== double.keyring.key) return Promise.reject(new Error('not with this key'));
        const result = Buffer.from(text, 'base64').toString();
        return Promise.resolve({ result, shouldReEncrypt: double.keyring.outdated });
      },
    }),
    screen: strict('screen', {
      getPrimaryDisplay: () => double.displays[0],
      getAllDisplays: () => double.displays,
    }),
    session: strict('session', {
      defaultSession: strict('defaultSession', {
        webRequest: strict('webRequest', {
          onBeforeRequest(handler: NonNullable<SessionHandlers['beforeRequest']>) {
            sessionHandlers.beforeRequest = handler;
          },
        }),
        setPermissionRequestHandler(handler: NonNullable<SessionHandlers['permissionRequest']>) {
          sessionHandlers.permissionRequest = handler;
        },
        setPermissionCheckHandler(handler: () => boolean) {
          sessionHandlers.permissionCheck = handler;
        },
        setDevicePermissionHandler(handler: () => boolean) {
          sessionHandlers.device = handler;
        },
        setSpellCheckerEnabled: note('session.setSpellCheckerEnabled'),
        setProxy: note('session.setProxy', () => Promise.resolve()),
        on: (event: string, listener: (...args: unknown[]) => void) =>
          sessionHandlers.events.on(event, listener),
      }),
    }),
    utilityProcess: strict('utilityProcess', {
      fork: note('utilityProcess.fork', () => {
        const made = forkNode();
        forked.push(made);
        return made;
      }),
    }),
    shell: strict('shell', {
      openExternal: note('shell.openExternal', () => Promise.resolve()),
      showItemInFolder: note('shell.showItemInFolder'),
    }),
  });

  return Object.assign(double, {
    // The one place where the stand-in is passed off as Electron.
    electron: electron as unknown as ElectronDouble['electron'],
    calls,
    of: (name: string) => calls.filter((call) => call[0] === name).map(([, ...args]) => args),
    app,
    powerMonitor,
    nativeTheme,
    windows,
    trays,
    notifications,
    forked,
    answers,
    boxes,
    menus,
    session: sessionHandlers,
    invoke(channel: string, frame: { url: string; parent: unknown } | null, ...args: unknown[]) {
      const handler = handlers.get(channel);
      // As Electron does, a handler's throw becomes the caller's rejection.
      return Promise.resolve().then(() => {
        if (!handler) throw new Error(`No handler for ${channel}.`);
        return handler({ senderFrame: frame }, ...args);
      });
    },
    async fetch(url: string, init?: RequestInit) {
      if (!protocolHandler) throw new Error('The app has no protocol handler.');
      return protocolHandler(new Request(url, init));
    },
  });
}
