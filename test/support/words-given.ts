// The words that a developers' script was called with. Which options there are, its help says and scripts/usage holds it
// to; here a value is read, and one that does not fit ends the script with one line and exit 2.

import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Says what is wrong with a call, and ends with exit 2. */
export function leave(problem: string): never {
  console.error(`meshwork: ${problem}`);
  process.exit(2);
}

/** The options and positional words, as `parseArgs` reads them. */
export function wordsGiven<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    // The first sentence names the option; what follows is advice about dashes.
    return leave(error instanceof Error ? (error.message.split('.')[0] ?? '') : String(error));
  }
}

/** A whole number from `least` on; `otherwise` where nothing is said. */
export function wholeNumber(name: string, text: string | undefined, otherwise: number, least = 0): number {
  if (text === undefined) return otherwise;
  const n = Number(text);
  if (/^-?\d{1,9}$/.test(text) && n >= least) return n;
  return leave(`${name} takes a whole number from ${least} on, not "${text}"`);
}
