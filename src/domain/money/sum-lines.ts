// Gross, fee and net of a payment in notices and letters, for either side: a line each.

/** In English. */
export const ENGLISH_SUMS = {
  gross: (amount: string) => `The buyer pays: ${amount}`,
  fee: (amount: string) => `The fee in it: ${amount}`,
  net: (amount: string) => `The seller gets: ${amount}`,
};

/** The three lines; amounts are already formatted. */
export function sumLines(
  words: typeof ENGLISH_SUMS,
  { gross, fee, net }: { readonly gross: string; readonly fee: string; readonly net: string },
): string {
  return [words.gross(gross), words.fee(fee), words.net(net)].join('\n');
}
