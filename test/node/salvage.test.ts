import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { inspectDataFolder } from '../../server/node/inspect-data-folder.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';
import { rowsOf, startNode, type NodeOffice } from '../support/harness/node.ts';

interface Salvaged {
  readonly moduleID: string;
  readonly name: string;
  readonly rows: number;
  readonly damagedLines: number;
  readonly missing?: number;
}
interface Told {
  readonly inbox: readonly { readonly moduleID?: string; readonly message: string }[];
}

const ARTICLES = Array.from({ length: 303 }, (_, at) => `Kugelhahn DN ${at + 1},${at * 3}`);

async function officeWithStock(): Promise<{ dataDir: string; office: NodeOffice; stock: string }> {
  const home = await temporaryFolder();
  onTestFinished(() => home.remove());
  const dataDir = home.path;
  const office = await startNode('Müller & Söhne', { dataDir });
  const csv = `Artikel,Bestand\n${ARTICLES.join('\n')}\n`;
  const { moduleID } = await office.app<{ moduleID: string }>('POST', '/app/import?list=Lager', csv);
  return { dataDir, office, stock: moduleID };
}

async function again(dataDir: string): Promise<NodeOffice> {
  const office = await startNode('Müller & Söhne', { dataDir });
  onTestFinished(() => office.stop());
  return office;
}

async function journalOf(dataDir: string, list: string): Promise<string> {
  const folder = join(dataDir, 'store', `list-${list}`);
  const [name = ''] = (await readdir(folder)).filter((each) => each.startsWith('journal-'));
  return join(folder, name);
}

it('R3: a list whose journal lost its second half, without a backup, gives back the rows of the first', async () => {
  const { dataDir, office, stock } = await officeWithStock();
  await office.stop();
  const journal = await journalOf(dataDir, stock);
  await truncate(journal, Math.floor((await readFile(journal)).length / 2));
  const { advice } = await inspectDataFolder(dataDir);
  expect(advice.join('\n')).toMatch(/“Lager”: rows that can still be read: \d\d+; damaged lines: 1/);

  const after = await again(dataDir);
  const found = await after.app<Salvaged>('GET', `/app/lists/${stock}/salvage`);
  expect(found.rows).toBeGreaterThan(100);
  expect(found.rows).toBeLessThan(303);
  expect(found.missing).toBeGreaterThanOrEqual(303 - found.rows);
  const { inbox } = await after.app<Told>('GET', '/app/overview');
  expect(inbox.find(({ message }) => message.includes('“Lager”'))?.moduleID).toBe(stock);

  const made = await after.app<Salvaged>('POST', `/app/lists/${stock}/salvage`);
  expect(made).toMatchObject({ name: 'Lager (recovered)', rows: found.rows, damagedLines: 1 });
  const rows = await rowsOf(after, made.moduleID);
  expect(rows.map(({ Artikel, Bestand }) => `${String(Artikel)},${String(Bestand)}`)).toEqual(
    ARTICLES.slice(0, found.rows),
  );
  // The files stay, so that it can be done again.
  const second = await after.app<Salvaged>('POST', `/app/lists/${stock}/salvage`);
  expect(second.name).toBe('Lager (recovered) (2)');
});

it('R3: a damaged place in a journal costs the rows in it and no others', async () => {
  const { dataDir, office, stock } = await officeWithStock();
  const { rows: all } = await office.app<{ rows: { recordID: string }[] }>(
    'GET',
    `/app/lists/${stock}/rows?offset=0&limit=303`,
  );
  const [first, second] = all.map(({ recordID }) => recordID);
  await office.app('PATCH', `/app/lists/${stock}/rows/${first ?? ''}`, { values: { Bestand: ['77'] } });
  await office.app('DELETE', `/app/lists/${stock}/rows/${second ?? ''}`);
  await office.stop();
  const journal = await journalOf(dataDir, stock);
  const bytes = await readFile(journal);
  const at = bytes.indexOf('Kugelhahn DN 150');
  // Rows that came together are short: more would be several of them.
  bytes.fill(0, at - 10, at + 10);
  await writeFile(journal, bytes);

  const after = await again(dataDir);
  const made = await after.app<Salvaged>('POST', `/app/lists/${stock}/salvage`);
  const rows = await rowsOf(after, made.moduleID);
  const names = rows.map(({ Artikel }) => String(Artikel));
  expect(names.length).toBeGreaterThanOrEqual(300);
  expect(names).not.toContain('Kugelhahn DN 2');
  expect(rows.find(({ Artikel }) => Artikel === 'Kugelhahn DN 1')?.Bestand).toBe('77');
  expect(made.damagedLines).toBeLessThanOrEqual(2);
});

