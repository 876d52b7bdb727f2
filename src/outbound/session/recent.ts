// A bounded memory of what was used last: when it is full, the entry that nobody asked for the longest goes.

export interface Recent<V> {
  /** The value under a key, which counts as a use; undefined when it is not (or no longer) remembered. */
  get(key: string): V | undefined;
  put(key: string, value: V): void;
  forget(key: string): void;
}

/** Remembers at most `limit` entries. */
export function createRecent<V>(limit: number): Recent<V> {
  // A Map keeps the order of insertion; what is used is put in anew, so the first entry is always the stalest.
  const entries = new Map<string, V>();
  const put = (key: string, value: V): void => {
    entries.delete(key);
    entries.set(key, value);
    const stalest = entries.keys().next().value;
    if (entries.size > limit && stalest !== undefined) entries.delete(stalest);
  };
  return {
    get(key) {
      const value = entries.get(key);
      if (value !== undefined) put(key, value);
      return value;
    },
    put,
    forget: (key) => void entries.delete(key),
  };
}
