// Marks that programs give: ids and hashes in hexadecimal, and UUIDs. Their digits are no number that anybody dials, and their
// letters no name.

/** A hash in digits and letters both; what has digits alone may be a number. */
const MARKS =
  /(?<![A-Za-z0-9])(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?=[a-f]{0,15}\d)(?=\d{0,15}[a-f])[0-9a-f]{6,16}|(?=[0-9]{0,63}[a-f])(?:[0-9a-f]{40}|[0-9a-f]{64}))(?![A-Za-z0-9])/gi;

/** The text without them; each leaves a word behind that means nothing. */
export function withoutMarks(text: string): string {
  return text.replace(MARKS, 'mark');
}
