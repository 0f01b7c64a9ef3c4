import { z } from 'zod';
import { LANGUAGES } from '../../server/base/vocabulary.ts';
import { appEvent } from '../../server/contract/app/overview.ts';
import { settings } from '../../server/contract/app/settings.ts';
import type { Words } from '../../server/words/said.ts';

/* Between shell and node process. Both ends parse them, even within one build. */

const port = z.int().min(0).max(65_535).optional();

/** The key goes only this way: arguments and environment are readable for others. */
const nodeStart = z.object({
  dataDir: z.string(),
  windowDir: z.string(),
  allowLoopbackPartners: z.boolean(),
  port,
  windowPort: port,
  logLevel: z.string().optional(),
  secrets: z.object({ key: z.hex(), protection: z.enum(['system', 'file']) }),
});
export type NodeStart = z.infer<typeof nodeStart>;

const request = z.discriminatedUnion('name', [
  z.object({ name: z.literal('start'), options: nodeStart }),
  z.object({ name: z.literal('overview'), language: z.enum(LANGUAGES) }),
  z.object({
    name: z.literal('proxy'),
    question: z.int(),
    proxies: z.string().describe('as Chromium lists them: `PROXY proxy.office.lan:3128; DIRECT`'),
  }),
  z.object({ name: z.literal('pauseAll'), until: z.string().optional().describe('ISO 8601') }),
  z.object({
    name: z.enum(['stop', 'settings', 'syncAll', 'resumeAll', 'suspend', 'resume', 'windowLink']),
  }),
]);
export type NodeRequest = z.infer<typeof request>;

export const shellSettings = settings.pick({
  theme: true,
  language: true,
  startAtLogin: true,
  closeToTray: true,
  notify: true,
  checkForUpdates: true,
});
export type ShellSettings = z.infer<typeof shellSettings>;

export const toNode = z.object({ id: z.int(), request });
export type ToNode = z.infer<typeof toNode>;

const about = { message: z.string(), stack: z.string() };
const words = z.custom<Words>(
  (said) => typeof said === 'string' || (typeof said === 'object' && said !== null),
);

const failure = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('store'),
    code: z.enum(['full', 'io', 'damaged', 'locked', 'newer-version', 'closed', 'permission', 'foreign']),
    words,
    ...about,
  }),
  z.object({ kind: z.literal('listen'), ...about }),
  z.object({ kind: z.literal('other'), ...about }),
]);
export type Failure = z.infer<typeof failure>;

export const fromNode = z.discriminatedUnion('type', [
  z.object({ type: z.literal('answer'), id: z.int(), answer: z.unknown() }),
  z.object({ type: z.literal('refusal'), id: z.int(), failure }),
  z.object({ type: z.literal('event'), event: appEvent }),
  z.object({ type: z.literal('crash'), failure, during: z.string() }),
  z.object({ type: z.literal('log'), line: z.string() }),
  z.object({ type: z.literal('proxy'), question: z.int(), url: z.url() }).describe('by which proxy?'),
]);
export type FromNode = z.infer<typeof fromNode>;
