import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { STATES } from '../../../server/base/vocabulary.ts';
import { oneLine, formatMoment } from '../../../main/window/display-text.ts';
import { pauseEnd, trayMenu, type MenuEntry } from '../../../main/tray/tray-menu.ts';
import { translationFor } from '../../../main/text/i18n.ts';
import { statusLine, tooltip, trayPicture, type TrayInput } from '../../../main/tray/tray-model.ts';

const NOW = new Date(2026, 2, 10, 14, 30).getTime();
const EN = translationFor('system', 'en-GB');
const at = (day: number, hour: number): string => new Date(2026, 2, day, hour, 5).toISOString();
const partner = (
  name: string,
  over: Partial<TrayInput['partners'][number]> = {},
): TrayInput['partners'][number] => ({
  nodeID: `1${name.length}`,
  name,
  state: 'up-to-date',
  reason: '',
  awaited: false,
  ...over,
});
const quiet: TrayInput = { state: 'up-to-date', reason: '', awaited: false, partners: [partner('Berlin')] };
const menu = (input: TrayInput): MenuEntry[] => trayMenu(input, NOW, EN, false);
const ids = (entries: readonly MenuEntry[]): string[] =>
  entries.map((entry) => ('separator' in entry ? '-' : entry.id));
const entry = (entries: readonly MenuEntry[], id: string): Exclude<MenuEntry, { separator: true }> => {
  const found = entries.find((one) => !('separator' in one) && one.id === id);
  if (!found || 'separator' in found) throw new Error(`No entry ${id}`);
  return found;
};

it('does not call an office offline that has no partner yet, nor one that is starting', () => {
  const alone: TrayInput = {
    state: 'offline',
    reason: 'There is no partner.',
    awaited: false,
    partners: [],
  };
  expect(statusLine(alone, NOW, EN)).toBe('There is no partner.');
  const away = { ...alone, partners: [partner('Berlin', { state: 'offline' })] };
  expect(statusLine({ ...away, reason: 'Berlin does not answer.' }, NOW, EN)).toMatch(/^Offline: Berlin/);
});

it('does not call a partner offline whose turn it is, such as to use the invite', () => {
  const reason = 'Waiting for Berlin to use the invite.';
  const berlin = partner('Berlin', { nodeID: '5', state: 'offline', awaited: true, reason });
  const input: TrayInput = { state: 'offline', reason, awaited: true, partners: [berlin] };
  expect(statusLine(input, NOW, EN)).toBe(`Waiting for them: ${reason}`);
  expect(entry(menu(input), 'partner-5').label).toBe('…  Berlin: Waiting for them');
});

it('lists state, partners, sync, pause, open, settings and quit, in this order', () => {
  const partnerID = 'partner-16';
  expect(ids(menu(quiet))).toEqual([
    'status',
    '-',
    partnerID,
    '-',
    'sync',
    'pause',
    '-',
    'open',
    'settings',
    '-',
    'quit',
  ]);
  expect(entry(menu(quiet), 'status')).toMatchObject({ label: 'Up to date', enabled: false });
});

it('shows nine partners at most, those in trouble first, and a way to the others', () => {
  const many = Array.from({ length: 12 }, (_, i) => partner('x'.repeat(i + 1)));
  many[11] = partner('Zürich', { nodeID: '77', state: 'error' });
  const entries = menu({ ...quiet, partners: many });
  const shown = ids(entries).filter((id) => id.startsWith('partner-'));
  expect(shown).toHaveLength(9);
  expect(shown[0]).toBe('partner-77');
  expect(entry(entries, 'more-partners')).toMatchObject({ label: '3 more…', action: { do: 'open' } });
});

it('cuts long names at whole characters and shows no name as a shortcut or a hidden turn', () => {
  const family = '👩‍👩‍👧‍👦'.repeat(60);
  const label = (name: string): string =>
    entry(menu({ ...quiet, partners: [partner(name, { nodeID: '5' })] }), 'partner-5').label;
  expect(label('Smith & Sons')).toBe('✓  Smith && Sons: Up to date');
  expect([...new Intl.Segmenter().segment(label(family))].length).toBeLessThan(80);
  expect(oneLine(family, 50).endsWith('…')).toBe(true);
  expect(label('a\u202Eb\nc\u0000')).toBe('✓  a b c: Up to date');
});

it('tells states apart in words and by a mark of their own, not by colour', () => {
  const labels = STATES.map(
    (state) => entry(menu({ ...quiet, partners: [partner('A', { nodeID: '5', state })] }), 'partner-5').label,
  );
  expect(new Set(labels.map((label) => label[0])).size).toBe(6);
  expect(new Set(STATES.map((state) => statusLine({ ...quiet, state }, NOW, EN))).size).toBe(6);
});

