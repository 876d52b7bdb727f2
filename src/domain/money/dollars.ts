// Amounts as people read them.

/** `$1,250.00` of 125,000 cents. */
export function dollars(cents: number): string {
  const [whole = '', rest = ''] = (cents / 100).toFixed(2).split('.');
  return `$${Number(whole).toLocaleString('en-US')}.${rest}`;
}
