// How often tests repeat what chance decides, and how much of a long list they walk: little in a run before a change, all in the
// nightly one.

/** `TEST_NIGHTLY=1 ./scripts/test` */
const NIGHTLY = process.env['TEST_NIGHTLY'] === '1';

/** The first count before a change, the second by night. */
export function often(usual: number, nightly: number): number {
  return NIGHTLY ? nightly : usual;
}

/** Every sixth before a change, all by night. */
export function sampled<T>(all: readonly T[]): T[] {
  return all.filter((_, at) => at % often(6, 1) === 0);
}
