// Ends the process on a Node.js that is too old, and says where to get one. It uses nothing newer than Node.js 14, and
// reads the versions where npm reads them, such as "^20.19 || >=22.12".
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const numbers = (version) => version.split('.').map(Number);
const [major, minor] = numbers(process.versions.node);
const ranges = engines.node.split(' || ').map((range) => {
  const version = range.replace(/^\D+/, '');
  const [first, second = 0] = numbers(version);
  return {
    text: range.startsWith('^') ? version : `${version} or newer`,
    fits: (major === first && minor >= second) || (range.startsWith('>=') && major > first),
  };
});
if (!ranges.some(({ fits }) => fits)) {
  console.error(
    `Footbridge needs Node.js ${ranges.map(({ text }) => text).join(', or ')}; this is ${process.version}.\n` +
      'Get the current LTS from https://nodejs.org/en/download, or with a package manager that has it (nvm, Homebrew,\n' +
      'winget, NodeSource). The packages of Debian and Ubuntu themselves are often too old.',
  );
  process.exit(1);
}
