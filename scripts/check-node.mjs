// Ends the process on a Node.js that is too old, and says where to get one. Runs first wherever somebody starts: it uses
// nothing that is newer than Node.js 14, and reads the minimum where npm reads it.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const minimum = engines.node.replace('>=', '');
const numbers = (version) => version.split('.').map(Number);
const [major, minor] = numbers(process.versions.node);
const [neededMajor, neededMinor = 0] = numbers(minimum);
if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  console.error(
    `Footbridge needs Node.js ${minimum} or newer; this is ${process.version}.\n` +
      'Get the current LTS from https://nodejs.org/en/download, or with a package manager that has it (nvm, Homebrew,\n' +
      'winget, NodeSource). The packages of Debian and Ubuntu themselves are often too old.',
  );
  process.exit(1);
}
