import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { Agent, request } from 'undici';
import { feedPage, PULL_PAGE } from './rows.ts';

/**
 * The least that a durable pull can be, with an origin that does the least: `floor-run.ts serve <rows>` hands
 * out pages that it has ready as bytes; `floor-run.ts pull <address> <pages>` fetches each, parses it and
 * appends it to a file with one fsync, and tells the milliseconds.
 */
const [mode, ...args] = process.argv.slice(2);
if (mode === 'serve') serve(Number(args[0]));
else process.send?.(await pull(args[0] ?? '', Number(args[1])), () => process.exit());

function serve(rows: number): void {
  const pages: Buffer[] = [];
  for (let from = 0; from < rows; from += PULL_PAGE)
    pages.push(Buffer.from(JSON.stringify(feedPage(from, PULL_PAGE))));
  const server = createServer((req, res) => {
    res.setHeader('Content-Type', 'application/json');
    res.end(pages[Number(req.url?.slice(1))]);
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address !== null && typeof address === 'object') process.send?.(`http://127.0.0.1:${address.port}`);
  });
}

async function pull(address: string, pages: number): Promise<number> {
  const dispatcher = new Agent();
  const file = await open('pages.jsonl', 'a');
  const start = performance.now();
  for (let page = 0; page < pages; page++) {
    const { body } = await request(`${address}/${page}`, { dispatcher });
    const text = await body.text();
    JSON.parse(text);
    await file.appendFile(text);
    await file.datasync();
  }
  return performance.now() - start;
}
