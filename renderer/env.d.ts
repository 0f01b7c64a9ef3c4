import type { DesktopApi } from '../server/contract/app/desktop.ts';

declare global {
  interface Window {
    /** What the desktop shell offers; absent in a browser. */
    footbridge?: DesktopApi;
  }
}
