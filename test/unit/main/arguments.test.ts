import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import {
  restartArguments,
  fitsHandingOver,
  ownArguments,
  parseArguments,
  startArguments,
} from '../../../main/shell/arguments.ts';

const parse = (...args: string[]): unknown => parseArguments(args, '/home/office');

it('honours --hidden, a data folder in both spellings, and paths from where the start was', () => {
  expect(parse('--hidden')).toEqual({ hidden: true });
  expect(parse('--data', 'data')).toEqual({ hidden: false, dataDir: '/home/office/data' });
  expect(parse('--data=/var/footbridge')).toEqual({ hidden: false, dataDir: '/var/footbridge' });
});

it('does not take the next switch for a data folder', () => {
  expect(parse('--data', '--hidden')).toEqual({ hidden: true });
  expect(parse('--data')).toEqual({ hidden: false });
  expect(parse('--data=')).toEqual({ hidden: false });
});

it('finds a link and an invite file among switches that Chromium adds', () => {
  const args = ['--allow-file-access-from-files', '--enable-features=a:b', 'corteza://1:x@host/f'];
  expect(parse(...args)).toEqual({ hidden: false, link: 'corteza://1:x@host/f' });
  expect(parse('Invite from Berlin.footbridge')).toEqual({
    hidden: false,
    file: '/home/office/Invite from Berlin.footbridge',
  });
});

it('takes an invite file by its address as well, as some file managers name it', () => {
  const at = (arg: string): string | undefined => parseArguments([arg], '/home/u').file;
  const file = resolve('/tmp/Büro & Co 100%.footbridge');
  expect(at(pathToFileURL(file).href)).toBe(file);
  for (const wrong of ['file:///a%2Fb.footbridge', 'file:%%.footbridge'])
    expect(at(wrong), wrong).toBeUndefined();
});

it('takes ports as the headless node does, and none that is none', () => {
  expect(parse('--port', '0', '--window-port=7500', '--allow-loopback-partners')).toEqual({
    hidden: false,
    port: 0,
    windowPort: 7500,
    allowLoopbackPartners: true,
  });
  expect(parse('--port', '70000', '--window-port', 'x')).toEqual({ hidden: false });
});

it('takes no switch from behind a link, which may have broken out of its quotes', () => {
  expect(parse('corteza://1:x@host/f', '--data', '/elsewhere', '--hidden', '--port=1')).toEqual({
    hidden: false,
    link: 'corteza://1:x@host/f',
  });
});

it('leaves out the program, and the folder that a start from the sources names', () => {
  expect(ownArguments(['/opt/Footbridge/footbridge', '--hidden'], true)).toEqual(['--hidden']);
  expect(ownArguments(['electron', '.', '--hidden'], false)).toEqual(['--hidden']);
});

it('starts again with its switches, for what another start asked and not for what it was started for itself', () => {
  const before = [
    'electron',
    '.',
    '--hidden',
    '--data',
    'd',
    'old.footbridge',
    'corteza://old',
    '--port',
    '1',
  ];
  expect(restartArguments(before, { hidden: false, link: 'corteza://new' })).toEqual([
    '.',
    '--data',
    'd',
    'corteza://new',
  ]);
  expect(restartArguments(['/opt/f'], { hidden: false, file: '/home/a.footbridge' })).toEqual([
    '/home/a.footbridge',
  ]);
});

it('takes no data folder for an invite file, whatever it is called, and starts again with it', () => {
  for (const given of [['--data', '/var/office.footbridge'], ['--data=/var/office.footbridge']]) {
    expect(parse(...given)).toEqual({ hidden: false, dataDir: '/var/office.footbridge' });
    expect(restartArguments(['/opt/f', ...given, '/home/a.footbridge'], { hidden: false })).toEqual(given);
  }
});

it('hands over any invite, and no command line that the other start could not read', () => {
  expect(fitsHandingOver(['/opt/Footbridge/footbridge', `corteza://${'x'.repeat(8 * 1024)}`])).toBe(true);
  expect(fitsHandingOver(['/opt/f', 'ü'.repeat(5 * 1024)])).toBe(false);
  expect(fitsHandingOver(Array.from({ length: 1000 }, () => '/home/a.footbridge'))).toBe(false);
});

it('takes what another process hands over only in its own form', () => {
  expect(startArguments.safeParse({ hidden: false, link: 'corteza:x' }).success).toBe(true);
  for (const wrong of [null, [], { hidden: 'yes' }, { hidden: false, link: 3 }])
    expect(startArguments.safeParse(wrong).success).toBe(false);
});
