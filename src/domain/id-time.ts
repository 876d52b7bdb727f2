// The time in an id (RFC 9562, version 7): rows are walked by id where an index has no time column.

/** The characters of an id with its time: twelve digits and a hyphen. */
const TIME_CHARS = 13;

/** The time prefix of ids made at an instant. */
export function idAt(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

export function timeOf(id: string): number {
  return Number.parseInt(id.replace('-', '').slice(0, 12), 16);
}

/** An id with its time replaced by that of another. */
export function idAsOf(id: string, other: string): string {
  return `${other.slice(0, TIME_CHARS)}${id.slice(TIME_CHARS)}`;
}
