import type { Federation } from '../federation/federation.ts';
import type { Lists } from '../lists/lists.ts';

/**
 * Returns a function that names a column ever shared with partner `nodeID` by its label, the present one if the column
 * still exists; by its name if that label is empty or the column unknown.
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
