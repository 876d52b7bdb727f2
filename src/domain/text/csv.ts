// CSV (RFC 4180). A cell that a spreadsheet would read as a formula gets an apostrophe in front: names and notes come from others, and as
// formulas they could compute and fetch anything.

/** The beginnings of formulas in spreadsheets, which skip tabs and line breaks before them. */
const FORMULA = /^[\s]*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** One cell: a number unchanged, a text escaped and quoted where needed. */
function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = FORMULA.test(value) || /^[\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A table with its header; each line ends with CRLF. */
export function csvText(heads: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  return [heads, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}
