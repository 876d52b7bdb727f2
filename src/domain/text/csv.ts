// Tables as text (RFC 4180). A cell that a spreadsheet would take for a formula is a text with an apostrophe before it: a name or a
// note is somebody else's, and opened there it would compute and fetch whatever it says.

/** Begins so in the programs that people open tables with; tabs and returns are skipped before it is looked at. */
const FORMULA = /^[\s]*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** One cell: a number as it is, a text made safe and quoted where it must be. */
function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = FORMULA.test(value) || /^[\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A table with its heads; each line ends with CRLF. */
export function csvText(heads: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  return [heads, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}
