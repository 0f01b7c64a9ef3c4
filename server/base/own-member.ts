/** Returns an own member only; undefined for a name such as `constructor`, which may come from a file or a partner. */
export function ownMember<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
