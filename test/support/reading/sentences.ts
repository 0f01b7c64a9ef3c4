import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const SERVER = fileURLToPath(new URL('../../../server', import.meta.url));

/**
 * Where refusals are read by programs and partners only, as the window never asks for these: the routes of the
 * interface and its queries, and what a partner's call comes to. They stay English.
 */
const FOR_SCRIPTS = [
  'http/interface/federation/',
  'http/auth/auth.ts',
  'http/auth/caller.ts',
  'http/listeners/errors.ts',
  'http/listeners/json-body.ts',
  'http/listeners/path-id.ts',
  'http/listeners/per-partner-queue.ts',
  'http/interface/compose/',
  'federation/partners/announced-routes.ts',
  'federation/partners/handshake.ts',
  'federation/sharing/change-feed.ts',
  'federation/sharing/feed-digests.ts',
  'federation/sharing/feed.ts',
  'lists/query/query.ts',
  'lists/query/comparison.ts',
  'lists/query/operand.ts',
  'lists/query/sort.ts',
  'lists/rows/row-cursor.ts',
  'lists/rows/row-list.ts',
];

/** What the node can say, read from its code. */
export interface Sentences {
  /** The codes of all sentences that the code says. */
  readonly codes: Set<string>;
  /** Those of them that are a refusal or a failure as they stand. */
  readonly thrown: Set<string>;
  /** Refusals and failures whose text is bare, by file and line. */
  readonly bare: string[];
  /** Codes of the refusals that can come to the window with a bare text, which is for programs. */
  readonly codesForScripts: Set<string>;
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
  'peer/dialects/records.ts',
  'app/inbox/',
  'app/rejected-access.ts',
];

/** Failures of the store that reach the window with their own text; `http/listeners/errors.ts` words the others. */
const SHOWN_STORE_ERRORS = [
  'store/recovery/read-backup.ts',
  'store/recovery/unpack-backup.ts',
  'store/files/format.ts',
];

/** What the window never calls, so that these refusals cannot come to it. */
const OUT_OF_REACH = [
  'http/interface/federation/',
  'http/interface/compose/',
  'http/listeners/per-partner-queue.ts',
  'federation/partners/announced-routes.ts',
  'federation/partners/handshake.ts',
  'federation/sharing/change-feed.ts',
  'federation/sharing/feed-digests.ts',
];

const isText = (node: ts.Expression): boolean =>
  ts.isTemplateExpression(node) || (ts.isStringLiteralLike(node) && node.text !== '');

/** Reads every file of the node. */
export function readSentences(): Sentences {
  const found: Sentences = {
    codes: new Set(),
    thrown: new Set(),
    bare: [],
    codesForScripts: new Set(),
  };
  for (const file of readdirSync(SERVER, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const place = file.replaceAll('\\', '/');
    const text = readFileSync(join(SERVER, file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      for (const code of saidBy(node)) found.codes.add(code);
      if (ts.isNewExpression(node)) {
        const message = node.arguments?.[SPEAKING[node.expression.getText()] ?? -1];
        const forScripts = FOR_SCRIPTS.some((start) => place.startsWith(start));
        if (message && isText(message) && !forScripts) found.bare.push(`${file}: ${message.getText()}`);
        const code = node.arguments?.[1];
        const inReach = !OUT_OF_REACH.some((start) => place.startsWith(start));
        if (message && isText(message) && inReach && code && ts.isStringLiteralLike(code))
          found.codesForScripts.add(code.text);
        if (message) for (const code of saidBy(message)) found.thrown.add(code);
        const failure = node.expression.getText() === 'StoreError' ? node.arguments?.[1] : undefined;
        if (failure && isText(failure) && SHOWN_STORE_ERRORS.includes(place))
          found.bare.push(`${file}: ${failure.getText()}`);
      }
      // What is remembered or shown later: a history entry, a reason, a note about a conversion.
      if (ts.isPropertyAssignment(node) && REMEMBERED.has(node.name.getText()) && isText(node.initializer))
        if (REMEMBERING.some((folder) => place.startsWith(folder)))
          found.bare.push(`${file}: ${node.initializer.getText()}`);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

/** The codes that an expression says: its own, or one of two. */
function saidBy(node: ts.Node): string[] {
  if (ts.isConditionalExpression(node)) return [...saidBy(node.whenTrue), ...saidBy(node.whenFalse)];
  if (!ts.isCallExpression(node) || node.expression.getText() !== 'said') return [];
  return node.arguments.slice(0, 1).flatMap((code) => textsOf(code));
}

/** The texts that an argument can be. */
function textsOf(node: ts.Expression): string[] {
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)];
  return ts.isStringLiteralLike(node) ? [node.text] : [];
}
