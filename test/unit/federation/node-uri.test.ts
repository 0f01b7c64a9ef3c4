import { MAX_ROUTES, NO_ROUTES } from '../../../server/base/routes.ts';
import { plainName } from '../../../server/base/plain-name.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatNodeURI,
  looksLikeNodeURI,
  newInviteSecret,
  mustBeWhole,
  parseNodeURI,
  withoutSecret,
  type NodeURI,
} from '../../../server/federation/partners/node-uri.ts';
import { Refusal } from '../../../server/base/refusal.ts';
import { processorTime } from '../../support/reading/processor-time.ts';

const SECRET = 'Abcdefghijklmnopqrstuvwxyz012345';
const SIMPLE = `https://123456789012345678:${SECRET}@office.example/federation?name=Oslo`;

const uris: fc.Arbitrary<NodeURI> = fc
  .record(
    {
      nodeID: fc.bigInt(1n, 2n ** 64n - 1n).map(String),
      secret: fc.string({ unit: fc.constantFrom(...SECRET.split('')), minLength: 32, maxLength: 32 }),
      baseURL: fc
        .record({
          scheme: fc.constantFrom('http', 'https'),
          host: fc.oneof(
            fc.domain(),
            fc.ipV4(),
            fc.ipV6().map((ip) => `[${ip}]`),
          ),
          port: fc.option(fc.integer({ min: 1024, max: 65535 })),
          path: fc.constantFrom('', '/api', '/bridge/api'),
        })
        .map(
          ({ scheme, host, port, path }) =>
            new URL(`${scheme}://${host}${port ? `:${port}` : ''}${path}/federation`).href,
        ),
      name: fc.string({ unit: 'grapheme', maxLength: 50 }).map(plainName),
      footbridge: fc.boolean(),
      signature: fc.string({
        unit: fc.constantFrom(...SECRET.split(''), '-', '_'),
        minLength: 43,
        maxLength: 43,
      }),
      certificate: fc.string({
        unit: fc.constantFrom(...'0123456789abcdef'.split('')),
        minLength: 64,
        maxLength: 64,
      }),
      routes: fc.constantFrom(
        NO_ROUTES,
        { pin: '3f9c'.repeat(16), texts: ['direct:192.168.1.20:7420', 'direct:[2001:4860::8888]:7420'] },
        {
          pin: '3f9c'.repeat(16),
          texts: [
            'mapped:11.7.0.11:40112',
            'relay:footbridge-relay://relay.example/?office=k3f9cQ7x2Lk90Wm4Xc8Vb1Nf6Rt3Yp5Sd0Gj2Zq7h2L',
          ],
        },
      ),
    },
    { requiredKeys: ['nodeID', 'secret', 'baseURL', 'name', 'footbridge'] },
  )
  .map((uri) => ({
    ...uri,
    // Both are the office's own.
    ...(uri.certificate !== undefined && uri.routes?.pin ? { certificate: uri.routes.pin } : {}),
  }));

describe('the routes of an invite', () => {
  const pin = `rp=${'3f9c'.repeat(16)}`;
  const routesOf = (query: string): unknown => parseNodeURI(`${SIMPLE}&${query}`).routes;

  it('are unknown where the inviter is of an older version, and none where it has none', () => {
    expect(parseNodeURI(SIMPLE)).not.toHaveProperty('routes');
    expect(routesOf('r=')).toEqual(NO_ROUTES);
  });

  it('keep kinds of newer versions, as the words cover them', () => {
    expect(routesOf(`${pin}&r=quic:192.168.1.20:7420`)).toMatchObject({ texts: ['quic:192.168.1.20:7420'] });
  });

  it.each([
    ['without their certificate', 'r=direct:192.168.1.20:7420'],
    ['with a certificate cut short', `rp=3f9c&r=direct:192.168.1.20:7420`],
    ['too many', `${pin}${'&r=direct:192.168.1.20:7420'.repeat(MAX_ROUTES + 1)}`],
    ['too long', `${pin}&r=direct:${'a'.repeat(500)}:7420`],
    ['with control characters', `${pin}&r=direct:%00:7420`],
    ['of another certificate than the address', `fp=${'b07d'.repeat(16)}&${pin}&r=direct:192.168.1.20:7420`],
  ])('are refused %s', (_name, query) => {
    expect(() => routesOf(query)).toThrow(Refusal);
  });

  it('that are too many are not called cut off', () => {
    const query = `${pin}${'&r=direct:192.168.1.20:7420'.repeat(MAX_ROUTES + 1)}`;
    expect(() => routesOf(query)).toThrow(`more than ${MAX_ROUTES} addresses`);
  });
});

