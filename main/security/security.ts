import type {
  BrowserWindowConstructorOptions,
  CustomScheme,
  ProxyConfig,
  Session,
  WebContents,
} from 'electron';
import type { Electron } from '../electron.ts';
import { APP_SCHEME, mayDownload, mayNavigate, mayRequest } from './navigation.ts';

/*
 * The guards of the shell, numbered as in the checklist of Electron's documentation ("Security"). Elsewhere:
 * 7 (content policy) and 18 (no file:// pages) in `content-policy.ts` and `app-protocol.ts`; 15
 * (shell.openExternal) in `open-external.ts`; 16 (a current Electron) by the exact version in package.json;
 * 17 (IPC senders) and 20 (no Electron in the page) in `ipc.ts` and `preload.ts`; 19 (fuses) in
 * electron-builder.yml.
 */

/**
 * Turns on the sandbox for every page and registers the app's own protocol (4, sandbox). Call it before the app is
 * ready.
 */
export function guardProcess({ app, protocol }: Electron<'app' | 'protocol'>): void {
  app.enableSandbox();
  protocol.registerSchemesAsPrivileged([OWN_SCHEME]);
}

/** 18 (own protocol): a secure, standard origin that can't bypass the content policy. */
const OWN_SCHEME: CustomScheme = {
  scheme: APP_SCHEME,
  privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, bypassCSP: false },
};

/**
 * Returns the page's preferences: 2 (no Node in pages), 3 (context isolation), 4 (sandbox), 6 (web security), 8 (no
 * insecure content), 9 (no experiments), 10 (no Blink features), 11 (no webviews). A dropped file doesn't replace
 * the page.
 */
export function webPreferences(
  preload: string,
): NonNullable<BrowserWindowConstructorOptions['webPreferences']> {
  return {
    preload,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    // Chromium would download dictionaries.
    spellcheck: false,
  };
}

/**
 * A dead proxy. What bypasses request handlers (WebRTC, preconnections) uses it too; names reach it
 * unresolved. Loopback is not exempt.
 */
const NOWHERE: ProxyConfig = {
  mode: 'fixed_servers',
  proxyRules: 'socks5://127.0.0.1:1',
  proxyBypassRules: '<-loopback>',
};

/**
 * Blocks all network requests of the session's pages (1, own content only), refuses all permissions and devices
 * (5), and allows downloads from the app's own pages only. Resolves once requests that bypass these handlers have a
 * proxy that leads nowhere.
 */
export async function guardSession(session: Session): Promise<void> {
  session.webRequest.onBeforeRequest((details, callback) => callback({ cancel: !mayRequest(details.url) }));
  session.setPermissionRequestHandler((_contents, _permission, callback) => callback(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.setSpellCheckerEnabled(false);
  session.on('will-download', (event, item) => {
    if (!mayDownload(item.getURL())) event.preventDefault();
  });
  await session.setProxy(NOWHERE);
}

/**
 * Keeps a page where it is: blocks webviews (12), navigation (13) and new windows (14); passes clicked links to
 * `openExternal`, which decides. WebRTC, which no content policy stops, may not use UDP, and otherwise uses the
 * proxy of {@link guardSession}.
 */
export function guardContents(contents: WebContents, openExternal: (url: string) => void): void {
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.on('will-navigate', (event) => {
    if (mayNavigate(event.url)) return;
    event.preventDefault();
    openExternal(event.url);
  });
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame) event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    if (!mayNavigate(event.url)) event.preventDefault();
  });
  contents.setWindowOpenHandler(({ url }) => {
    openExternal(url);
    return { action: 'deny' };
  });
}
