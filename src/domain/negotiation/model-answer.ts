// The answer that a model gives for a turn: what is to be done, and a price. It has no field for words, so that nothing which a model writes
// reaches the other side; what else an answer holds is not read.
import { isObject } from '../json.ts';
import type { TurnAction } from './turn.ts';

const ACTIONS: ReadonlySet<unknown> = new Set<TurnAction>(['say', 'propose', 'approve', 'wait', 'close']);

export interface ModelAnswer {
  readonly action: TurnAction;
  readonly amount_cents: number | null;
}

/** The JSON Schema of an answer, in the words that all endpoints know. */
export const MODEL_ANSWER_SCHEMA = {
  type: 'object',
  properties: {
    action: { type: 'string', enum: ['say', 'propose', 'approve', 'wait', 'close'] },
    amount_cents: { type: ['integer', 'null'] },
  },
  required: ['action', 'amount_cents'],
  additionalProperties: false,
} as const;

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0;

/** Reads an answer; null where it is not of the shape. A price may also be left out. */
export function readModelAnswer(value: unknown): ModelAnswer | null {
  if (!isObject(value)) return null;
  const { action, amount_cents = null } = value;
  if (!ACTIONS.has(action) || (amount_cents !== null && !isAmount(amount_cents))) return null;
  // Looked up in the set of all actions above.
  return { action: action as TurnAction, amount_cents };
}
