import type { BrowserWindow, OpenDialogOptions, SaveDialogOptions } from 'electron';
import type { DesktopApi } from '../../server/contract/app/desktop.ts';
import type { Electron } from '../electron.ts';
import type { Texts } from '../text/i18n.ts';

/** Implements {@link DesktopApi.choosePath} with the system's dialogs. */
export function createChoosePath({
  electron: { dialog },
  window,
  texts,
}: {
  readonly electron: Electron<'dialog'>;
  readonly window: () => BrowserWindow | undefined;
  readonly texts: () => Texts;
}): DesktopApi['choosePath'] {
  async function open(options: OpenDialogOptions): Promise<string> {
    const before = window();
    const { canceled, filePaths } = await (before
      ? dialog.showOpenDialog(before, options)
      : dialog.showOpenDialog(options));
    return canceled ? '' : (filePaths[0] ?? '');
  }
  async function save(options: SaveDialogOptions): Promise<string> {
    const before = window();
    const { canceled, filePath } = await (before
      ? dialog.showSaveDialog(before, options)
      : dialog.showSaveDialog(options));
    return canceled ? '' : filePath;
  }
  return (kind, name) => {
    const t = texts();
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

/** Removes path separators and characters that systems refuse in names: a page's text is no path. */
const plainFileName = (name: string): string =>
  name
    .replace(/[\\/:*?"<>|\p{C}]+/gu, ' ')
    .replace(/^[.\s]+|[.\s]+$/g, '')
    .slice(0, 100) || 'Footbridge';
