import type { Federation } from '../federation/federation.ts';
import type { Lists } from '../lists/lists.ts';

/**
 * Returns a function that names a column shared with partner `nodeID` by its label, the list's present one first, else
 * its name.
 */
export async function createColumnNamer(
  { federation, lists }: { federation: Pick<Federation, 'exposures'>; lists: Pick<Lists, 'modules'> },
  nodeID: string,
): Promise<(exposureID: string, name: string) => string> {
  const modules = new Map((await lists.modules()).map((module) => [module.moduleID, module]));
  const labels = new Map<string, ReadonlyMap<string, string>>();
  for (const { moduleID, composeModuleID, fields } of await federation.exposures.listEver(nodeID)) {
    const known = [...fields, ...(modules.get(composeModuleID)?.fields ?? [])];
    labels.set(moduleID, new Map(known.map(({ name, label }) => [name, label])));
  }
  return (exposureID, name) => {
    const label = labels.get(exposureID)?.get(name) ?? '';
    return label === '' ? name : label;
  };
}
