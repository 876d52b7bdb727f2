// The time in an id (RFC 9562, version 7): rows are walked by their ids where an index holds no time of its own.

/** The letters of an id that tell its time: twelve digits, and the hyphen among them. */
const TIME_CHARS = 13;

/** The first id of a time, as far as it tells one. */
export function idAt(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

export function timeOf(id: string): number {
  return Number.parseInt(id.replace('-', '').slice(0, 12), 16);
}

/** An id that tells the time of another in place of its own. */
export function idAsOf(id: string, other: string): string {
  return `${other.slice(0, TIME_CHARS)}${id.slice(TIME_CHARS)}`;
}
