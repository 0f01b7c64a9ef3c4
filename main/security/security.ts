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
 * The guards of the shell. The numbers are those of the checklist in Electron's documentation ("Security").
 * Answered elsewhere: 7 (a policy for content) and 18 (no file:// pages) by `content-policy.ts` and
 * `app-protocol.ts`; 15 (shell.openExternal) by `open-external.ts`; 16 (a current Electron) by the exact
 * version in package.json; 17 (who sends IPC) and 20 (no Electron in the page) by `ipc.ts` and `preload.ts`;
 * 19 (fuses) by electron-builder.yml.
 */

/** 4 (sandbox): for every page there will ever be. To be called before the app is ready. */
export function guardProcess({ app, protocol }: Electron<'app' | 'protocol'>): void {
  app.enableSandbox();
  protocol.registerSchemesAsPrivileged([OWN_SCHEME]);
}

/** 18 (a protocol of our own): a secure, standard origin; it may not get around the content policy. */
const OWN_SCHEME: CustomScheme = {
  scheme: APP_SCHEME,
  privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, bypassCSP: false },
};

/**
 * 2 (no Node in pages), 3 (context isolation), 4 (sandbox), 6 (web security), 8 (no insecure content), 9 (no
 * experiments), 10 (no Blink features), 11 (no webviews); besides, a dropped file does not replace the page.
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
    // Chromium would fetch dictionaries from the network.
    spellcheck: false,
  };
}

/**
 * Where nothing listens. What asks no handler of requests, WebRTC and connections made ahead, goes through a proxy
 * as well; names go to it unresolved. The loopback addresses are not spared.
 */
const NOWHERE: ProxyConfig = {
  mode: 'fixed_servers',
  proxyRules: 'socks5://127.0.0.1:1',
  proxyBypassRules: '<-loopback>',
};

/**
 * 1 (only what is our own): no request leaves for any network. 5 (permissions): none is given, asked or
 * unasked, nor any device. Files are saved from the app's own pages only.
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
 * 12 (webviews), 13 (navigation) and 14 (new windows): the page stays where it is. What the user clicked is
 * handed to `openExternal`, which decides for itself. WebRTC, which no policy for content stops, may use no UDP, and for
 * the rest the proxy of {@link guardSession}.
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
