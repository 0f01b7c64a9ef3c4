import type { OpenDialogOptions, SaveDialogOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import { desktopArguments, type DesktopApi } from '../../../server/contract/app/desktop.ts';
import { createChoosePath } from '../../../main/window/desktop-api.ts';
import { textsIn } from '../../../main/text/i18n.ts';

describe('choosing where a file lies', () => {
  const asked: (OpenDialogOptions | SaveDialogOptions)[] = [];
  const answers = {
    canceled: false,
    filePaths: ['/office/Customers.ods', '/office/b.csv'],
    filePath: '/office/a.csv',
  };
  const choosing = (answer: Partial<typeof answers> = {}): DesktopApi['choosePath'] =>
    createChoosePath({
      electron: {
        dialog: {
          showOpenDialog: (options: OpenDialogOptions) => {
            asked.push(options);
            return Promise.resolve({ ...answers, ...answer });
          },
          showSaveDialog: (options: SaveDialogOptions) => {
            asked.push(options);
            return Promise.resolve({ ...answers, ...answer });
          },
        },
      } as never,
      window: () => undefined,
      texts: () => textsIn('en'),
    });
  const last = (): (typeof asked)[number] | undefined => asked.at(-1);

  it('is a table to read, a folder, or a place to write to', async () => {
    expect(await choosing()('file', '')).toBe('/office/Customers.ods');
    expect(last()).toMatchObject({
      properties: ['openFile'],
      filters: [{ extensions: expect.arrayContaining(['ods', 'xlsx', 'csv']) as string[] }],
    });
    await choosing()('folder', '');
    expect(last()).toMatchObject({ properties: ['openDirectory'] });
    expect(await choosing()('copy', 'Customers')).toBe('/office/a.csv');
    expect(last()).toMatchObject({
      defaultPath: 'Customers.xlsx',
      filters: [{ extensions: ['xlsx', 'csv'] }],
    });
  });

  it('is nothing where its user chose nothing', async () => {
    for (const kind of ['file', 'folder', 'copy'] as const)
      expect(await choosing({ canceled: true })(kind, '')).toBe('');
    expect(await choosing({ filePaths: [] })('file', '')).toBe('');
  });

  it('proposes no place that a page says, only a name', async () => {
    for (const [name, proposed] of [
      ['../../etc/cron.d/x', 'etc cron.d x.xlsx'],
      ['C:\\Windows\\a', 'C Windows a.xlsx'],
      ['a\u202evsc\n', 'a vsc.xlsx'],
      ['...', 'Footbridge.xlsx'],
      ['Kunden «Süd»', 'Kunden «Süd».xlsx'],
    ] as const) {
      await choosing()('copy', name);
      expect(last()?.defaultPath).toBe(proposed);
    }
  });

  it('takes no other kinds, and nothing that is no name', () => {
    const takes = (...args: unknown[]): boolean => desktopArguments.choosePath.safeParse(args).success;
    expect(takes('file', '')).toBe(true);
    expect(takes('any', '')).toBe(false);
    expect(takes('file', 'x'.repeat(201))).toBe(false);
    expect(takes('file', { name: 'x' })).toBe(false);
    expect(takes('file')).toBe(false);
  });
});
