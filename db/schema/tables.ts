// The one column spec: all tables of the service, made with either engine's builders.
import { agentTables } from './agent.ts';
import type { Builders } from './builders.ts';
import { conversationTables } from './conversation.ts';
import { dealTables, recordTables } from './deal.ts';
import { demandTables } from './demand.ts';
import { escrowTables } from './escrow.ts';
import { forwardTables } from './forward.ts';
import { identityTables } from './identity.ts';
import { listingTables } from './listing.ts';
import { negotiationTables } from './negotiation.ts';
import { processorTables } from './processor.ts';
import { reachTables } from './reach.ts';
import { routerTables } from './router.ts';
import { taskTables } from './task.ts';
import { turnTables } from './turn.ts';
import { walletTables } from './wallet.ts';

// Without a return type: drizzle infers the row types from this literal.
export function define(b: Builders) {
  return {
    ...identityTables(b),
    ...agentTables(b),
    ...listingTables(b),
    ...conversationTables(b),
    ...taskTables(b),
    ...forwardTables(b),
    ...reachTables(b),
    ...turnTables(b),
    ...walletTables(b),
    ...processorTables(b),
    ...escrowTables(b),
    ...dealTables(b),
    ...recordTables(b),
    ...demandTables(b),
    ...routerTables(b),
    ...negotiationTables(b),
  };
}

export type Tables = ReturnType<typeof define>;
export type TableName = keyof Tables;
export type Row<T extends TableName> = Tables[T]['$inferSelect'];
/** A row as it is inserted: columns with a default may be left out. */
export type NewRow<T extends TableName> = Tables[T]['$inferInsert'];
/** The tables whose rows carry a version, which `patch` and `remove` compare. */
export type VersionedTable = { [T in TableName]: Row<T> extends { version: number } ? T : never }[TableName];
