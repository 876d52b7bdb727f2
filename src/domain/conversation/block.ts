// Blocks: an agent that was blocked can open no conversation with its blocker and write in none (rules.md 4). The rule
// kept here is that a block hides nothing: what was said stays readable, and the blocker may still write itself.

import { type Fault, fault } from '../fault.ts';
import { acceptsMessages, type Status } from './conversation.ts';

/** Blocks of one agent: more than anybody made by hand, and a bound for a program. */
export const BLOCKS_MAX = 10_000;

export function blockId(blocker_id: string, blocked_id: string): string {
  return `${blocker_id}:${blocked_id}`;
}

/** The counter that stands at 1 while the block does. A commit that opens a thread passes it only at 0, so that of a
 * block and an opening at the same moment one comes first, whatever either had read. */
export function blockGate(blocker_id: string, blocked_id: string): string {
  return `block:${blocker_id}:${blocked_id}`;
}

/** The part of a thread that decides who may write in it. The flags are 1 while that side blocks the other. */
export interface Writable {
  readonly status: Status;
  readonly updated_at: number;
  readonly opener_blocks: number;
  readonly other_blocks: number;
}

/** 403 for a side that the other one blocks; null where it does not. */
export function blockedFault(
  thread: Omit<Writable, 'status' | 'updated_at'>,
  by_opener: boolean,
): Fault<'blocked'> | null {
  const blocked = by_opener ? thread.other_blocks : thread.opener_blocks;
  return blocked === 1 ? fault('blocked') : null;
}

/** Why a side cannot write in a thread, or null when it can: 403 `blocked` by the other side, 409 when it is over. */
export function writeFault(
  thread: Writable,
  by_opener: boolean,
  now_ms: number,
): Fault<'blocked' | 'conversation_closed'> | null {
  const blocked = blockedFault(thread, by_opener);
  if (blocked) return blocked;
  return acceptsMessages(thread, now_ms) ? null : fault('conversation_closed', undefined, { status: thread.status });
}
