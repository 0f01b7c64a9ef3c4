// The command line, as dist/cli.js starts it, also before there is a build, and on a Node.js that is too old for one.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import './check-node.mjs';

// Node.js 22 and later keep compiled code, so that a start takes a tenth less. It is in the user's own folder, as
// others can write into the system's temporary one.
function cacheFolder() {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  if (process.platform === 'win32') return LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  return XDG_CACHE_HOME ?? join(homedir(), '.cache');
}
try {
  module.enableCompileCache?.(join(cacheFolder(), 'footbridge', 'compiled'));
} catch {
  // The user that systemd makes for a service may have no home.
}

const program = new URL('../dist/footbridge.js', import.meta.url);
if (existsSync(program)) await import(program.href);
else {
  console.error(
    'footbridge: Footbridge is not built yet. Run "npm start", or "npm ci" and "npm run build", then try again.',
  );
  process.exitCode = 1;
}
