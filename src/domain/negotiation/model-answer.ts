// The answer that a model gives for a turn, and how strictly it is read: what is not exactly of this shape is no answer.
import type { Proposed } from './proposal.ts';
import type { TurnAction } from './turn.ts';

/** Longer is no message of a negotiation. */
const MODEL_TEXT_MAX = 4_000;
const TERMS_MAX = 2_000;
const TITLE_MAX = 140;
const MILESTONES_MAX = 20;

const ACTIONS: ReadonlySet<unknown> = new Set<TurnAction>(['say', 'propose', 'approve', 'wait', 'close']);
const FIELDS: ReadonlySet<string> = new Set(['action', 'text', 'amount_cents', 'terms', 'milestones']);

/** A turn as a model wants it. */
export interface ModelAnswer {
  readonly action: TurnAction;
  readonly text: string;
  readonly amount_cents: number | null;
  readonly terms: string | null;
  readonly milestones: readonly Proposed[];
}

const MILESTONE = {
  type: 'object',
  properties: { title: { type: 'string' }, amount_cents: { type: 'integer' } },
  required: ['title', 'amount_cents'],
  additionalProperties: false,
} as const;

/** The JSON Schema of an answer, in the words that all endpoints know. */
export const MODEL_ANSWER_SCHEMA = {
  type: 'object',
  properties: {
    action: { type: 'string', enum: ['say', 'propose', 'approve', 'wait', 'close'] },
    text: { type: 'string' },
    amount_cents: { type: ['integer', 'null'] },
    terms: { type: ['string', 'null'] },
    milestones: { anyOf: [{ type: 'array', items: MILESTONE }, { type: 'null' }] },
  },
  required: ['action', 'text', 'amount_cents', 'terms', 'milestones'],
  additionalProperties: false,
} as const;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0;

const isText = (value: unknown, max: number): value is string => typeof value === 'string' && value.length <= max;

function isPart(value: unknown): value is Proposed {
  if (!isRecord(value) || Object.keys(value).length !== 2) return false;
  return isText(value['title'], TITLE_MAX) && value['title'].trim() !== '' && isAmount(value['amount_cents']);
}

function partsOf(value: unknown): readonly Proposed[] | null {
  if (value === null || value === undefined) return [];
  return Array.isArray(value) && value.length <= MILESTONES_MAX && value.every(isPart) ? value : null;
}

/** Reads an answer; null where it is not of the shape. A field that may be null may also be left out. */
export function readModelAnswer(value: unknown): ModelAnswer | null {
  if (!isRecord(value) || Object.keys(value).some((name) => !FIELDS.has(name))) return null;
  const { action, text, amount_cents = null, terms = null } = value;
  const milestones = partsOf(value['milestones']);
  if (!ACTIONS.has(action) || !isText(text, MODEL_TEXT_MAX) || milestones === null) return null;
  if (amount_cents !== null && !isAmount(amount_cents)) return null;
  if (terms !== null && !isText(terms, TERMS_MAX)) return null;
  // Looked up in the set of all actions above.
  return { action: action as TurnAction, text: text.trim(), amount_cents, terms, milestones };
}
