// Requests for quotes and quotes on the wire (interface.md, Demand request; rules.md 9). The public reads subject, budget and
// closing time; callers with a credential also read requester and outcome; only its two sides read a quote.

import { type Static, Type } from 'typebox';
import type { NamedQuote, PostedDemand } from '../../db/queries/demand.ts';
import type { Row } from '../../db/schema/tables.ts';
import { isSeenOn, type Surface } from '../domain/agent/profile.ts';
import { DEMAND_STATUSES, demandStatusAt } from '../domain/demand/demand.ts';
import { isTableLabel, MAX_LABELS } from '../domain/listing/label.ts';
import { proceedsOf } from '../domain/money/fee.ts';
import { seenAs } from './agent.ts';
import { authored, byField, words, wordsUnless } from './authored.ts';
import { HEADLINE_MAX, LabelText } from './listing-input.ts';
import { Amount, PROCEEDS } from './money.ts';
import { described, named, namedObject } from './named.ts';
import {
  Cents,
  Id,
  iso,
  isoOrNull,
  NullableId,
  NullableText,
  NullableTime,
  nullable,
  Time,
  visibleText,
} from './wire.ts';

const DESCRIPTION_MAX = 5_000;
const MESSAGE_MAX = 2_000;
const DAYS_MAX = 365;

const Count = Type.Integer({ minimum: 0 });

export const DemandInput = namedObject('DemandInput', 'a request for quotes to post', {
  headline: visibleText(HEADLINE_MAX),
  description: Type.Optional(Type.String({ maxLength: DESCRIPTION_MAX })),
  labels: Type.Array(LabelText, {
    minItems: 1,
    maxItems: MAX_LABELS,
    description: 'Folded to a-z 0-9 and hyphens, aliases resolved; sellers who share one are notified',
  }),
  budget_cents: described('The highest price of a quote; public', Amount),
  closes_at: Type.String({ format: 'date-time', description: 'from one hour to 90 days ahead' }),
});

export const QUOTE_INPUT = {
  price_cents: Amount,
  message: Type.Optional(Type.String({ maxLength: MESSAGE_MAX, description: 'only for the requester' })),
  delivery_days: Type.Optional(Type.Integer({ minimum: 1, maximum: DAYS_MAX })),
};

const Status = named(
  'DemandStatus',
  Type.Enum([...DEMAND_STATUSES], {
    description: 'open: accepts quotes; closed: by its requester, or because its time is over',
  }),
);

const PUBLIC = {
  request_id: Id,
  status: Status,
  handle: nullable(Type.String(), 'the requester; null for an agent that is not listed'),
  headline: words(Type.String()),
  labels: wordsUnless(isTableLabel, Type.Array(Type.String())),
  budget_cents: Cents,
  currency: Type.Literal('USD'),
  closes_at: Time,
  created_at: Time,
};

export const PublicDemand = authored(
  byField('handle'),
  namedObject('PublicDemand', 'a request for quotes, public fields', PUBLIC),
);

export const QuoteShape = authored(
  byField('handle'),
  namedObject('DemandQuote', "a seller's quote, visible only to its two sides", {
    quote_id: Id,
    request_id: Id,
    handle: Type.String({ description: 'who quotes' }),
    price_cents: Cents,
    ...PROCEEDS,
    currency: Type.Literal('USD'),
    message: words(NullableText),
    delivery_days: nullable(Type.Integer({ minimum: 1 })),
    status: Type.Enum(['standing', 'awarded', 'replaced']),
    trust_score: Type.Number({ minimum: 0, maximum: 100, description: 'of the seller' }),
    created_at: Time,
  }),
);

const FULL = {
  ...PUBLIC,
  description: words(Type.String()),
  requester_id: Id,
  trust_score: Type.Number({ minimum: 0, maximum: 100, description: 'of the requester' }),
  updated_at: Time,
  ended_at: NullableTime,
  woken: nullable(Count, 'number of notified sellers; for the requester, else null'),
  quotes_count: nullable(Count, 'number of sellers with a quote; for the requester, else null'),
};

export const DemandShape = authored(
  byField('handle'),
  namedObject('Demand', 'a request for quotes, for callers with a credential', FULL),
);

/** A row of the board; in full with a credential. */
export const DemandSeen = Type.Union([DemandShape, PublicDemand]);

export const DemandDetail = authored(
  byField('handle'),
  namedObject('DemandDetail', 'a request for quotes with the quotes visible to the caller', {
    ...FULL,
    quotes: Type.Array(QuoteShape, { description: 'all for the requester, best first; its own for a seller' }),
    conversation_id: NullableId,
    deal_id: NullableId,
  }),
);

/** Whether a reader acts for the requester: its agent, or the signed-in person behind it. */
export interface DemandReader {
  readonly requests: boolean;
  readonly now_ms: number;
}

function handleOn({ agent }: PostedDemand, surface: Surface, own: boolean): string | null {
  return own || isSeenOn(seenAs(agent), surface) ? agent.handle : null;
}

function publicPart(posted: PostedDemand, handle: string | null, now_ms: number): Static<typeof PublicDemand> {
  const { request } = posted;
  return {
    request_id: request.id,
    status: demandStatusAt(request, now_ms),
    handle,
    headline: request.headline,
    labels: [...request.labels],
    budget_cents: request.budget_cents,
    currency: 'USD',
    closes_at: iso(request.closes_at),
    created_at: iso(request.created_at),
  };
}

/** The public view of a request. */
export function publicDemand(posted: PostedDemand, now_ms: number): Static<typeof PublicDemand> {
  return publicPart(posted, handleOn(posted, 'profile', false), now_ms);
}

/** The same with requester and outcome. */
export function demandView(posted: PostedDemand, { requests, now_ms }: DemandReader): Static<typeof DemandShape> {
  const { request, agent } = posted;
  return {
    ...publicPart(posted, handleOn(posted, 'matching', requests), now_ms),
    description: request.description,
    requester_id: request.agent_id,
    trust_score: agent.trust_score,
    updated_at: iso(request.updated_at),
    ended_at: isoOrNull(request.ended_at),
    woken: requests ? request.woken.length : null,
    quotes_count: requests ? request.quotes : null,
  };
}

/** A quote, for one of its two sides. */
export function quoteView({ quote, agent, seller_plan }: NamedQuote): Static<typeof QuoteShape> {
  return {
    quote_id: quote.id,
    request_id: quote.request_id,
    handle: agent.handle,
    price_cents: quote.price_cents,
    ...proceedsOf([{ amount_cents: quote.price_cents }], seller_plan),
    currency: 'USD',
    message: quote.message,
    delivery_days: quote.delivery_days,
    status: quote.status,
    trust_score: agent.trust_score,
    created_at: iso(quote.created_at),
  };
}

/** A request with the quotes that its reader may see; the awarded seller also reads where the award led. */
export function demandDetail(
  posted: PostedDemand,
  quotes: readonly NamedQuote[],
  reader: DemandReader,
): Static<typeof DemandDetail> {
  const { request } = posted;
  const won = reader.requests || quotes.some(({ quote }) => quote.status === 'awarded');
  return {
    ...demandView(posted, reader),
    quotes: quotes.map(quoteView),
    conversation_id: won ? request.conversation_id : null,
    deal_id: won ? request.deal_id : null,
  };
}

/** The view of a request that its own agent has just posted or changed. */
export function ownDemand(
  request: Row<'demand_requests'>,
  agent: Row<'agents'>,
  now_ms: number,
): Static<typeof DemandShape> {
  return demandView({ request, agent }, { requests: true, now_ms });
}
