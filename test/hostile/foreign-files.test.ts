import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sampleOf } from '../support/data/luck.ts';
import { madeOds } from '../support/data/made-workbook.ts';
import { startNode, type NodeOffice } from '../support/harness/node.ts';
import { watchTurns } from '../support/reading/longest-turn.ts';

const answered = z.object({ error: z.object({ code: z.string(), message: z.string().min(1) }) });
const MIB = 1024 * 1024;

const cell = (currency: string): string =>
  `<table:table-row><table:table-cell office:value-type="currency" office:currency="${currency}" office:value="12.5"><text:p>12.50</text:p></table:table-cell></table:table-row>`;
const sheets = Array.from(
  { length: 100 },
  (_, at) => `<table:table table:name="${'n'.repeat(MIB)}${at}"></table:table>`,
).join('');

/** Workbooks of a few kilobytes that once blocked the event loop for minutes, or took gigabytes. */
const HOLES = [
  ['a currency of two million blanks', () => madeOds(cell(`x${' '.repeat(2 * MIB - 1000)}x`))],
  ['a currency of 60,000 blanks', () => madeOds(cell(`x${' '.repeat(60_000)}x`))],
  [
    'a number style of 60,000 blanks',
    () =>
      madeOds(
        cell('EUR'),
        `<number:number-style style:name="N1"><number:text>x${' '.repeat(60_000)}x</number:text><number:number/></number:number-style><style:style style:name="ce1" style:family="table-cell" style:data-style-name="N1"/>`,
      ),
  ],
  [
    'a hundred sheets with names of a million characters',
    () => madeOds(`</table:table>${sheets}<table:table>`),
  ],
] as const;

describe('a workbook made to exhaust the node', () => {
  let office: NodeOffice;
  beforeAll(async () => {
    office = await startNode('North');
  });
  afterAll(() => office.stop());

  const send = (path: string, bytes: Buffer): Promise<Response> =>
    office.fetch(path, { method: 'POST', headers: { 'content-type': 'text/csv' }, body: Buffer.from(bytes) });

  it.each(sampleOf(HOLES, 2))(
    '%s costs that import, and other requests are answered meanwhile',
    { timeout: 120_000 },
    async (_what, make) => {
      const bytes = make();
      expect(bytes.length).toBeLessThan(2 * MIB);
      const started = process.memoryUsage().rss;
      const turns = process.platform === 'linux' ? watchTurns() : undefined;
      const file = Promise.all([
        send('/app/import/preview?first=1', bytes),
        send('/app/import?list=Prices', bytes),
      ]);
      let [others, isRead, most] = [0, false, started];
      void file.finally(() => (isRead = true)).catch(() => undefined);
      while (!isRead) {
        expect((await office.fetch('/app/settings')).status).toBe(200);
        most = Math.max(most, process.memoryUsage().rss);
        others++;
      }
      if (turns) expect(turns.end(), 'milliseconds of the longest turn').toBeLessThan(100);
      expect(others).toBeGreaterThan(0);
      expect((most - started) / MIB, 'MiB').toBeLessThan(500);
      for (const answer of await file) {
        expect([200, 422]).toContain(answer.status);
        if (answer.status === 422) answered.parse(await answer.json());
      }
    },
  );

  it('a large file shows its first lines before the others, and all of them after', async () => {
    const lines = Array.from({ length: 60_000 }, (_, at) => `C-${at},Customer ${at},${at % 900}.50`);
    const bytes = Buffer.from(`No,Name,Amount\n${lines.join('\n')}\n`);
    const previewOf = async (query: string): Promise<unknown> =>
      (await send(`/app/import/preview${query}`, bytes)).json();
    const columns = ['No', 'Name', 'Amount'].map((name) => expect.objectContaining({ name }) as unknown);
    expect(await previewOf('?first=1')).toMatchObject({ response: { isPart: true, columns } });
    // The window sends no more of a text file at first: its last line is cut off within a word.
    const beginning = Buffer.from(`Größe\n${'Überseecontainer '.repeat(9)}\n`.repeat(6000)).subarray(
      0,
      2 ** 20,
    );
    expect(await (await send('/app/import/preview?first=1&headerLine=1', beginning)).json()).toMatchObject({
      response: { isPart: true, encoding: 'UTF-8', doubts: [] },
    });
    const whole = z.object({ response: z.object({ isPart: z.boolean().optional(), lines: z.number() }) });
    expect(whole.parse(await previewOf('')).response).toEqual({ lines: 60_000 });
  }, 120_000);

  it(
    'a paste of 10,000 rows is read in the worker, and refused in words where it is wrong',
    { tags: 'nightly-sizes', timeout: 120_000 },
    async () => {
      const names = Array.from({ length: 30 }, (_, at) => `Quarter ${at}`);
      const made = await send('/app/import?list=Budget', Buffer.from(`${names.join(',')}\n`));
      const moduleID = z.object({ response: z.object({ moduleID: z.string() }) }).parse(await made.json())
        .response.moduleID;
      const { fields } = z
        .object({ response: z.object({ fields: z.array(z.object({ fieldID: z.string() })) }) })
        .parse(await (await office.fetch(`/app/lists/${moduleID}`)).json()).response;
      const line = (at: number): string[] => names.map((_, column) => `Cost centre ${at}, ${column * at} €`);
      const block = {
        columns: fields.map(({ fieldID }) => fieldID),
        rows: Array.from({ length: 10_000 }, () => null),
        cells: Array.from({ length: 10_000 }, (_, at) => line(at)),
      };
      const paste = (body: string): Promise<Response> =>
        office.fetch(`/app/lists/${moduleID}/cells`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
      const few = { ...block, rows: block.rows.slice(0, 1000), cells: block.cells.slice(0, 1000) };
      const refusals = [
        [JSON.stringify(few).slice(0, -1), 'request.not-json'],
        [JSON.stringify({ ...few, cells: few.cells.slice(1) }), 'request.malformed'],
        [JSON.stringify({ ...few, cells: [[7], ...few.cells.slice(1)] }), 'request.malformed'],
        [JSON.stringify({ ...few, cells: { lines: few.cells } }), 'request.malformed'],
        [JSON.stringify({ ...few, cells: new Array(100_000).fill([]) }), 'request.malformed'],
        [JSON.stringify(few.cells), 'request.malformed'],
      ] as const;
      for (const [body, code] of refusals) {
        const refused = await paste(body);
        expect(refused.status).toBe(400);
        expect(answered.parse(await refused.json()).error.code).toBe(code);
      }
      const text = JSON.stringify(block);
      const turns = process.platform === 'linux' ? watchTurns() : undefined;
      const answer = await paste(text);
      // Parsed and checked at once it takes 100 ms and more.
      if (turns) expect(turns.end(), 'milliseconds of the longest turn').toBeLessThan(60);
      expect(await answer.json()).toMatchObject({ response: { created: 10_000, unfitCells: 0 } });
    },
  );
});
