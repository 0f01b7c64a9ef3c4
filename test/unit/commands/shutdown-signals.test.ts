import { expect, it, onTestFinished, vi } from 'vitest';
import { printReady } from '../../../server/commands/shutdown-signals.ts';
import type { ServeOptions } from '../../../server/commands/serve-options.ts';

const READY = {
  federation: 'https://192.0.2.2:17461',
  window: 'http://127.0.0.1:7421/?link=once-only',
  dataDir: '/srv/footbridge/vaexjoe',
};
const OPTIONS: ServeOptions = {
  ...{ data: READY.dataDir, allowLoopbackPartners: false, remoteManagement: false },
  ...{ json: false, open: false, orShow: false },
};

/** What `footbridge serve` prints once it runs. */
function printed(options: Partial<ServeOptions>, isTTY: boolean): string {
  const { isTTY: before } = process.stdout;
  process.stdout.isTTY = isTTY;
  onTestFinished(() => void (process.stdout.isTTY = before));
  const texts: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => texts.push(String(text)) > 0);
  printReady(READY, { ...OPTIONS, ...options });
  write.mockRestore();
  return texts.join('');
}

it('prints the link into the window to a terminal only: a journal is read by others', () => {
  expect(printed({}, true)).toContain(READY.window);
  expect(printed({}, false)).not.toContain('once-only');
  expect(printed({}, false)).toContain('footbridge window --data /srv/footbridge/vaexjoe');
});

it('names the address that partners use', () => {
  expect(printed({}, false)).toContain('Partners reach it at https://192.0.2.2:17461\n');
  expect(printed({ publicUrl: 'https://bridge.example' }, false)).toContain(
    'Partners reach it at https://bridge.example\n',
  );
});
