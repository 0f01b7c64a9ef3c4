import type { DesktopApi } from '../server/contract/app/desktop.ts';
import type {} from 'vite/types/importMeta.d.ts';

declare global {
  interface Window {
    /** Absent in a browser. */
    footbridge?: DesktopApi;
  }
}
