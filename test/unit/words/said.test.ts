import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { german } from '../../../server/words/de/index.ts';
import { counted, english, joined, said, speak, verbatim } from '../../../server/words/said.ts';

const SERVER = fileURLToPath(new URL('../../../server', import.meta.url));

/**
 * Where refusals are read by programs and partners only, as the window never asks for these: the routes of the
 * interface and its queries, and what a partner's call comes to. They stay English.
 */
const FOR_SCRIPTS = [
  'http/federation/',
  'http/auth.ts',
  'http/caller.ts',
  'http/errors.ts',
  'http/compose/',
  'federation/handshake.ts',
  'federation/change-feed.ts',
  'federation/feed.ts',
  'lists/query.ts',
  'lists/comparison.ts',
  'lists/sort.ts',
  'lists/row-cursor.ts',
  'lists/row-list.ts',
];

interface Found {
  /** English texts of all sentences that can be said in another language. */
  readonly sentences: Set<string>;
  /** Refusals and failures whose text is bare, by file and line. */
  readonly bare: string[];
}

/** Which argument of these says something to people. */
const SPEAKING: Readonly<Record<string, number>> = {
  Refusal: 2,
  AddressRefused: 1,
  PartnerUnreachable: 1,
  PartnerBusy: 0,
};

/** Properties that hold what will be said, and where they are that and not a partner's or a program's own words. */
const REMEMBERED = new Set(['message', 'reason', 'problem', 'note']);
const REMEMBERING = [
  'lists/',
  'federation/',
  'sync/',
  'peer/records.ts',
  'http/app/inbox.ts',
  'http/strangers.ts',
];

const isText = (node: ts.Expression): boolean =>
  ts.isTemplateExpression(node) || (ts.isStringLiteralLike(node) && node.text !== '');

function read(): Found {
  const found: Found = { sentences: new Set(), bare: [] };
  for (const file of readdirSync(SERVER, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const place = file.replaceAll('\\', '/');
    const text = readFileSync(join(SERVER, file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'said')
        found.sentences.add(sayOf(node.template));
      if (ts.isNewExpression(node)) {
        const message = node.arguments?.[SPEAKING[node.expression.getText()] ?? -1];
        const forScripts = FOR_SCRIPTS.some((start) => place.startsWith(start));
        if (message && isText(message) && !forScripts) found.bare.push(`${file}: ${message.getText()}`);
      }
      // What is remembered or shown later: a history entry, a reason, a note about a conversion.
      if (ts.isPropertyAssignment(node) && REMEMBERED.has(node.name.getText()) && isText(node.initializer))
        if (REMEMBERING.some((folder) => place.startsWith(folder)))
          found.bare.push(`${file}: ${node.initializer.getText()}`);
      // The store stands below the sentences; what it tells the user is found by its text.
      if (ts.isCallExpression(node) && /(^|\.)notice$/.test(node.expression.getText()))
        for (const argument of node.arguments.slice(2)) found.sentences.add(textOf(argument));
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

function sayOf(template: ts.TemplateLiteral): string {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
  return template.templateSpans.reduce(
    (text, span, index) => `${text}{${index}}${span.literal.text}`,
    template.head.text,
  );
}

function textOf(node: ts.Expression): string {
  if (ts.isBinaryExpression(node)) return textOf(node.left) + textOf(node.right);
  return ts.isStringLiteralLike(node) ? node.text : '';
}

const parts = (text: string): string[] => [...text.matchAll(/\{\d+\}/g)].map(([part]) => part).sort();
const hasWords = (text: string): boolean => /\p{L}/u.test(text.replace(/\{\d+\}/g, ''));

describe('what the node says to people', () => {
  const { sentences, bare } = read();
  const wordy = [...sentences].filter(hasWords);

  it('has a German text for every sentence', () => {
    expect(wordy.length).toBeGreaterThan(200);
    expect(wordy.filter((sentence) => german[sentence] === undefined)).toEqual([]);
  });

  it('has the same parts in both languages', () => {
    const wrong = Object.entries(german).filter(
      ([key, text]) => JSON.stringify(parts(key)) !== JSON.stringify(parts(text)),
    );
    expect(wrong).toEqual([]);
  });

  it('refuses nothing in words that cannot be translated', () => {
    expect(bare).toEqual([]);
  });

  it('has no German text left over from a sentence that is gone', () => {
    const code = readdirSync(SERVER, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.includes('words'))
      .map((file) => readFileSync(join(SERVER, file), 'utf8'))
      .join('\n');
    const left = Object.keys(german).filter((key) => !sentences.has(key) && !code.includes(key));
    expect(left).toEqual([]);
  });

  it('fills a sentence with its parts, and with other sentences, in the language of whoever asks', () => {
    const refusal = said`The partner refused: ${said`The offer is gone.`}`;
    expect(english(refusal)).toBe('The partner refused: The offer is gone.');
    expect(speak(refusal, 'de')).toBe('Der Partner hat abgelehnt: Das Angebot gibt es nicht mehr.');
    expect(speak(joined([said`The offer is gone.`, 'as it came'], ' '), 'de')).toBe(
      'Das Angebot gibt es nicht mehr. as it came',
    );
    expect(speak(counted(1, said`it is too long`, said`are several values`), 'de')).toBe('sie ist zu lang');
  });

  it('takes a part for text, whatever is in it', () => {
    expect(english(said`There is no column “${'{0} {1}'}”.`)).toBe('There is no column “{0} {1}”.');
  });

  it('says what it knows no translation for in English, and what an older version stored as it is', () => {
    expect(speak(said`Nobody translated this ${1}.`, 'de')).toBe('Nobody translated this 1.');
    expect(speak('Stored long ago.', 'de')).toBe('Stored long ago.');
    expect(speak(verbatim('This computer is not online.'), 'de')).toBe('Dieser Computer ist nicht online.');
  });

  it('survives being stored', () => {
    const stored: unknown = JSON.parse(
      JSON.stringify(said`The partner refused: ${said`The offer is gone.`}`),
    );
    expect(stored).toEqual(said`The partner refused: ${said`The offer is gone.`}`);
  });
});
