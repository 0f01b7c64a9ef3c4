import { Router } from 'express';
import type { Share, SharePreview } from '../../contract/app-sharing.ts';
import { shareRequest } from '../../contract/app-pages.ts';
import type { Federation } from '../../federation/federation.ts';
import type { FeedValue } from '../../federation/feed.ts';
import type { Ledger } from '../../federation/ledger.ts';
import type { Exposure } from '../../federation/model.ts';
import type { PartnersEye } from '../../federation/partners-eye.ts';
import type { Lists } from '../../lists/lists.ts';
import type { Module, Values } from '../../lists/model.ts';
import { userOf, type Guard } from './guard.ts';
import { param } from './param.ts';

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
    const exposures = await federation.exposures.list(param(req, 'n'));
    res.json({ response: await Promise.all(exposures.map((exposure) => share(deps, exposure))) });
  });

  router.put('/:m', guard.write, async (req, res) => {
    const { fields } = shareRequest.parse(req.body);
    const n = param(req, 'n');
    const moduleID = param(req, 'm');
    const input = { composeModuleID: moduleID, fields: fields.map((name) => ({ name })), shape: 1 as const };
    const shown = await exposureOf(federation, n, moduleID);
    const exposure = shown
      ? await federation.exposures.change(n, shown.moduleID, input, userOf(req))
      : await federation.exposures.expose(n, input, userOf(req));
    res.json({ response: await share(deps, exposure) });
  });

  router.delete('/:m', guard.write, async (req, res) => {
    const n = param(req, 'n');
    const shown = await exposureOf(federation, n, param(req, 'm'));
    if (shown) await federation.exposures.remove(n, shown.moduleID, userOf(req));
    res.json({});
  });

  router.get('/:m/preview', guard.read, async (req, res) => {
    const module = await lists.module(param(req, 'm'));
    const wanted = typeof req.query.fields === 'string' ? req.query.fields.split(',').filter(Boolean) : [];
    const shown = module.fields.map(({ name }) => name).filter((name) => wanted.includes(name));
    const hidden = module.fields.map(({ name }) => name).filter((name) => !wanted.includes(name));
    const node = await federation.nodes.get(param(req, 'n'));
    const fields = module.fields.filter(({ name }) => shown.includes(name));
    const seen = await eye.preview(node, module.moduleID, fields, PREVIEW_ROWS);
    const rows = await lists.rows(module.moduleID);
    const whole = await rows.getMany(seen.map(({ recordID }) => recordID));
    const response: SharePreview = {
      shown,
      hidden,
      rows: seen.map(({ recordID, values }, i) => ({
        recordID,
        seen: gathered(values),
        stays: pick(whole[i]?.values ?? {}, hidden),
      })),
      references: Object.fromEntries(
        await lists.references(
          module.moduleID,
          whole.filter((row) => row !== undefined),
        ),
      ),
      total: await eye.count(node, module.moduleID),
    };
    res.json({ response });
  });

  return router;
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
  const descriptor = ({
    kind,
    name,
    label,
    isMulti,
  }: (typeof module.fields)[number]): Share['hidden'][number] => ({
    kind,
    name,
    label,
    isMulti,
  });
  return {
    exposureID: exposure.moduleID,
    moduleID: module.moduleID,
    listName: module.name,
    fields: exposure.fields.map((field) => ({ ...field })),
    hidden: module.fields.filter(({ name }) => !names.has(name)).map(descriptor),
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

/** Repeated entries of one name are the values of one column. */
function gathered(values: readonly FeedValue[]): Record<string, string[]> {
  const columns: Record<string, string[]> = {};
  for (const { name, value } of values) (columns[name] ??= []).push(value);
  return columns;
}
