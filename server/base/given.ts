type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without what was not given, which is not the same as giving nothing. */
export function given<T extends object>(options: T): Given<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Given<T>;
}
