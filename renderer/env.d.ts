import type { DesktopApi } from '../server/contract/app/desktop.ts';
import type {} from 'vite/types/importMeta.d.ts';

declare global {
  interface Window {
    /** The desktop app's API; absent in a browser. */
    footbridge?: DesktopApi;
  }
}
