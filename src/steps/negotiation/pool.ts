// The model as operations reach it: in places of its own, so that nothing else waits for one, and with one question at a time for an
// agent, whose others stand in line.
import type { BackgroundTasks } from '../../../actors/background-tasks.ts';
import type {
  MayUse,
  ModelPort,
  Negotiator,
  Question,
  ReadAnswer,
  Said,
  Use,
} from '../../outbound/negotiator/negotiator.ts';

/** The wait for the agent's question before this one included; the endpoint's own deadline is shorter. */
const WAIT_MS = 25_000;

export function pooled(negotiator: Negotiator, pool: Pick<BackgroundTasks, 'call'>): ModelPort {
  const { model, cents_per_mtok } = negotiator;
  return {
    model,
    cents_per_mtok,
    rests: () => negotiator.rests(),
    askFor: async <T>(agent_id: string, question: Question, read: ReadAnswer<T>, may: MayUse): Promise<Said<T>> => {
      let allowed: Use = { requests: 0, tokens: 0 };
      const noted: MayUse = async (most, gone) => {
        const is_allowed = await may(most, gone);
        if (is_allowed) allowed = most;
        return is_allowed;
      };
      const work = (gone: AbortSignal): Promise<Said<T>> => negotiator.ask(question, read, noted, gone);
      const said = await pool.call({ hosts: [agent_id], deadline_ms: WAIT_MS, looks: true, work });
      // What was cut off may have been worked on and is paid for all the same.
      return said ?? { value: null, failure: 'it gave no answer in time', answer: '', ...allowed };
    },
  };
}
