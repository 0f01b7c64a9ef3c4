import { expect, it } from 'vitest';
import {
  decideClose as decide,
  type CloseDecision,
  type CloseSituation,
} from '../../../main/window/close-rule.ts';
import { textsIn } from '../../../main/text/i18n.ts';

const decideClose = (situation: CloseSituation): CloseDecision => decide(situation, textsIn('en'));

const usual: CloseSituation = {
  quitting: false,
  platform: 'win32',
  trayShown: true,
  keepRunning: true,
  explained: true,
};

it('hides to the tray, and explains that once', () => {
  expect(decideClose(usual)).toEqual({ action: 'hide' });
  const first = decideClose({ ...usual, explained: false });
  expect(first.action).toBe('hide');
  expect(first.explain).toMatch(/keeps syncing.*notification area/s);
  expect(decideClose({ ...usual, platform: 'darwin', explained: false }).explain).toMatch(/menu bar/);
});

it('never makes the window disappear for good on a Linux desktop without a tray', () => {
  for (const explained of [false, true])
    expect(decideClose({ ...usual, platform: 'linux', trayShown: false, explained }).action).toBe('minimize');
  expect(decideClose({ ...usual, platform: 'linux', trayShown: false, explained: false }).explain).toMatch(
    /shows no tray icons/,
  );
});

it('quits where the user wants closing to end the app', () => {
  expect(decideClose({ ...usual, keepRunning: false, explained: false })).toEqual({ action: 'quit' });
});

it('holds nothing back while the app is quitting', () => {
  expect(decideClose({ ...usual, quitting: true, explained: false })).toEqual({ action: 'close' });
});
