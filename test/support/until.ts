// Waits for what another process brings about: a server that starts, a node that hears of a commit. It looks again after a
// moment, since a loop without a pause would take the processor from the very process that it waits for. What never comes
// runs into the time-out of the test.

const LOOK_MS = 1;

/** Resolves once something holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(LOOK_MS);
}
