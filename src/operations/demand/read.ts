// One request of the demand board, open or closed, with quotes: the requester sees all of them, best first; a seller its own.
import { Type } from 'typebox';
import { postedDemand, quotesOfDemand, standingQuote, type WeighedQuote } from '../../../db/queries/demand.ts';
import { query } from '../../contract/operation.ts';
import { medianSeconds } from '../../domain/agent/presence.ts';
import { fault } from '../../domain/fault.ts';
import { ranked } from '../../domain/negotiation/compare.ts';
import { DemandDetail, demandDetail, PublicDemand, publicDemand } from '../../schemas/demand.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { readerOf, seesWhole } from '../../steps/demand/board.ts';

/** The lowest quotes are shown. */
const QUOTES_SHOWN = 100;

/** Best first, as proposals are that a buyer compares. */
function bestFirst(quotes: readonly WeighedQuote[]): WeighedQuote[] {
  const offered = quotes.map((each) => ({
    each,
    amount_cents: each.quote.price_cents,
    issues: [],
    created_at: each.quote.created_at,
    trust_score: each.agent.trust_score,
    answers_in_seconds: medianSeconds(each.samples ?? []),
  }));
  return ranked('buyer', offered).map(({ each }) => each);
}

export const demandRead = query({
  name: 'demand.read',
  summary: 'Read a request for quotes',
  description: `The public fields without a credential. With one all fields, with quotes: the requester gets the lowest ${QUOTES_SHOWN} current quotes, best first by price, trust and answer time; a seller its own; the seller whose quote was awarded also gets the conversation and the deal.`,
  input: Type.Object({ request_id: PathId }),
  output: Type.Union([DemandDetail, PublicDemand]),
  example: { request_id: SAMPLE.request_id },
  access: 'public',
  agent: 'optional',
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/demand/{request_id}' }],
  tools: [
    {
      name: 'mesh_browse_demand',
      title: 'Browse the demand board',
      set: 'market',
      description: 'With request_id: that request with the quotes that you may see. Without: open requests.',
      when: { argument: 'request_id', given: true },
    },
  ],
  run: async (read, { request_id }, ctx) => {
    const posted = await read(postedDemand, { id: request_id });
    if (!posted) return fault('not_found');
    if (!seesWhole(ctx)) return publicDemand(posted, ctx.now_ms);
    const reader = readerOf(posted, ctx);
    if (reader.requests) {
      return demandDetail(posted, bestFirst(await read(quotesOfDemand, { request_id, limit: QUOTES_SHOWN })), reader);
    }
    const { agent, principal } = ctx;
    const quote = agent && (await read(standingQuote, { request_id, agent_id: agent.id }));
    return demandDetail(posted, quote && agent ? [{ quote, agent, seller_plan: principal.plan }] : [], reader);
  },
});
