import type { Express } from 'express';
import { onTestFinished } from 'vitest';
import type { Dialect } from '../../../server/base/vocabulary.ts';
import type { FieldInput } from '../../../server/lists/definitions/inputs.ts';
import { startLyingPartner, type LyingPartner } from './lying-partner.ts';
import type { MadeUpOrigin } from './made-up-origin.ts';
import { receivingOffice, type ReceivingOffice, type ReceivingOptions } from '../harness/pulling-parts.ts';

/** How a made-up partner is spoken to. */
export interface Way {
  readonly dialect: Dialect;
  readonly footbridge?: boolean;
  /** The installation that a Footbridge says it is. */
  readonly installation?: string;
  /** What it is called with; says of a Footbridge as well which installation it is. */
  readonly sealedToken?: string;
}

export const WAYS: readonly (readonly [string, Way])[] = [
  ['shape 1', { dialect: 'shape1' }],
  ['shape 2', { dialect: 'shape2' }],
  ['the live dialect', { dialect: 'live' }],
  ['the feed between Footbridges', { dialect: 'shape1', footbridge: true }],
];

/** Rows on a page that we ask such a partner for. */
export const PAGE_ROWS = 500;

/** An office that is paired with a made-up partner and has matched its list. */
export interface Matched {
  readonly office: ReceivingOffice;
  readonly partner: LyingPartner;
  readonly nodeID: string;
  /** Our list. */
  readonly moduleID: string;
  readonly sharedModuleID: string;
}

export const NAME_AND_CITY: readonly FieldInput[] = [
  { kind: 'String', name: 'Name' },
  { kind: 'String', name: 'City' },
];

/**
 * Sets up partner and office for one test. `lies` comes before the honest answers and may take over any of
 * them; it is asked anew for every request, so that a test can change its mind.
 */
export async function matched(
  origin: MadeUpOrigin,
  way: Way = { dialect: 'live' },
  options: ReceivingOptions & { fields?: readonly FieldInput[]; lies?: (app: Express) => void } = {},
): Promise<Matched> {
  const partner = await startLyingPartner((app) => {
    options.lies?.(app);
    origin.serve(app);
  });
  onTestFinished(() => partner.close());
  const office = await receivingOffice(options);
  onTestFinished(() => office.close());
  const { nodeID } = await office.addPartner({ baseURL: partner.base, ...way });
  await office.sync.syncNow(nodeID);
  if (way.footbridge === true) await untilTold(office, nodeID);
  const { module, sharedModuleID } = await office.match(nodeID, options.fields ?? NAME_AND_CITY);
  return { office, partner, nodeID, moduleID: module.moduleID, sharedModuleID };
}

/**
 * The first question to another Footbridge sets off a pull of its own. What it brought would be missing from what a test
 * counts, so that it is over before there is anything to bring; a partner that does not answer it sets off none.
 */
async function untilTold({ sync }: ReceivingOffice, nodeID: string): Promise<void> {
  for (let tries = 0; tries < 50 && !(await sync.status(nodeID)).live; tries++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  await sync.whenIdle(nodeID);
}

/** The origin's rows as they should stand in the list that receives them. */
export function shownBy(origin: MadeUpOrigin): Map<string, Record<string, string>> {
  const rows = origin.rows().filter(({ deletedAt }) => deletedAt === undefined);
  return new Map(
    rows.map(({ recordID, values }) => {
      const texts = Object.entries(values).flatMap(([name, all]) =>
        all.length > 0 ? [[name, all.join('|')]] : [],
      );
      return [recordID, Object.fromEntries(texts) as Record<string, string>];
    }),
  );
}

/** Rows `from` to `to` of the origin, named by their numbers. */
export function fill(origin: MadeUpOrigin, from: number, to: number): void {
  for (let number = from; number < to; number++) {
    origin.put(idOf(number), { Name: [`Name ${number}`], City: [`City ${number % 7}`] });
  }
}

export const idOf = (number: number): string => `523396897${String(number).padStart(9, '0')}`;

/** Whether a request asks for rows, in whatever dialect. */
export function asksForRows({ path }: { path: string }): boolean {
  return /\/(records|changes)/.test(path);
}