describe('the invite', () => {
  it('is found in the message that it came in, pasted whole', () => {
    const uri = parseNodeURI(`${SIMPLE}&fb=1`);
    for (const end of ['\n', '\r\n']) {
      const mail = [
        'Hello,',
        '',
        'please paste this invite, from 9:00 on:',
        '',
        SIMPLE,
        '&fb=1',
        ' ',
        'Regards,',
        'Oslo',
      ];
      expect(parseNodeURI(mail.join(end))).toEqual(uri);
      mustBeWhole(mail.join(end));
    }
    expect(() => parseNodeURI('Hello,\n\nthe invite follows tomorrow. See https://office.example\n')).toThrow(
      Refusal,
    );
  });

  it('is told from a link to somewhere else and from words, and from the rest of one that was cut', () => {
    const why = (text: string): string => {
      try {
        parseNodeURI(text);
        return '';
      } catch (error) {
        return (error as Refusal).message;
      }
    };
    expect(why('Hello,\nhere is the room: https://meet.example/j/81234?pwd=x\nSee you')).toMatch(
      /^This is a link to meet\.example, not an invite\./,
    );
    expect(why(`https://${'a'.repeat(6000)}.example/`).length).toBeLessThan(500);
    expect(why('the invite follows tomorrow')).toMatch(/^There is no invite in this\./);
    const relay = `Our relay:\nfootbridge-relay://relay.example.org?pin=${'3f9c'.repeat(16)}&key=rLil`;
    expect(why(relay)).toMatch(/^This address belongs in the network settings/);
    expect(why(SIMPLE.slice(20))).toMatch(/^This is not a whole invite/);
    expect(why(SIMPLE.slice(0, 40))).toMatch(/^This is not a whole invite/);
  });

  it('comes back as it was written, however people wrap and quote it', () => {
    const clutter = fc.constantFrom('', ' ', '\n', '\r\n  ', '\t', '\u200b', '\ufeff');
    const quote = fc.constantFrom<[string, string][]>(
      ['', ''],
      ['"', '"'],
      ['“', '”'],
      ['„', '“'],
      ['<', '>'],
      ['«', '»'],
      ['`', '`'],
    );
    fc.assert(
      fc.property(uris, quote, clutter, fc.nat(), (uri, [open, close], blank, at) => {
        const text = formatNodeURI(uri);
        const broken = `${text.slice(0, at % text.length)}${blank}${text.slice(at % text.length)}`;
        expect(parseNodeURI(`${blank}${open}${broken}${close}${blank}`)).toEqual(uri);
        expect(looksLikeNodeURI(text)).toBe(true);
      }),
    );
  });

  it('of any text is read, or refused with words that help; nothing else', () => {
    const mangled = fc
      .tuple(fc.constant(SIMPLE), fc.nat(), fc.nat(), fc.string({ unit: 'binary', maxLength: 12 }))
      .map(([text, from, to, instead]) => {
        const [start, end] = [from % text.length, to % text.length].sort((a, b) => a - b);
        return text.slice(0, start) + instead + text.slice(end);
      });
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), mangled), (text) => {
        try {
          const uri = parseNodeURI(text);
          const { protocol, username, password } = new URL(uri.baseURL);
          expect(['http:', 'https:']).toContain(protocol);
          expect(username + password).toBe('');
          expect(uri.secret).toMatch(/^[A-Za-z0-9]{32}$/);
          expect(uri.baseURL).toMatch(/\/federation$/);
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
          expect((error as Refusal).kind).toBe('malformed');
          expect((error as Refusal).message).not.toContain(SECRET);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['another scheme', SIMPLE.replace('https', 'file')],
    ['javascript', `javascript://1:${SECRET}@office.example/federation`],
    ['no node id', SIMPLE.replace('123456789012345678', '')],
    ['a node id beyond 64 bits', SIMPLE.replace('123456789012345678', '99999999999999999999')],
    ['a node id that is none', SIMPLE.replace('123456789012345678', 'admin')],
    ['a short secret', SIMPLE.replace(SECRET, SECRET.slice(1))],
    ['a secret with other characters', SIMPLE.replace(SECRET, `${SECRET.slice(1)}%`)],
    ['no credentials', SIMPLE.replace(/\/\/.*@/, '//')],
    ['8 KiB and more', `${SIMPLE}&pad=${'x'.repeat(8192)}`],
    ['nothing', ''],
  ])('S4: refuses %s', (_name, text) => {
    expect(() => parseNodeURI(text)).toThrow(Refusal);
  });

  it.each([
    ['slashes', `https://1:${SECRET}@h${'/'.repeat(8000)}x`],
    ['quotation marks', `x${'"'.repeat(8000)}x`],
    ['blanks', `https://1:${SECRET}@h/${' '.repeat(8000)}x`],
  ])('S7: costs a stranger’s text of nothing but %s no time to speak of', (_name, text) => {
    const took = processorTime(() => {
      for (let at = 0; at < 40; at++) {
        try {
          parseNodeURI(text);
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
        }
      }
    });
    // Reading it by a pattern that goes back and forth took 70 to 110 ms each, 3 to 4 s in all.
    expect(took).toBeLessThan(1000);
  });

  it('carries a secret of 190 bits that never comes twice', () => {
    const secrets = Array.from({ length: 200 }, newInviteSecret);
    for (const secret of secrets) expect(secret).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(new Set(secrets).size).toBe(200);
    expect(new Set(secrets.join('')).size).toBe(62);
  });
});

