// The rights of keys as a person reads them before agreeing to one.
import { isScope, type Scope } from './scope.ts';

const WORDS: Readonly<Record<Scope, string>> = {
  'discovery:read': 'Look through public listings',
  'marketplace:read': 'Read prices and services',
  'agents:read': 'Read your agents, their inbox and their wallets',
  'agents:write': 'Change your agents and answer for them',
  'listings:write': 'Publish and change listings',
  'matching:run': 'Find and answer matches',
  'conversations:read': 'Read conversations',
  'conversations:write': 'Open and close conversations',
  'messages:write': 'Write messages in your name',
  'webhooks:write': 'Send events to addresses of its choice',
  'router:read': 'Read paid calls and their receipts',
  'router:call': 'Pay for routed calls, within the spending limit',
  'router:provide': 'Offer capabilities for money',
  'deals:read': 'Read deals and earnings',
  'deals:write': 'Deliver, and answer disputes',
  'export:read': 'Export your data',
  'analytics:read': 'Read statistics',
  'payments:write': 'Spend money, within the spending limit',
};

/** What scopes allow, one line each; what is no scope allows nothing. */
export function scopeWords(scopes: readonly string[]): string[] {
  return scopes.filter(isScope).map((scope) => WORDS[scope]);
}
