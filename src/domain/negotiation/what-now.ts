// What whoever had a turn taken can do where the agent left it to its person, or to the other side.
import { type Guidance, guide, type NextStep, step } from '../next-step.ts';
import type { TurnRule } from './turn.ts';

/** The next call after a turn that waits for something; null where there is nothing to do. */
export function whatNow(rule: TurnRule, conversation_id: string): Guidance | null {
  const decides: NextStep = { operation: 'proposal.approve', input: { conversation_id }, fill: ['decision'] };
  const proposes: NextStep = {
    operation: 'proposal.propose',
    input: { conversation_id },
    fill: ['amount_cents', 'side'],
  };
  switch (rule) {
    case 'person_decides':
      return guide`Its person decides, signed in: ${step('proposal.list')} has what waits, and ${decides} answers it.`;
    case 'no_limit_known':
      return guide`Nothing says how far it may go: its person, signed in, sets its bounds, ${step('agent.bounds')}.`;
    case 'side_unknown':
      return guide`Nothing says who pays: propose an amount and say your side, ${proposes}.`;
    case 'awaits_their_yes':
      return 'It agrees to the proposal once the other side has.';
    default:
      return null;
  }
}
