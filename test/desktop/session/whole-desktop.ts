import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { notRun } from '../desktop-app.ts';

/** Why nothing can be tried on a whole desktop here; undefined where it can (`npm run desktop:old` makes one). */
export const notOnDesktop =
  notRun ??
  (process.env.FOOTBRIDGE_DESKTOP_SESSION
    ? undefined
    : 'there is no desktop with a bus, a tray and notifications (npm run desktop:old makes one)');

/** What a suite on a whole desktop is called: a skipped one says why. */
export const titled = (name: string): string =>
  notOnDesktop === undefined ? name : `${name} (NOT RUN: ${notOnDesktop})`;

/** Runs a program of the desktop; resolves to what it printed. */
export async function run(program: string, ...args: string[]): Promise<string> {
  return (await promisify(execFile)(program, args)).stdout;
}

/** A picture of the whole screen, where FOOTBRIDGE_PICTURES names a folder for them. */
export async function picture(name: string): Promise<void> {
  const folder = process.env.FOOTBRIDGE_PICTURES;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await run('scrot', '--overwrite', join(folder, `${name}.png`));
}

/** Titles of the windows that can be seen. */
export async function windowsSeen(): Promise<string[]> {
  const ids = (await run('xdotool', 'search', '--onlyvisible', '--name', '.').catch(() => '')).split('\n');
  const names = await Promise.all(
    ids.filter(Boolean).map((id) => run('xdotool', 'getwindowname', id).catch(() => '')),
  );
  return names.map((name) => name.trim()).filter(Boolean);
}

const WATCHER = 'org.kde.StatusNotifierWatcher';
/** A property of something on the bus, as `dbus-send` prints it. */
export const property = (name: string, path: string, of: string, what: string): Promise<string> => {
  const get = 'org.freedesktop.DBus.Properties.Get';
  return run('dbus-send', '--print-reply', `--dest=${name}`, path, get, `string:${of}`, `string:${what}`);
};

/** An entry of a menu, as the desktop is told of it. */
export interface MenuSeen {
  readonly id: number;
  readonly label: string;
  readonly enabled: boolean;
}

/** The icon that the desktop shows in its tray, asked over the bus as the panel asks. */
export interface TraySeen {
  toolTip(): Promise<string>;
  menu(): Promise<MenuSeen[]>;
  click(label: string): Promise<void>;
}

/** The only icon in the tray; undefined while there is none. */
export async function traySeen(): Promise<TraySeen | undefined> {
  const items = await property(WATCHER, '/StatusNotifierWatcher', WATCHER, 'RegisteredStatusNotifierItems');
  const [, name, path] = /string "([^"/]+)(\/[^"]*)"/.exec(items) ?? [];
  if (name === undefined || path === undefined) return undefined;
  const menuPath = '/com/canonical/dbusmenu';
  const ask = (method: string, ...args: string[]): Promise<string> =>
    run(
      'dbus-send',
      '--print-reply',
      `--dest=${name}`,
      menuPath,
      `com.canonical.dbusmenu.${method}`,
      ...args,
    );

  async function menu(): Promise<MenuSeen[]> {
    const layout = await ask('GetLayout', 'int32:0', 'int32:-1', 'array:string:label,enabled');
    return layout
      .split(/struct \{\s+int32 /)
      .slice(1)
      .map((text) => ({
        id: Number.parseInt(text, 10),
        label: /string "label"\s+variant\s+string "([^"]*)"/.exec(text)?.[1]?.replaceAll('__', '_') ?? '',
        enabled: !/string "enabled"\s+variant\s+boolean false/.test(text),
      }))
      .filter(({ label }) => label !== '');
  }
  return {
    toolTip: () => property(name, path, 'org.kde.StatusNotifierItem', 'ToolTip'),
    menu,
    async click(label) {
      const entry = (await menu()).find((one) => one.label === label);
      if (!entry) throw new Error(`There is no "${label}" in the tray's menu.`);
      await ask('Event', `int32:${entry.id}`, 'string:clicked', 'variant:int32:0', 'uint32:0');
    },
  };
}
