// The model as operations reach it: in places of its own, so that nothing else waits for one, and with one question at a time for an
// agent, whose others stand in line.
import type { BackgroundTasks } from '../../../actors/background-tasks.ts';
import {
  type ModelPort,
  type Negotiator,
  type Question,
  type ReadAnswer,
  type Said,
  tokensAtMost,
} from '../../outbound/negotiator/negotiator.ts';

/** The wait for the agent's question before this one included; the endpoint's own deadline is shorter. */
const WAIT_MS = 25_000;

/** A negotiator behind a pool. */
export function pooled(negotiator: Negotiator, pool: Pick<BackgroundTasks, 'call'>): ModelPort {
  const { model, cents_per_mtok } = negotiator;
  return {
    model,
    cents_per_mtok,
    rests: () => negotiator.rests(),
    askFor: async <T>(agent_id: string, question: Question, read: ReadAnswer<T>): Promise<Said<T>> => {
      let begun = false;
      const work = async (gone: AbortSignal): Promise<Said<T>> => {
        begun = true;
        return negotiator.ask(question, read, gone);
      };
      const said = await pool.call({ hosts: [agent_id], deadline_ms: WAIT_MS, looks: true, work });
      if (said) return said;
      // What was cut off may have been worked on and is paid for all the same.
      const [requests, tokens] = begun ? [1, tokensAtMost(question)] : [0, 0];
      return { value: null, failure: 'it gave no answer in time', answer: '', requests, tokens };
    },
  };
}