it('offers pause for four lengths, resume when all is paused, both when some is', () => {
  const pause = entry(menu(quiet), 'pause');
  expect(pause.submenu?.map((one) => 'label' in one && one.label)).toEqual([
    '30 minutes',
    '1 hour',
    'Until tomorrow',
    'Until I resume',
  ]);
  const paused = partner('Bern', { nodeID: '6', state: 'paused' });
  expect(ids(menu({ ...quiet, state: 'paused', partners: [paused] }))).not.toContain('pause');
  expect(entry(menu({ ...quiet, state: 'paused', partners: [paused] }), 'sync').enabled).toBe(false);
  const some = ids(menu({ ...quiet, partners: [partner('A'), paused] }));
  expect(some).toEqual(expect.arrayContaining(['resume', 'pause', 'sync']));
});

it('offers nothing to sync or pause while there is no partner', () => {
  const empty = menu({ ...quiet, partners: [] });
  expect(entry(empty, 'sync').enabled).toBe(false);
  expect(entry(empty, 'pause').enabled).toBe(false);
});

it('offers a restart once an update waits', () => {
  expect(ids(trayMenu(quiet, NOW, EN, true))).toContain('install-update');
  expect(ids(menu(quiet))).not.toContain('install-update');
});

it('says the reason, until when it is paused, and the last success', () => {
  expect(statusLine({ ...quiet, state: 'error', reason: 'Disk full' }, NOW, EN)).toBe('Problem: Disk full');
  const until = at(11, 7);
  const paused = {
    ...quiet,
    state: 'paused' as const,
    partners: [partner('A', { state: 'paused', pausedUntil: until })],
  };
  expect(statusLine(paused, NOW, EN)).toBe('Paused until tomorrow 07:05');
  expect(tooltip({ ...quiet, lastSuccessAt: at(10, 13) }, NOW, EN)).toBe(
    'Footbridge\nUp to date\nLast sync 13:05',
  );
  expect(tooltip({ ...quiet, lastSuccessAt: at(9, 13) }, NOW, EN)).toMatch(/yesterday 13:05$/);
});

it('fits into what Windows shows of a tooltip', () => {
  const long = { ...quiet, reason: 'x'.repeat(500), lastSuccessAt: at(1, 1) };
  expect(tooltip(long, NOW, EN).length).toBeLessThanOrEqual(127);
  expect(tooltip(long, NOW, EN)).toMatch(/Last sync 1 Mar 2026/);
});

it('has a picture in the sources for every state, a template on macOS', () => {
  for (const state of STATES) expect(existsSync(`assets/tray/${state}.svg`), state).toBe(true);
  expect(trayPicture('error', 'darwin')).toBe('tray/errorTemplate.png');
  expect(trayPicture('error', 'linux')).toBe('tray/error-24.png');
  expect(trayPicture('error', 'win32')).toBe('tray/error.png');
});

it('ends pauses when it says', () => {
  expect(pauseEnd('half-hour', NOW)).toBe(new Date(NOW + 1_800_000).toISOString());
  expect(pauseEnd('hour', NOW)).toBe(new Date(NOW + 3_600_000).toISOString());
  expect(pauseEnd('tomorrow', NOW)).toBe(new Date(2026, 2, 11, 7).toISOString());
  expect(pauseEnd('tomorrow', new Date(2026, 11, 31, 23, 59).getTime())).toBe(
    new Date(2027, 0, 1, 7).toISOString(),
  );
  expect(pauseEnd('indefinitely', NOW)).toBeUndefined();
});

it('speaks the language of the settings, else that of the system, else English', () => {
  const paused = {
    ...quiet,
    state: 'paused' as const,
    partners: [partner('A', { state: 'paused', pausedUntil: at(11, 7) })],
  };
  const german = translationFor('de', 'en-US');
  expect(statusLine(paused, NOW, german)).toBe('Pausiert bis morgen 07:05');
  expect(entry(trayMenu(quiet, NOW, german, false), 'sync').label).toBe('Jetzt abgleichen');
  expect(translationFor('system', 'de-AT')).toMatchObject({ locale: 'de-AT', t: german.t });
  expect(translationFor('en', 'de-AT')).toMatchObject({ locale: 'en', t: EN.t });
  expect(translationFor('system', 'it-IT')).toMatchObject({ locale: 'en', t: EN.t });
});

it('writes moments as people say them', () => {
  expect(formatMoment(NOW, NOW, EN)).toBe('14:30');
  expect(formatMoment(NOW - 3 * 86_400_000, NOW, EN)).toBe('7 Mar 2026, 14:30');
});
