// Looks at a listing's gates again and publishes it when nothing holds it any more (interface.md "States").
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { fault } from '../../domain/fault.ts';
import { LISTING_STATUSES, statusAfterVerify } from '../../domain/listing-state.ts';
import { command } from '../operation.ts';
import { PathId } from '../schemas/wire.ts';
import { factsOf, gateReport, gateStatus } from './gates.ts';
import { owned } from './owned.ts';
import { embed, follow } from './place.ts';
import { queueEffects, reviewing } from './review.ts';
import { CompletenessShape, GATE_FIELDS } from './view.ts';

export const listingVerify = command({
  name: 'listing.verify',
  summary: "Check a listing's gates",
  description: 'Publishes a held listing when its gates pass and it is complete. Says how to pass each other check.',
  input: Type.Object({ cardId: PathId }),
  output: Type.Object({
    ...GATE_FIELDS,
    id: Type.String(),
    status: Type.Enum([...LISTING_STATUSES]),
    completeness: CompletenessShape,
  }),
  access: 'key',
  scope: 'listings:write',
  agent: 'required',
  faults: ['not_found'],
  rest: [{ method: 'POST', path: '/api/agents/{handle}/cards/{cardId}/verify', acting: 'handle' }],
  tool: 'mesh_verify_link',
  load: async (read, { cardId }, ctx) => {
    const found = await owned(read, ctx, cardId);
    if (!found) return null;
    const [[embedding], doubts] = await Promise.all([embed(ctx, [found.row]), reviewing(read, found.row, found.row)]);
    return { ...found, embedding, doubts };
  },
  decide: (found, _input, ctx) => {
    if (!found) return fault('not_found');
    const { row, owner, embedding, doubts } = found;
    const facts = factsOf(row, owner, doubts);
    const gates_passed = facts.gates_passed && owner.agent.verified_at !== null;
    const status = statusAfterVerify(row.status, { ...facts, gates_passed });
    const set = { status, updated_at: ctx.now_ms };
    const after = { ...row, ...set };
    const report = gateReport(after, owner, ctx.world.code_key, doubts.review ?? undefined);
    const reply = {
      id: row.id,
      status,
      gate_status: gateStatus(report),
      gate_report: report,
      verified_attributes: {},
      completeness: { ...facts.completeness, missing: [...facts.completeness.missing] },
    };
    if (status === row.status) return { reply };
    const queued = queueEffects(ctx, after, doubts);
    return { reply, effects: [patch('listings', row, set), ...queued, ...follow(ctx, row, after, embedding)] };
  },
});