describe('an invite that was cut off', () => {
  const whole = `https://459201873645101057:Zq7h2Lk9Wm4Xc8Vb1Nf6Rt3Yp5Sd0Gj2@harbour.example/federation?name=Harbour+Office&fb=1&fp=${'3f9c'.repeat(16)}`;

  it('anywhere before its name, or within its fingerprint or signature, is told', () => {
    mustBeWhole(whole);
    const signed = `${whole.slice(0, whole.indexOf('&fp'))}&sig=${'a'.repeat(43)}`;
    mustBeWhole(signed);
    expect(() => mustBeWhole(signed.slice(0, -1))).toThrow(/its end is missing/);
    for (const end of ['?name', '?', '/federation?'])
      expect(() => mustBeWhole(whole.slice(0, whole.indexOf(end)))).toThrow(/not a whole invite/);
    for (const lost of [1, 10, 63])
      expect(() => mustBeWhole(whole.slice(0, -lost))).toThrow(/its end is missing/);
  });

  it('is whole where the office cannot be called but keeps a connection open, or has no route', () => {
    const pinned = `${whole}&rp=${'3f9c'.repeat(16)}`;
    mustBeWhole(`${pinned}&r=reverse`);
    mustBeWhole(`${pinned}&r=`);
  });
});

describe('the checksum of an invite', () => {
  const pin = '3f9c'.repeat(16);
  const direct = ['direct:192.168.1.20:7420', 'direct:[2001:4860::8888]:7420'];
  const relay = `relay:footbridge-relay://relay.example?pin=${'5e0c'.repeat(16)}&office=${'o'.repeat(43)}`;
  const invites: readonly NodeURI[] = [
    { texts: direct },
    { texts: [...direct, 'mapped:11.7.0.12:40112'] },
    { texts: [relay, 'reverse'] },
    { texts: [], pin: '' },
    { texts: direct, replyTo: 'ab12'.repeat(16) },
  ].map(({ texts, replyTo, ...other }) => ({
    nodeID: '459201873645101057',
    secret: SECRET,
    baseURL: 'https://192.168.1.20:7420/federation',
    name: 'Büro Nord 3',
    footbridge: true,
    certificate: pin,
    routes: { pin, texts, ...other },
    ...(replyTo === undefined ? {} : { replyTo }),
  }));
  const wrap = (text: string, columns: number, by: string): string =>
    (text.match(new RegExp(`.{1,${columns}}`, 'g')) ?? []).join(by);
  const escaped = (text: string): string => text.replaceAll('&', '&amp;');

  it.each<[string, (invite: string) => string]>([
    ['broken at 72 columns', (invite) => wrap(invite, 72, '\r\n')],
    ['broken by soft hyphens', (invite) => wrap(invite, 78, '\u00ad\n')],
    ['quoted in an answer', (invite) => `They wrote:\n> Hello\n> ${wrap(invite, 70, '\n> ')}\n>\n> Regards`],
    ['quoted twice', (invite) => `>> ${wrap(invite, 70, '\n>> ')}\n> yes`],
    ['in quoted-printable', (invite) => wrap(invite.replaceAll('=', '=3D'), 75, '=\n')],
    ['with soft line breaks only', (invite) => wrap(invite, 75, '=\r\n')],
    ['escaped for HTML', escaped],
    ['as the source of a link', (invite) => `<a href="${escaped(invite)}">${escaped(invite)}</a>`],
    ['in a sentence', (invite) => `Take (${invite}), please.`],
    ['with a signature right after it', (invite) => `Here it is:\n${invite}\n-- \nOslo`],
    ['twice', (invite) => `${invite}\n<${invite}>`],
    ['as a link of Markdown', (invite) => `[${invite}](${invite})`],
    ['with marks of direction', (invite) => `\u200e${invite}\u200e`],
    ['with an upper-case scheme', (invite) => invite.replace('https', 'HTTPS')],
    ['with a parameter of a mail program', (invite) => `${invite}&utm_source=mail`],
    [
      'in a link that is checked',
      (invite) => `https://safe.example/?url=${encodeURIComponent(invite)}&data=05%7C02`,
    ],
    ['in a link that is tracked', (invite) => `https://track.example/__${invite}__;!!xyz$`],
  ])('lets one be read %s', (_name, change) => {
    for (const uri of invites) {
      const text = change(formatNodeURI(uri));
      mustBeWhole(text);
      expect(parseNodeURI(text), text).toEqual(uri);
    }
  });

  it.each<[string, (invite: string) => string]>([
    ['an older version', (invite) => invite.replace(/sum=[^&]*&/, '')],
    ['one that was changed', (invite) => invite.replace('name=', 'name=x')],
  ])('lets no other one, hidden in a link, take the place of the one shown, of %s', (_name, change) => {
    for (const uri of invites) {
      const hidden = formatNodeURI({ ...uri, baseURL: 'https://thief.example/federation' });
      const link = `https://safe.example/?url=${encodeURIComponent(hidden)}`;
      const shown = change(formatNodeURI(uri));
      for (const text of [`${link}\n\n${shown}`, `${shown}\n\n${link}`])
        expect(parseNodeURI(text).baseURL, text).toBe(uri.baseURL);
    }
  });

  it('lets no other one, hidden in a link, take the place of the one shown where that lost its beginning', () => {
    for (const uri of invites) {
      const hidden = formatNodeURI({ ...uri, baseURL: 'https://thief.example/federation' });
      const link = `https://safe.example/?url=${encodeURIComponent(hidden)}`;
      for (const start of [1, 9, 30])
        expect(() => parseNodeURI(`${link}\n\n${formatNodeURI(uri).slice(start)}`)).toThrow();
    }
  });

  it('tells a cut at every place', () => {
    for (const uri of invites) {
      const text = formatNodeURI(uri);
      // An empty parameter reads alike without its sign.
      const last = text.endsWith('&r=') ? text.length - 1 : text.length;
      for (let end = 1; end < last; end++) {
        const isNamed = end > text.indexOf('&');
        const why = isNamed ? /its end is missing/ : /not a whole invite|no invite in this|This is a link/;
        expect(() => mustBeWhole(text.slice(0, end)), text.slice(0, end)).toThrow(why);
      }
    }
  });

  it.each<[string, (invite: string) => string]>([
    ['in lower case', (invite) => invite.toLowerCase()],
    ['with another port', (invite) => invite.replace('@192.168.1.20:7420', '@192.168.1.20:7421')],
    ['with another route', (invite) => invite.replace('fb=1', 'fb=1&r=direct%3A192.168.1.21%3A7420')],
    ['encoded twice', (invite) => invite.replaceAll('%', '%25')],
  ])('tells one that is %s', (_name, change) => {
    for (const uri of invites)
      expect(() => mustBeWhole(change(formatNodeURI(uri)))).toThrow(/not a whole invite/);
  });

  it('is absent from what is shown of an invite without its secret, and is not asked of other software', () => {
    const [uri] = invites;
    if (uri) expect(withoutSecret(uri)).not.toContain('sum=');
    mustBeWhole(SIMPLE);
  });
});

it('what an invite calls its sender is one line that reads as it is seen', () => {
  const name = encodeURIComponent('\u202eexe.gpj\r\nX: y\u001b[31m\u0000Büro Nord');
  expect(parseNodeURI(`${SIMPLE.replace(/name=.*/, '')}name=${name}`).name).toBe('exe.gpj X: y[31mBüro Nord');
});
