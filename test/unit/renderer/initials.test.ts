import { expect, it } from 'vitest';
import { initials } from '../../../renderer/text/format.ts';

it.each([
  ['Lindqvist Papper', 'LP'],
  ['Harbour Street office', 'HS'],
  ['Kerr & Blom', 'KB'],
  ['  żabka   łódź ', 'ŻŁ'],
  ['Berlin', 'BE'],
  ['3 Brothers', '3B'],
  ['“Zum Anker” Gasthof', 'ZA'],
  ['<b>Bold</b> office', 'BO'],
  ['משרד הנמל', 'מה'],
  ['é́cole', 'É́C'],
  ['– ! –', '–'],
  ['', '–'],
])('of %j are %j', (name, letters) => {
  expect(initials(name, 'en')).toBe(letters);
});
