import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import type { Partition, Table, Tx } from '../../store/store.ts';
import type { NamespaceInput } from './inputs.ts';
import type { Namespace } from './model.ts';
import { checkHandle, checkTitle, handleFrom } from './names.ts';
import { assertNotStale, changedDefinition, timeAfter } from './stale.ts';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';

export const NAMESPACES: Table<Namespace> = {
  name: 'namespace',
  indexes: { slug: ({ slug }) => slug.toLowerCase(), all: () => 'all' },
};
const MAX_NAMESPACES = 1000;

export interface Namespaces {
  all(): Promise<Namespace[]>;
  /** Throws `workspace.unknown` (404). */
  one(namespaceID: string): Promise<Namespace>;
  create(input: NamespaceInput): Promise<Namespace>;
  update(namespaceID: string, change: Partial<NamespaceInput>): Promise<Namespace>;
  /**
   * @param check refuses, within the transaction, a workspace in use
   */
  remove(namespaceID: string, check: (tx: Tx) => Promise<void>): Promise<void>;
  /** Returns the oldest workspace; creates one if none. */
  default(): Promise<Namespace>;
}

/** Creates access to the office's workspaces; `default` returns the first, or creates one if there is none. */
export function createNamespaces(deps: { system: Partition; clock: Clock; ids: Ids }): Namespaces {
  const { system, clock, ids } = deps;
  const now = (): string => new Date(clock.now()).toISOString();

  /**
   * Creates a workspace in the transaction. Throws `workspace.many` at 1,000, `name.title`, `name.handle` or
   * `workspace.taken`.
   */
  async function addNamespace(tx: Tx, input: NamespaceInput): Promise<Namespace> {
    const others = await tx.find(NAMESPACES, 'all', 'all');
    if (others.length >= MAX_NAMESPACES) {
      throw new Refusal('conflict', 'workspace.many', said('workspace.too-many', { most: MAX_NAMESPACES }));
    }
    const name = checkTitle(input.name, 'workspace');
    const taken = others.map(({ value }) => value.slug);
    return writeWorkspace(tx, {
      namespaceID: ids.next(),
      name,
      slug: input.slug ?? handleFrom(name, taken),
      enabled: input.enabled ?? true,
      ...omitUndefined({ compose: input.compose }),
      createdAt: now(),
    });
  }

  return {
    all: async () => (await system.page(NAMESPACES, { limit: MAX_NAMESPACES })).map(({ value }) => value),
    one: async (namespaceID) => assertWorkspace(await system.get(NAMESPACES, namespaceID)),
    create: (input) => system.transaction((tx) => addNamespace(tx, input)),
    update: (namespaceID, { name, slug, enabled, compose, expectedUpdatedAt }) =>
      system.transaction(async (tx) => {
        const old = assertWorkspace(await tx.get(NAMESPACES, namespaceID));
        assertNotStale(expectedUpdatedAt, old, clock.now());
        const next = {
          ...old,
          name: name === undefined ? old.name : checkTitle(name, 'workspace'),
          slug: slug ?? old.slug,
          enabled: enabled ?? old.enabled,
          ...omitUndefined({ compose: compose && { ...old.compose, ...compose } }),
          updatedAt: timeAfter(old, clock),
        };
        return writeWorkspace(tx, changedDefinition(old, next));
      }),
    remove: (namespaceID, check) =>
      system.transaction(async (tx) => {
        assertWorkspace(await tx.get(NAMESPACES, namespaceID));
        await check(tx);
        tx.delete(NAMESPACES, namespaceID);
      }),
    default: async () => {
      const [first] = await system.page(NAMESPACES, { limit: 1 });
      if (first) return first.value;
      return system.transaction(async (tx) => {
        const [other] = await tx.find(NAMESPACES, 'all', 'all');
        return other?.value ?? addNamespace(tx, { name: 'Office', slug: 'office' });
      });
    },
  };
}

/** Writes a workspace. Throws `name.handle` for an invalid slug, `workspace.taken` for a used one, ignoring case. */
async function writeWorkspace(tx: Tx, namespace: Namespace): Promise<Namespace> {
  checkHandle(namespace.slug);
  const same = await tx.find(NAMESPACES, 'slug', namespace.slug.toLowerCase());
  if (same.some(({ key }) => key !== namespace.namespaceID)) {
    throw new Refusal('conflict', 'workspace.taken', said('workspace.name-taken', { name: namespace.slug }));
  }
  tx.put(NAMESPACES, namespace.namespaceID, namespace);
  return namespace;
}

/** Returns the workspace. Throws `workspace.unknown` (404) for undefined. */
export function assertWorkspace(namespace: Namespace | undefined): Namespace {
  if (namespace) return namespace;
  throw new Refusal('not-found', 'workspace.unknown', said('workspace.unknown'));
}
