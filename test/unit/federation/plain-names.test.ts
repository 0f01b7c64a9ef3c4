import { describe, expect, it, onTestFinished } from 'vitest';
import { checkTitle } from '../../../server/lists/definitions/names.ts';
import { plainName } from '../../../server/base/plain-name.ts';
import { madeUpOrigin } from '../../support/partners/made-up-origin.ts';
import { matched } from '../../support/partners/matched.ts';
import { receivingOffice } from '../../support/harness/pulling-parts.ts';

const TURNED = 'Rechnung \u202egpj.exe\u2066 \u200fמחירון';

describe('what turns the direction of writing', () => {
  it('goes from names, and what right-to-left scripts are written with stays', () => {
    expect(plainName(TURNED)).toBe('Rechnung gpj.exe מחירון');
    expect(plainName('قائمة الأسعار')).toBe('قائمة الأسعار');
  });

  it('goes with all else that nobody sees, and with what a terminal would obey', () => {
    expect(plainName('Ber\u001b[2Jgen\u0000\u009b')).toBe('Ber[2Jgen');
    expect(plainName('Os\u200blo\u00ad\u2060\ufeff\u3164\u{e0041}')).toBe('Oslo');
    expect(plainName('O\u034fs\u17b4l\u180e\u{1d173}\ufff0o')).toBe('Oslo');
    expect(plainName('Oslo\r\nBergen\u2028Brno\tMoss')).toBe('Oslo Bergen Brno Moss');
    for (const kept of ['می\u200cخواهم', '👩\u200d🔧 ❤\ufe0f', 'Żółć – 東京', 'क्\u200dष'])
      expect(plainName(kept)).toBe(kept);
  });

  it('goes from the names of our lists and columns, wherever they come from', () => {
    expect(checkTitle(` ${TURNED}`, 'list')).toBe('Rechnung gpj.exe מחירון');
  });

  it('goes from the names of partners', async () => {
    const office = await receivingOffice();
    onTestFinished(() => office.close());
    const node = await office.federation.nodes.create({ name: 'Ber\u202elin' }, '1');
    expect(node.name).toBe('Berlin');
    expect((await office.federation.nodes.update(node.nodeID, { name: 'R\u2067ome' }, '1')).name).toBe(
      'Rome',
    );
  });

  it('goes from the names of lists that partners offer', async () => {
    const { office, nodeID } = await matched(madeUpOrigin());
    const offer = {
      externalFederationModuleID: '77',
      handle: 'prices',
      name: 'Pri\u202eces',
      fields: [{ kind: 'String' as const, name: 'Name', label: 'Na\u2068me', isMulti: false }],
    };
    const { added } = await office.federation.shared.reconcile(nodeID, [offer], { complete: false });
    expect(added.map(({ name, fields }) => [name, fields[0]?.label])).toEqual([['Prices', 'Name']]);
    const again = await office.federation.shared.reconcile(nodeID, [offer], { complete: false });
    expect([again.added, again.changed]).toEqual([[], []]);
  });

  it('goes with the whole column where its own name holds it, as values come under that', async () => {
    const { office, nodeID } = await matched(madeUpOrigin());
    const names = ['Name', 'Ci\u001b[31mty', 'To\u202ewn', 'Orts\u3164name', 'Größe'];
    const offer = {
      externalFederationModuleID: '78',
      handle: 'pri\u202eces',
      name: 'Prices',
      fields: names.map((name) => ({ kind: 'String' as const, name, label: name, isMulti: false })),
    };
    const { added } = await office.federation.shared.reconcile(nodeID, [offer], { complete: false });
    expect(added.map(({ handle, fields }) => [handle, ...fields.map(({ name }) => name)])).toEqual([
      ['prices', 'Name', 'Größe'],
    ]);
  });
});
