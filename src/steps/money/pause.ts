// How long to wait before the processor is asked again about what is still open there.

/** Most people decide at once or not at all. */
const FIRST_MS = 600_000;
const LONGEST_MS = 21_600_000;

interface Asked {
  readonly created_at: number;
  readonly processor: string;
  /** A person may still decide there. */
  readonly open: boolean;
}

/** As long again as it is since the beginning, within bounds. Webhooks may be lost, so an open page of a processor that sends them
 * is asked after every ten minutes; the sandbox's tell of themselves. */
export function pauseAfter({ created_at, processor, open }: Asked, now_ms: number): number {
  const longest = open && processor !== 'sandbox' ? FIRST_MS : LONGEST_MS;
  return Math.min(Math.max(now_ms - created_at, FIRST_MS), longest);
}
