// What a request prefers by RFC 7240. One preference is honoured: with `handling=strict` what the operation does not know is
// refused, and not passed over.

/** What an answer says to whoever preferred `handling=strict` (RFC 7240, 3). */
export const STRICT_APPLIED: Readonly<Record<string, string>> = { 'Preference-Applied': 'handling=strict' };

/** Whether `handling=strict` is preferred; of a preference that stands twice the first counts (RFC 7240, 2). */
export function prefersStrict({ headers }: Pick<Request, 'headers'>): boolean {
  const given = headers.get('prefer');
  if (given === null) return false;
  for (const preference of given.split(',')) {
    const [pair = ''] = preference.split(';', 1);
    const [name = '', value = ''] = pair.split('=', 2).map((part) => part.trim().toLowerCase());
    if (name === 'handling') return value === 'strict' || value === '"strict"';
  }
  return false;
}
