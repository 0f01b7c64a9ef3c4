/** Removes all other keys from the map, as of partners that are gone. */
export function keepOnly(map: Map<string, unknown>, keys: ReadonlySet<string>): void {
  for (const key of map.keys()) if (!keys.has(key)) map.delete(key);
}
