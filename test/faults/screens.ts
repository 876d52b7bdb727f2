// Faults in the screens on which people decide about money: what they read before they do, and what their button pays for.
import type { Fault } from './fault.ts';

const ACTION_TESTS = ['test/dashboard/actions.test.ts'];
const DEAL_TESTS = ['test/dashboard/deal-story.test.ts'];

/** Faults of screens. */
export const SCREENS: readonly Fault[] = [
  {
    name: 'a refused answer of a model that is told by its code',
    file: 'src/dashboard/screens/thread/turn.tsx',
    find: '(turns.outcomes[value] ?? value)',
    replace: 'value',
    tests: ['test/dashboard/approvals.test.ts'],
  },
  {
    name: 'a conversation that does not say how its deal stands',
    file: 'src/dashboard/screens/thread.tsx',
    find: '<DealStateOf deal_id={deal_id} />',
    replace: '',
    tests: DEAL_TESTS,
  },
  {
    name: 'an inbox that tells of an unpaid deal by the names of fields',
    file: 'src/dashboard/parts/event-card.tsx',
    find: '<p class="quiet">{notice.body}</p>',
    replace: '<p class="quiet">{JSON.stringify(event.data)}</p>',
    tests: DEAL_TESTS,
  },
  {
    name: 'a refusal that names a field as programs do',
    file: 'src/dashboard/parts/states.tsx',
    find: '{nameOf(path)}: {message}',
    replace: '{path}: {message}',
    tests: ['test/dashboard/agents.test.ts'],
  },
  {
    name: 'an inbox that lets an amount pass which it does not show',
    file: 'src/dashboard/parts/event-card.tsx',
    find: '{notice && <p>{notice.title}</p>}',
    replace: '',
    tests: ACTION_TESTS,
  },
  {
    name: 'an inbox that decides where too little is shown to decide by',
    file: 'src/dashboard/parts/event-card.tsx',
    find: 'if (ON_CARD[kind]?.includes(action)) return null;',
    replace: "if (action !== 'quote') return null;",
    tests: ACTION_TESTS,
  },
  {
    name: 'a payment for another deal than the one whose button was pressed',
    file: 'src/dashboard/screens/deals/pay.tsx',
    find: 'await run({ deal_id, seller_handle,',
    replace: 'await run({ seller_handle,',
    tests: DEAL_TESTS,
  },
  {
    name: 'a proposal let go in its conversation that is said to be replaced',
    file: 'src/dashboard/screens/thread/proposals.tsx',
    find: 'id === answeredId(told)',
    replace: 'id === told.of.id',
    tests: ['test/dashboard/approvals.test.ts'],
  },
  {
    name: 'a proposal that is compared with itself before it was let go',
    file: 'src/dashboard/screens/approvals/proposal.ts',
    find: 'each.id !== of.id && ',
    replace: '',
    tests: ['test/dashboard/previous.test.ts'],
  },
];
