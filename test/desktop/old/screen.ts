import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { existsSync } from 'node:fs';

/** What a desktop is made of here, and which of Debian's packages brings it. */
const PROGRAMS = {
  Xvfb: 'xvfb',
  'dbus-daemon': 'dbus-daemon',
  'dbus-send': 'dbus-bin',
  'dbus-monitor': 'dbus-bin',
  gdbus: 'libglib2.0-bin',
  openbox: 'openbox',
  'xfce4-panel': 'xfce4-panel',
  dunst: 'dunst',
  'gnome-keyring-daemon': 'gnome-keyring',
  xdotool: 'xdotool',
  scrot: 'scrot',
} as const;

const onPath = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

/** Stands in for the login manager that says when the computer sleeps. */
const MOCK = '/usr/lib/python3/dist-packages/dbusmock';

/** Debian's packages that are missing for {@link startScreen}; empty where nothing is. */
export const missingPackages = (): string[] => [
  ...new Set(
    Object.entries(PROGRAMS)
      .filter(([program]) => !onPath(program))
      .map(([, name]) => name),
  ),
  ...(existsSync(MOCK) ? [] : ['python3-dbusmock']),
];

/** Who runs the desktop: Chromium's sandbox does not run as root. */
export interface User {
  readonly uid?: number;
  readonly gid?: number;
}

/** A panel along the top, with the windows and the tray in it and nothing that changes by itself. */
const PANEL = `<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=6;x=0;y=0"/>
      <property name="length" type="uint" value="100"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="size" type="uint" value="30"/>
      <property name="plugin-ids" type="array">
        <value type="int" value="1"/>
        <value type="int" value="2"/>
        <value type="int" value="3"/>
      </property>
    </property>
  </property>
  <property name="plugins" type="empty">
    <property name="plugin-1" type="string" value="tasklist"/>
    <property name="plugin-2" type="string" value="separator">
      <property name="expand" type="bool" value="true"/>
    </property>
    <property name="plugin-3" type="string" value="systray"/>
  </property>
</channel>
`;

export interface Screen {
  /** What a program needs in its surroundings to be on this desktop. */
  readonly env: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

/** The first line that a program writes to this of its outputs. */
function firstLine(child: ChildProcess, output: 1 | 3): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdio[output]?.on('data', (bytes: Buffer) => {
      text += bytes.toString();
      if (text.includes('\n')) resolve(text.split('\n')[0]?.trim() ?? '');
    });
    child.on('error', reject);
    child.on('exit', () => reject(new Error(`${child.spawnfile} ended before it said anything.`)));
  });
}

/** A display of its own with a session bus, windows' frames, a panel that shows tray icons, and notifications. */
export async function startScreen(home: string, user: User): Promise<Screen> {
  const running: ChildProcess[] = [];
  const config = join(home, '.config', 'xfce4', 'xfconf', 'xfce-perchannel-xml');
  await mkdir(config, { recursive: true });
  await writeFile(join(config, 'xfce4-panel.xml'), PANEL);
  await mkdir(join(home, 'run'), { mode: 0o700 });
  await mkdir(join(home, 'tmp'));
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    LANG: 'C.UTF-8',
    HOME: home,
    TMPDIR: join(home, 'tmp'),
    XDG_RUNTIME_DIR: join(home, 'run'),
    NO_AT_BRIDGE: '1',
  };
  function start(program: string, args: readonly string[]): ChildProcess {
    const stdio = ['ignore', 'pipe', 'ignore', 'pipe'] as const;
    const child = spawn(program, args, { ...user, cwd: home, env, stdio: [...stdio] });
    running.push(child);
    return child;
  }
  if (user.uid !== undefined) await own(home, user);

  const bus = start('dbus-daemon', ['--session', '--nofork', '--print-address=1']);
  env.DBUS_SESSION_BUS_ADDRESS = await firstLine(bus, 1);
  const display = start('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x900x24', '-nolisten', 'tcp']);
  env.DISPLAY = `:${await firstLine(display, 3)}`;
  start('openbox', []);
  start('dunst', []);
  start('xfce4-panel', ['--disable-wm-check']);
  return {
    env,
    async stop() {
      for (const child of running.toReversed()) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        const ended = new Promise((resolve) => child.on('exit', resolve));
        child.kill();
        await ended;
      }
    },
  };
}

function own(folder: string, { uid, gid }: User): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('chown', ['-R', `${uid ?? ''}:${gid ?? ''}`, folder]);
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${folder} has no owner.`))));
  });
}
