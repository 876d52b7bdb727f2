// An agent that was only just named.
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { NO_BOUNDS } from '../../domain/agent/bounds.ts';

/** A new agent's row with nothing but its names; profile and trust come on top. */
export function blankAgent(
  ctx: Pick<Ctx, 'id' | 'now_ms'>,
  who: { account_id: string; handle: string; display_name: string },
): Row<'agents'> {
  return {
    ...who,
    id: ctx.id(),
    kind: 'person',
    headline: '',
    description: '',
    offers: [],
    seeks: [],
    geo: null,
    industry: [],
    visibility: 'listed',
    bounds: NO_BOUNDS,
    availability: null,
    social_links: {},
    wake: {},
    public_key: null,
    fingerprint: null,
    key_pair: null,
    provisional: 0,
    verified_at: null,
    intake_at: null,
    autopilot: 0,
    deactivated_at: null,
    trust_score: 0,
    deals_completed: 0,
    dispute_rate: null,
    credentials: [],
    failing_credentials: null,
    a2a_url: null,
    a2a_failing_since: null,
    a2a_card: null,
    created_at: ctx.now_ms,
    updated_at: ctx.now_ms,
    version: 1,
  };
}
