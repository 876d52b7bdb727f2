// Refusals that only a person can lift: the page of the app for it, prefilled from the refusal, and what to do there.
import type { Fault } from './fault.ts';

/** How a refusal is lifted; `page` is a path of the web app. */
export interface Lift {
  readonly how: string;
  readonly page: string;
}

/** How a person lifts a refusal; null where no person is needed. */
export function liftOf({ fault, data }: Fault): Lift | null {
  switch (fault) {
    case 'outside_bounds': {
      // A pending action is decided; otherwise the bounds can be changed.
      const waits = data['action_id'] !== undefined || data['distance_cents'] !== undefined;
      return waits
        ? { how: 'Its person decides on it, signed in.', page: '/approvals' }
        : { how: 'Its person changes the bounds or policies of the agent, signed in.', page: '/agents' };
    }
    case 'session_required':
      return { how: 'Its person does it in the web app, signed in.', page: '/' };
    case 'insufficient_scope': {
      const scope = String(data['required_scope'] ?? '');
      return {
        how: `Its person makes a key with ${scope}, signed in: no key widens itself.`,
        page: `/keys?scope=${encodeURIComponent(scope)}`,
      };
    }
    case 'payment_required': {
      const { shortfall_cents } = (data['payment_required'] ?? data) as { readonly shortfall_cents?: unknown };
      const amount = typeof shortfall_cents === 'number' ? `?amount_cents=${shortfall_cents}` : '';
      return { how: 'Its person adds money to the wallet, signed in.', page: `/wallet${amount}` };
    }
    default:
      return null;
  }
}
