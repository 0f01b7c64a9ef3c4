type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Copies `options` without `undefined` members (for `exactOptionalPropertyTypes`). */
export function omitUndefined<T extends object>(options: T): Given<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Given<T>;
}