it('R3: a list that lost only its newest changes offers those, and nothing that it has', async () => {
  const { dataDir, office, stock } = await officeWithStock();
  for (const Artikel of ['Dichtung 3/4', 'Dichtung 1/2', 'Muffe 1"'])
    await office.app('POST', `/app/lists/${stock}/rows`, { values: { Artikel: [Artikel] } });
  await office.stop();
  const journal = await journalOf(dataDir, stock);
  const bytes = await readFile(journal);
  const at = bytes.indexOf('Dichtung 3/4');
  bytes[at] = 0;
  await writeFile(journal, bytes);

  const after = await again(dataDir);
  expect(await rowsOf(after, stock)).toHaveLength(303);
  expect(await after.app<Salvaged>('GET', `/app/lists/${stock}/salvage`)).toMatchObject({ rows: 2 });
  const made = await after.app<Salvaged>('POST', `/app/lists/${stock}/salvage`);
  const recovered = await rowsOf(after, made.moduleID);
  expect(recovered.map(({ Artikel }) => Artikel)).toEqual(['Dichtung 1/2', 'Muffe 1"']);
});

it('R3: a list without damage has nothing to recover', async () => {
  const { office, stock } = await officeWithStock();
  onTestFinished(() => office.stop());
  expect(await office.app('GET', `/app/lists/${stock}/salvage`)).toEqual({ rows: 0, damagedLines: 0 });
  await expect(office.app('POST', `/app/lists/${stock}/salvage`)).rejects.toThrow(/No rows can be recovered/);
});

it('R3: offers newer rows also after columns were deleted, but none that was changed since', async () => {
  const { dataDir, office, stock } = await officeWithStock();
  const path = `/app/lists/${stock}`;
  const dropColumn = async (node: NodeOffice, label: string): Promise<void> => {
    const { fields } = await node.app<{ fields: { label: string }[] }>('GET', path);
    await node.app('PATCH', path, { fields: fields.filter((field) => field.label !== label) });
  };
  const { fields } = await office.app<{ fields: object[] }>('GET', path);
  const more = ['Ort', 'Regal'].map((label) => ({ label, kind: 'String', isMulti: false }));
  await office.app('PATCH', path, { fields: [...fields, ...more] });
  const { rows } = await office.app<{ rows: { recordID: string }[] }>('GET', `${path}/rows?offset=0&limit=6`);
  const type = async (values: (at: number) => object): Promise<void> => {
    for (const [at, { recordID }] of rows.entries())
      await office.app('PATCH', `${path}/rows/${recordID}`, { values: values(at) });
  };
  await type(() => ({ Ort: ['Ulm'], Regal: ['7'] }));
  await type((at) => ({ Artikel: [`Typed ${at}`] }));
  await dropColumn(office, 'Ort');
  await office.stop();
  const journal = await journalOf(dataDir, stock);
  const bytes = await readFile(journal);
  bytes[bytes.indexOf('Typed 2')] = 0;
  await writeFile(journal, bytes);

  const after = await again(dataDir);
  const offered = async (): Promise<number> => (await after.app<Salvaged>('GET', `${path}/salvage`)).rows;
  await after.app('GET', `${path}/rows?offset=0&limit=6`);
  expect(await offered()).toBe(4);
  await dropColumn(after, 'Regal');
  expect(await offered()).toBe(4);
  await after.app('PATCH', `${path}/rows/${rows[4]?.recordID ?? ''}`, { values: { Artikel: ['Since'] } });
  await after.app('DELETE', `${path}/rows/${rows[5]?.recordID ?? ''}`);
  expect(await offered()).toBe(2);
});
