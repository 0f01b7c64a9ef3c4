/** Returns a shallow copy without these members. */
export function omit<T extends object, K extends keyof T>(object: T, ...names: readonly K[]): Omit<T, K> {
  const copy: Partial<T> = { ...object };
  for (const name of names) Reflect.deleteProperty(copy, name);
  return copy as Omit<T, K>;
}
