// How long writes were away after a fault.

/** Waits until so many writes flowed after a fault; the longest time without an answer. */
export async function silenceAfter(answered: () => number, flowing: number): Promise<number> {
  let [last, since, longest_ms] = [answered(), performance.now(), 0];
  for (let flowed = 0; flowed < flowing; await Bun.sleep(5)) {
    const now = answered();
    const gone_ms = performance.now() - since;
    longest_ms = Math.max(longest_ms, gone_ms);
    if (now === last) continue;
    // What comes one by one, out of what was on its way, is no flow yet.
    flowed = gone_ms > 1_000 ? 0 : flowed + now - last;
    [last, since] = [now, performance.now()];
  }
  return longest_ms;
}
