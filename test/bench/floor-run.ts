import { open, type FileHandle } from 'node:fs/promises';
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Agent, request, type Dispatcher } from 'undici';
import { feedPage, PULL_PAGE, type Letters } from './rows.ts';

/**
 * The least that a durable pull can be, with an origin that does the least: `floor-run.ts serve <rows> <letters>` hands
 * out pages that it has ready as bytes; `floor-run.ts pull <address> <pages> <warm pages>` fetches each, parses it and
 * appends it to a file with one fsync, and tells the milliseconds, all of it once before that for the warm pages. It
 * watches its event loop meanwhile, as ours does.
 */
const [mode, ...args] = process.argv.slice(2);
if (mode === 'serve') serve(Number(args[0]), args[1] === 'ascii' ? 'ascii' : 'any');
else process.send?.(await pull(args[0] ?? '', Number(args[1]), Number(args[2])), () => process.exit());

function serve(rows: number, letters: Letters): void {
  const pages: Buffer[] = [];
  for (let from = 0; from < rows; from += PULL_PAGE)
    pages.push(Buffer.from(JSON.stringify(feedPage(from, Math.min(PULL_PAGE, rows - from), letters))));
  const server = createServer((req, res) => {
    res.setHeader('Content-Type', 'application/json');
    res.end(pages[Number(req.url?.slice(1)) % pages.length]);
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address !== null && typeof address === 'object') process.send?.(`http://127.0.0.1:${address.port}`);
  });
}

async function pull(address: string, pages: number, warmPages: number): Promise<object> {
  const dispatcher = new Agent();
  const file = await open('pages.jsonl', 'a');
  for (let page = 0; page < warmPages; page++) await take(file, `${address}/${page}`, dispatcher);
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  const cpu = process.cpuUsage();
  const start = performance.now();
  for (let page = 0; page < pages; page++) await take(file, `${address}/${page}`, dispatcher);
  const milliseconds = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { milliseconds, cpuMs: (user + system) / 1000 };
}

async function take(file: FileHandle, address: string, dispatcher: Dispatcher): Promise<void> {
  const { body } = await request(address, { dispatcher });
  const text = await body.text();
  JSON.parse(text);
  await file.appendFile(text);
  await file.datasync();
}
