import type { BrowserWindow, OpenDialogOptions, SaveDialogOptions } from 'electron';
import type { DesktopApi } from '../../server/contract/app/desktop.ts';
import type { Electron } from '../electron.ts';
import type { Texts } from '../text/i18n.ts';

/** Implements {@link DesktopApi.choosePath} with the system's dialogs: returns the chosen path, '' if cancelled. */
export function createChoosePath({
  electron: { dialog },
  window,
  texts,
}: {
  readonly electron: Electron<'dialog'>;
  readonly window: () => BrowserWindow | undefined;
  readonly texts: () => Texts;
}): DesktopApi['choosePath'] {
  /** Shows the system's dialog to open a file or folder; returns '' if cancelled. */
  async function open(options: OpenDialogOptions): Promise<string> {
    const before = window();
    const { canceled, filePaths } = await (before
      ? dialog.showOpenDialog(before, options)
      : dialog.showOpenDialog(options));
    return canceled ? '' : (filePaths[0] ?? '');
  }
  /** Shows the system's dialog to save a file; returns '' if cancelled. */
  async function save(options: SaveDialogOptions): Promise<string> {
    const before = window();
    const { canceled, filePath } = await (before
      ? dialog.showSaveDialog(before, options)
      : dialog.showSaveDialog(options));
    return canceled ? '' : filePath;
  }
  return (kind, name) => {
    const t = texts();
    /** Returns the filter for files with tables. */
    const tables = (extensions: string[]): { name: string; extensions: string[] }[] => [
      { name: t('choose.tables'), extensions },
    ];
    if (kind === 'folder') return open({ title: t('choose.folder'), properties: ['openDirectory'] });
    if (kind === 'file')
      return open({
        title: t('choose.file'),
        properties: ['openFile'],
        filters: tables(['xlsx', 'xlsm', 'ods', 'csv', 'tsv']),
      });
    return save({
      title: t('choose.copy'),
      defaultPath: `${plainFileName(name)}.xlsx`,
      filters: tables(['xlsx', 'csv']),
      properties: ['createDirectory'],
    });
  };
}

/**
 * Returns a name without path separators and characters that systems refuse, because a page's text is no path;
 * `Footbridge` if nothing is left.
 */
const plainFileName = (name: string): string =>
  name
    .replace(/[\\/:*?"<>|\p{C}]+/gu, ' ')
    .replace(/^[.\s]+|[.\s]+$/g, '')
    .slice(0, 100) || 'Footbridge';
