import { createServer } from 'node:http';
import { FEED_PAGE, feedPage } from './rows.ts';

/** `raw-feed-run.ts <rows>`: nothing but node:http that has the rows as objects and writes a page out as JSON. */
const rows = Number(process.argv[2]);
const pages = Array.from({ length: Math.max(1, Math.floor(rows / FEED_PAGE)) }, (_, at) =>
  feedPage(at * FEED_PAGE, FEED_PAGE),
);
const server = createServer((req, res) => {
  res.setHeader('Content-Type', 'application/json');
  res.end(JSON.stringify(pages[Number(req.url?.slice(1)) % pages.length]));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.(`http://127.0.0.1:${address.port}`);
});
