// Changes the given fields of a listing. An edit can hide it (without a price it becomes a draft), but only `active: true`
// publishes it. Every change is matched again before the answer.
import { patch } from '../../../db/effects.ts';
import { command } from '../../contract/operation.ts';
import { verificationRequired } from '../../domain/agent/onboarding.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { statusAfterPatch } from '../../domain/listing/state.ts';
import { Listing } from '../../schemas/listing.ts';
import { LISTING_INPUT } from '../../schemas/listing-input.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { contentOf, saysContent } from '../../steps/listing/content.ts';
import { followChange } from '../../steps/listing/derived.ts';
import { readReviewing } from '../../steps/listing/find.ts';
import { factsOf, ownListing, readOwned } from '../../steps/listing/gates.ts';
import { measuredColumns } from '../../steps/listing/measure.ts';
import { nicheFault, queueEffects, saysSame, UNDOUBTED } from '../../steps/listing/review.ts';
import { embed } from '../../steps/listing/vectors.ts';

export const listingUpdate = command({
  name: 'listing.update',
  summary: 'Change a listing',
  description:
    'Changes only the given fields; labels replaces the whole set, given parts of conditions and given keys of ' +
    'fields replace theirs, null clears. active: false pauses; active: true publishes a complete ' +
    'listing of a verified agent. A live listing made incomplete becomes a draft; text that may ' +
    'describe a restricted trade holds it for review.',
  input: namedObject('ListingInput', 'the fields of a listing; without the fields needed to go live it is a draft', {
    cardId: PathId,
    ...LISTING_INPUT,
  }),
  output: Listing,
  example: { cardId: SAMPLE.listing_id, headline: 'Logo design in a day' },
  effect: 'changes',
  access: 'key',
  scope: 'listings:write',
  agent: 'required',
  faults: [
    'not_found',
    'invalid_request',
    'direction_mismatch',
    'disclosure_refused',
    'restricted_niche',
    'unsupported_currency',
    'listing_incomplete',
    'pending',
    'verification_required',
  ],
  rest: [{ method: 'PATCH', path: '/api/agents/{handle}/cards/{cardId}', acting: 'handle' }],
  tools: [
    { name: 'mesh_update_listing', title: 'Change a listing', set: 'listings' },
    {
      name: 'mesh_pause_listing',
      title: 'Pause a listing',
      set: 'listings',
      description: 'Hides a listing and excludes it from matching until mesh_update_listing sets active to true.',
      fixed: { active: false },
      takes: ['cardId'],
    },
  ],
  load: async (read, { cardId, ...given }, ctx, ports) => {
    const found = await readOwned(read, ctx, cardId);
    if (!found) return null;
    const content = await contentOf(given, found.row, ctx.id);
    if (isFault(content)) return { ...found, content, embedding: undefined, doubts: UNDOUBTED };
    const [[embedding], doubts] = await Promise.all([
      embed(read, ports, [{ content, before: found.row }]),
      readReviewing(read, content, found.row, found.owner.agent.handle),
    ]);
    return { ...found, content, embedding, doubts };
  },
  decide: (state, { active }, ctx) => {
    if (!state) return fault('not_found');
    const { row, owner, content, embedding, doubts } = state;
    if (isFault(content)) return content;
    const published = active === true || (active === undefined && !saysSame(content, row));
    const restricted = doubts.told ?? (published ? nicheFault(doubts) : null);
    if (restricted) return restricted;
    const facts = factsOf(content, owner, doubts);
    // A held listing with corrected text gets the state that it would have got at creation, without a 403 for an edit.
    const held = row.status === 'pending_review' && owner.agent.verified_at === null;
    const next = statusAfterPatch(row.status, active, held ? { ...facts, gates_passed: false } : facts);
    if (isFault(next)) return next;
    const { status } = next;
    if (status === 'live' && row.status !== 'live' && owner.agent.verified_at === null) return verificationRequired();
    const secret = ctx.secrets.code_key;
    if (status === row.status && saysContent(content, row)) return { reply: ownListing(row, owner, secret) };
    const set = { ...content, ...measuredColumns(row, content), status, updated_at: ctx.now_ms };
    const after = { ...row, ...set };
    return {
      reply: ownListing(after, owner, secret),
      effects: [
        patch('listings', row, set),
        ...queueEffects(ctx, after, doubts),
        ...followChange(ctx, row, after, embedding),
      ],
    };
  },
});
