// Canonical JSON, over which signatures are made (RFC 8785): members sorted by the UTF-16 units of their names, no whitespace,
// numbers and strings as JavaScript writes them. A value without this form cannot be signed.

/** Deeper than any card; recursion over a stranger's value must not exhaust the stack. */
const DEPTH_MAX = 32;

function write(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return value.isWellFormed() ? JSON.stringify(value) : null;
  if (typeof value === 'number') return Number.isFinite(value) ? JSON.stringify(value) : null;
  if (value === null || typeof value === 'boolean') return JSON.stringify(value);
  if (typeof value !== 'object' || depth >= DEPTH_MAX) return null;
  const parts: string[] = [];
  const entries = Array.isArray(value)
    ? value.map((each: unknown) => ['', each] as const)
    : // The order of UTF-16 units is the order in which JavaScript sorts.
      Object.entries(value)
        .filter(([, each]) => each !== undefined)
        .sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, each] of entries) {
    const text = write(each, depth + 1);
    const head = Array.isArray(value) ? '' : write(name, depth + 1);
    if (text === null || head === null) return null;
    parts.push(head === '' ? text : `${head}:${text}`);
  }
  return Array.isArray(value) ? `[${parts.join(',')}]` : `{${parts.join(',')}}`;
}

/** The canonical text of a JSON value; null if it nests too deep, or holds a lone surrogate or a number that is not finite. */
export function canonicalJson(value: unknown): string | null {
  return write(value, 0);
}
