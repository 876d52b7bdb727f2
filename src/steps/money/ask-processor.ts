// One question to the payment processor from a flow. It is asked outside every turn and within a deadline by the clock on the
// wall; no answer in time, and an error on the way, are `unknown`: what was asked for may have been done.
import type { FlowPorts } from '../../contract/ports.ts';
import type { Called, Processor } from '../../outbound/processor/processor.ts';

/** Several of Stripe's own round trips; a person waits for the page. */
const ASK_MS = 20_000;

/** Asks; the processor's name stands for its host, so that a slow one fills its own slots. */
export async function askProcessor<T>(
  { tasks }: Pick<FlowPorts, 'tasks'>,
  processor: Processor,
  ask: (processor: Processor) => Promise<Called<T>>,
): Promise<Called<T>> {
  try {
    const work = (): Promise<Called<T>> => ask(processor);
    const called = await tasks.call({ hosts: [`payments:${processor.name}`], deadline_ms: ASK_MS, work });
    return called ?? { outcome: 'unknown', reason: 'no answer in time' };
  } catch (error) {
    return { outcome: 'unknown', reason: error instanceof Error ? error.message : 'no answer' };
  }
}
