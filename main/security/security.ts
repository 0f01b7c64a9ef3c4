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
 * The shell's guards, numbered as in Electron's checklist ("Security"). Elsewhere: 7 (content policy) and 18 (no
 * file:// pages) in app-protocol.ts; 15 in open-external.ts; 16 (a current Electron) in package.json; 17 (IPC senders)
 * in desktop-api.ts; 20 in preload.ts; 19 (fuses) in electron-builder.yml.
 */

/** Sandboxes every page (4) and registers the app's own scheme (18). Call before Electron is ready. */
export function guardProcess({ app, protocol }: Electron<'app' | 'protocol'>): void {
  app.enableSandbox();
  protocol.registerSchemesAsPrivileged([OWN_SCHEME]);
}

const OWN_SCHEME: CustomScheme = {
  scheme: APP_SCHEME,
  privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, bypassCSP: false },
};

/**
 * Returns the page's preferences: 2 (no Node), 3 (context isolation), 4 (sandbox), 6 (web security), 8 (no insecure
 * content), 9 and 10 (no experiments, no Blink features), 11 (no webviews); no navigation by a dropped file, and no
 * spell checker.
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

/** A dead proxy, for loopback too: stops what bypasses request handlers (WebRTC, preconnections). */
const NOWHERE: ProxyConfig = {
  mode: 'fixed_servers',
  proxyRules: 'socks5://127.0.0.1:1',
  proxyBypassRules: '<-loopback>',
};

/**
 * Blocks requests outside the app's origin (1), refuses all permissions and devices (5), switches the spell checker
 * off, and allows downloads of the app's own data only. Resolves once a dead proxy is set, so that nothing else reaches
 * the network.
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
 * Blocks webviews (12), navigation off the start page (13), new windows (14), and WebRTC past the session's proxy.
 * Passes addresses of clicked links and new windows, but no redirects, to `openExternal`, which must check them.
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
