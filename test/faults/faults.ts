// All faults that scripts/plant-faults plants.
import { A2A_FAULTS } from './a2a.ts';
import { ACTIONS } from './actions.ts';
import { ANALYTICS } from './analytics.ts';
import { BARGAINING } from './bargain.ts';
import { CACHES } from './caches.ts';
import { CALLERS } from './callers.ts';
import { CARDS } from './cards.ts';
import { CONCIERGE } from './concierge.ts';
import { DELIVERIES } from './deliveries.ts';
import { DEMAND } from './demand.ts';
import { DISPUTES } from './disputes.ts';
import { ESCROWS } from './escrow.ts';
import type { Fault } from './fault.ts';
import { FORWARDS } from './forwards.ts';
import { KNOWLEDGE } from './knowledge.ts';
import { LEDGER } from './ledger.ts';
import { LETTERS } from './letters.ts';
import { MARKET } from './market.ts';
import { MATCHING } from './matching.ts';
import { MCP_FAULTS } from './mcp.ts';
import { MEETINGS } from './meetings.ts';
import { MODELS } from './models.ts';
import { MONEY } from './money.ts';
import { NEGOTIATION } from './negotiation.ts';
import { OPERATION } from './operation.ts';
import { PAYMENTS } from './payments.ts';
import { PAYOUTS } from './payouts.ts';
import { PEOPLE } from './people.ts';
import { PLAN_LIMITS } from './plans.ts';
import { PROGRAMS } from './programs.ts';
import { PROOFS_OF_ACCOUNTS } from './proofs.ts';
import { ROUTER } from './router.ts';
import { SCREENS } from './screens.ts';
import { STORE } from './store.ts';
import { STRIPE } from './stripe.ts';
import { TASKS } from './tasks.ts';
import { TOKENS } from './tokens.ts';
import { WALLET } from './wallet.ts';

/** In the order in which they are planted. */
export const FAULTS: readonly Fault[] = [
  ...CALLERS,
  ...PEOPLE,
  ...ANALYTICS,
  ...DELIVERIES,
  ...STORE,
  ...OPERATION,
  ...MONEY,
  ...DEMAND,
  ...ACTIONS,
  ...KNOWLEDGE,
  ...NEGOTIATION,
  ...BARGAINING,
  ...MODELS,
  ...ROUTER,
  ...SCREENS,
  ...WALLET,
  ...PAYMENTS,
  ...PAYOUTS,
  ...STRIPE,
  ...LEDGER,
  ...ESCROWS,
  ...DISPUTES,
  ...PLAN_LIMITS,
  ...LETTERS,
  ...MARKET,
  ...CACHES,
  ...CARDS,
  ...TASKS,
  ...MEETINGS,
  ...CONCIERGE,
  ...MATCHING,
  ...FORWARDS,
  ...TOKENS,
  ...PROGRAMS,
  ...PROOFS_OF_ACCOUNTS,
  ...MCP_FAULTS,
  ...A2A_FAULTS,
];
