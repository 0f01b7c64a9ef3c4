import { Router } from 'express';
import { z } from 'zod';
import type { Share, SharePreview } from '../../contract/app/sharing.ts';
import { shareRequest } from '../../contract/app/pages.ts';
import { descriptorOf, type ColumnWish } from '../../federation/sharing/columns.ts';
import { pinned, pinsFor } from '../../federation/sharing/exposure-pins.ts';
import type { Federation } from '../../federation/federation.ts';
import { gathered } from '../../federation/sharing/leaving.ts';
import type { Ledger } from '../../federation/sharing/ledger.ts';
import type { Exposure } from '../../federation/model.ts';
import type { PartnersEye } from '../../federation/sharing/partners-eye.ts';
import type { Lists } from '../../lists/lists.ts';
import type { Field, Module, Values } from '../../lists/definitions/model.ts';
import { userOf, type Guard } from './guard.ts';
import { pathID } from '../listeners/path-id.ts';
import { pointingNowhere } from '../../lists/rows/pointing-nowhere.ts';
import { shareTitles } from '../../app/share-titles.ts';

const PREVIEW_ROWS = 20;

interface SharesDeps {
  readonly federation: Federation;
  readonly lists: Lists;
  readonly eye: PartnersEye;
  readonly ledger: Ledger;
  readonly guard: Guard;
}

/** `/app/partners/{n}/shares`: what one partner may see, and how it looks from there. */
export function sharesRouter(deps: SharesDeps): Router {
  const { federation, lists, eye, guard } = deps;
  const router = Router({ mergeParams: true });

  router.get('/', guard.read, async (req, res) => {
    const exposures = await federation.exposures.list(pathID(req, 'n'));
    res.json({ response: await Promise.all(exposures.map((exposure) => share(deps, exposure))) });
  });

  router.put('/:m', guard.write, async (req, res) => {
    const { fields, titles: titlePins } = shareRequest.parse(req.body);
    const n = pathID(req, 'n');
    const moduleID = pathID(req, 'm');
    const input = {
      composeModuleID: moduleID,
      fields: fields.map(columnWish),
      shape: 1 as const,
      ...(titlePins === undefined ? {} : { titlePins }),
    };
    const shown = await exposureOf(federation, n, moduleID);
    const exposure = shown
      ? await federation.exposures.change(n, shown.moduleID, input, userOf(req))
      : await federation.exposures.expose(n, input, userOf(req));
    res.json({ response: await share(deps, exposure) });
  });

  router.delete('/:m', guard.write, async (req, res) => {
    const n = pathID(req, 'n');
    const shown = await exposureOf(federation, n, pathID(req, 'm'));
    if (shown) await federation.exposures.remove(n, shown.moduleID, userOf(req));
    res.json({});
  });

  router.get('/:m/preview', guard.read, async (req, res) => {
    const module = await lists.module(pathID(req, 'm'));
    const { fields: wanted, titles: wishes } = previewQuery.parse(req.query);
    const isWanted = ({ fieldID, name }: Field): boolean => wanted.includes(fieldID) || wanted.includes(name);
    const pins = pinned(idsOf(module.fields), await pinsFor(lists, module, wishes));
    const node = await federation.nodes.get(pathID(req, 'n'));
    const choice = { fieldIDs: idsOf(module.fields.filter(isWanted)), titlePins: pins };
    const { fields, rows, whole } = await eye.preview(node, module.moduleID, choice, PREVIEW_ROWS);
    const shown = fields.map(({ name }) => name);
    const hidden = module.fields.map(({ name }) => name).filter((name) => !shown.includes(name));
    const nowhere = await pointingNowhere(lists, module.moduleID, module.fields.filter(isWanted));
    const titles = await shareTitles(lists, module.fields, pins);
    const total = await eye.count(node, module.moduleID);
    const all = (await (await lists.rows(module.moduleID)).counts()).total;
    const response: SharePreview = {
      shown,
      hidden,
      rows: rows.map(({ recordID, values }, i) => ({
        recordID,
        seen: gathered(values),
        stays: pick(whole[i]?.values ?? {}, hidden),
      })),
      references: Object.fromEntries(await lists.references(module.moduleID, whole)),
      titles: titles.map((title) => ({ ...title, nowhere: nowhere.get(title.fieldID) ?? 0 })),
      total,
      rowsStay: Math.max(0, all - total),
    };
    res.json({ response });
  });

  return router;
}

const idsOf = (fields: readonly Field[]): string[] => fields.map(({ fieldID }) => fieldID);

/** The window names columns by their ids, as names may change while it is looked at; scripts by their names. */
const columnWish = (text: string): ColumnWish =>
  /^\d+$/.test(text) ? { fieldID: text, name: text } : { name: text };

const split = (text: string): string[] => text.split(',').filter(Boolean);
const previewQuery = z.object({
  fields: z.string().default('').transform(split),
  titles: z
    .string()
    .default('')
    .transform((text): Record<string, string> => Object.fromEntries(split(text).map(pinOf))),
});

/** `12:34`, or `12:` for nothing. */
function pinOf(text: string): [fieldID: string, titleFieldID: string] {
  const [fieldID = '', titleFieldID = ''] = text.split(':', 2);
  return [fieldID, titleFieldID];
}

async function exposureOf(
  federation: Federation,
  n: string,
  moduleID: string,
): Promise<Exposure | undefined> {
  const exposures = await federation.exposures.list(n);
  return exposures.find((exposure) => exposure.composeModuleID === moduleID);
}

async function share({ federation, lists, eye, ledger }: SharesDeps, exposure: Exposure): Promise<Share> {
  const module: Module = await lists.module(exposure.composeModuleID);
  const names = new Set(exposure.fields.map(({ name }) => name));
  const node = await federation.nodes.get(exposure.nodeID);
  const sent = (await ledger.totals(exposure.nodeID)).get(exposure.moduleID);
  return {
    exposureID: exposure.moduleID,
    moduleID: module.moduleID,
    listName: module.name,
    fields: exposure.fields.map((field) => ({ ...field })),
    fieldIDs: [...exposure.fieldIDs],
    titles: await shareTitles(
      lists,
      module.fields.filter(({ fieldID }) => exposure.fieldIDs.includes(fieldID)),
      exposure.titlePins ?? {},
    ),
    hidden: module.fields.filter(({ name }) => !names.has(name)).map(descriptorOf),
    rows: await eye.count(node, module.moduleID),
    rowsSent: sent?.rows ?? 0,
    ...(sent === undefined ? {} : { lastServedAt: sent.lastServedAt }),
  };
}

function pick(values: Values, names: readonly string[]): Record<string, string[]> {
  return Object.fromEntries(
    names.filter((name) => name in values).map((name) => [name, [...(values[name] ?? [])]]),
  );
}
