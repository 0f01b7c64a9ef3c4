// The command line, as dist/cli.js starts it: answers before there is a build, and on a Node.js that is too old for one.
import { existsSync } from 'node:fs';
import './check-node.mjs';

const program = new URL('../dist/footbridge.js', import.meta.url);
if (existsSync(program)) await import(program.href);
else {
  console.error(
    'footbridge: Footbridge is not built yet. Run "npm start", or "npm ci" and "npm run build", then try again.',
  );
  process.exitCode = 1;
}
