// The notice of one commit batch to the other nodes: agents with new events, rows for caches to drop, listings with a new vector. One
// NOTIFY carries it, with at most 8,000 bytes.
import type { TurnRecord } from '../run-effects.ts';
import { nameOf } from '../schema/told.ts';

/** Above this number all agents are woken: naming them would cost more than their reads. */
const AGENTS_MAX = 200;
const PAYLOAD_MAX = 7_900;

export interface WakeUp {
  readonly agents: readonly string[] | '*';
  /** Rows by their names (schema/told.ts): text, so that a row that a batch changed twice is named once. */
  readonly changed: readonly string[];
  readonly vectors: readonly string[];
  /** Null when there is nothing that another node would want to know. */
  readonly payload: string | null;
}

export function wakeUp(node: string, commit_id: string, records: readonly TurnRecord[]): WakeUp {
  const woken = [...new Set(records.flatMap((r) => r.events.map((event) => event.agent_id)))];
  const changed = [...new Set(records.flatMap((r) => r.changed.map(nameOf)))];
  const vectors = [...new Set(records.flatMap((r) => r.embeds.map((embed) => embed.listing_id)))];
  const rows = changed.length + vectors.length > 0;
  const head = `${node} ${commit_id} ${rows ? 'rows' : '-'} `;
  const named = head + woken.join(',');
  const all = woken.length > AGENTS_MAX || Buffer.byteLength(named) > PAYLOAD_MAX;
  const payload = woken.length === 0 && !rows ? null : all ? `${head}*` : named;
  return { agents: all ? '*' : woken, changed, vectors, payload };
}

/** Parses a NOTIFY; null for a foreign one. */
export function parseWakeUp(payload: string): {
  readonly node: string;
  readonly commit_id: string;
  /** Whether the commit's row names changed rows or vectors. */
  readonly rows: boolean;
  readonly agents: readonly string[] | '*';
} | null {
  const [node, commit_id, rows, agents, more] = payload.split(' ');
  if (!node || !commit_id || agents === undefined || more !== undefined) return null;
  const named = agents === '*' ? ('*' as const) : agents.split(',').filter((id) => id !== '');
  return { node, commit_id, rows: rows === 'rows', agents: named };
}
