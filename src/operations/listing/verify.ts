// Checks a listing's gates again and publishes it when none is closed (interface.md "States"). For an offer that names a
// site it queries the DNS first: a published record proves the domain for the agent, as
// `POST /api/trust/domain/verify` does, and the site is measured before the answer if it answers in time.
import { type Static, Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision, Read } from '../../../db/store.ts';
import type { Ctx, FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { FlowPorts, LoadPorts } from '../../contract/ports.ts';
import { type Fault, fault, isFault } from '../../domain/fault.ts';
import { completenessOf } from '../../domain/listing/listing.ts';
import { statusAfterVerify } from '../../domain/listing/state.ts';
import { domainToProve } from '../../domain/listing/taxonomy.ts';
import { readDomain } from '../../outbound/domain-name.ts';
import { CompletenessShape, GATE_FIELDS, verifiedAttributes } from '../../schemas/listing.ts';
import { ListingStatus } from '../../schemas/listing-input.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { loadOwn } from '../../steps/agent/load.ts';
import { claimDomain } from '../../steps/claim.ts';
import { followChange } from '../../steps/listing/derived.ts';
import { readReviewing } from '../../steps/listing/find.ts';
import { factsOf, gateReport, gateStatus, isProven, type Owned, readOwned } from '../../steps/listing/gates.ts';
import { measureAt, measuredSite, measureTask } from '../../steps/listing/measure.ts';
import { queueEffects } from '../../steps/listing/review.ts';
import { embed, unchangedWords } from '../../steps/listing/vectors.ts';
import { domainRecord, recordStandingInTime } from '../../steps/outside.ts';

/** A measurement is not repeated for so long. */
const FRESH_MS = 10 * 60_000;
/** How long the answer waits for the site, in real time. */
const MEASURE_MS = 8_000;

const Output = namedObject('ListingVerification', 'the passed gates of a listing', {
  ...GATE_FIELDS,
  id: Type.String(),
  status: ListingStatus,
  completeness: CompletenessShape,
});

/** Queries the DNS for a listing's site: the domain if its record is published, else the reason. */
async function lookUp(
  ctx: Ctx,
  ports: Pick<FlowPorts, 'dns' | 'tasks'>,
  { row, owner }: Owned,
): Promise<{ proves: string | null; note?: string }> {
  const domain = domainToProve(row);
  if (domain === null || isProven(domain, owner) || typeof readDomain(domain) === 'string') return { proves: null };
  const record = domainRecord(ctx.secrets.code_key, owner.agent.id, domain);
  const standing = await recordStandingInTime(ports, domain, record);
  return standing.is === 'standing' ? { proves: domain } : { proves: null, note: standing.note };
}

/** Whether this call measures the site of the live listing. */
function wantsMeasure(row: Row<'listings'>, now_ms: number): boolean {
  return measuredSite(row) !== null && (row.measured_at === null || now_ms - row.measured_at >= FRESH_MS);
}

/** The turn that claims the domain if its record is published, and publishes the listing if its gates are open. */
async function publish(
  read: Read,
  ctx: Ctx,
  ports: LoadPorts,
  cardId: string,
  proves: string | null,
): Promise<Decision<{ measuring: boolean }, 'not_found' | 'credential_in_use'>> {
  const [found, own] = await Promise.all([readOwned(read, ctx, cardId), loadOwn(read, ctx, ports)]);
  if (!found || !own.agent) return fault('not_found');
  const { row } = found;
  const claim = proves !== null && domainToProve(row) === proves ? claimDomain(ctx, own.agent, own, proves) : null;
  const owner = claim ? { agent: claim.row, claims: claim.claims } : found.owner;
  const [[embedding], doubts] = await Promise.all([
    embed(read, ports, unchangedWords([row])),
    readReviewing(read, row, row, found.owner.agent.handle),
  ]);
  const facts = factsOf(row, owner, doubts);
  const gates_passed = facts.gates_passed && owner.agent.verified_at !== null;
  const status = statusAfterVerify(row.status, { ...facts, gates_passed });
  const proof = claim?.effects ?? [];
  if (status === row.status) {
    const measuring = wantsMeasure(row, ctx.now_ms);
    return { reply: { measuring }, effects: measuring ? [...proof, measureAt(row.id, ctx.now_ms, ctx.now_ms)] : proof };
  }
  const set = { status, updated_at: ctx.now_ms };
  const after = { ...row, ...set };
  const moved = [
    patch('listings', row, set),
    ...queueEffects(ctx, after, doubts),
    ...followChange(ctx, row, after, embedding),
  ];
  return { reply: { measuring: measuredSite(after) !== null }, effects: [...proof, ...moved] };
}

/** The current gates of the listing; `note` is the result of the DNS query. */
async function gatesDecision(
  read: Read,
  ctx: Ctx,
  cardId: string,
  note: string | undefined,
): Promise<Decision<Static<typeof Output>, 'not_found'>> {
  const found = await readOwned(read, ctx, cardId);
  if (!found) return fault('not_found');
  const { row, owner } = found;
  const { review } = await readReviewing(read, row, row, owner.agent.handle);
  const gate_report = gateReport(row, owner, ctx.secrets.code_key, review ?? undefined, note);
  const { complete, missing } = completenessOf(row);
  const reply = {
    id: row.id,
    status: row.status,
    gate_status: gateStatus(gate_report),
    gate_report,
    verified_attributes: verifiedAttributes(row),
    completeness: { complete, missing: [...missing] },
  };
  return { reply };
}

/** Publishes; if the domain backs another agent, the listing stays as it is and the report says so. */
async function publishProven(
  ctx: FlowCtx,
  ports: LoadPorts,
  cardId: string,
  proves: string | null,
): Promise<{ measuring: boolean; note?: string } | Fault> {
  const outcome = await ctx.turn({ attempt: (read) => publish(read, ctx, ports, cardId, proves) });
  if (!isFault(outcome)) return outcome.reply;
  if (outcome.fault !== 'credential_in_use') return outcome;
  return {
    measuring: false,
    note: 'The record is there, but the domain backs another agent until that agent removes its record.',
  };
}

export const listingVerify = flow({
  name: 'listing.verify',
  summary: "Check a listing's gates",
  description:
    'Publishes a held listing if its gates pass and it is complete. Tells how to pass each failed check. For an offer ' +
    'of links it looks up the DNS record and measures the site.',
  input: Type.Object({ cardId: PathId }),
  output: Output,
  example: { cardId: SAMPLE.listing_id },
  effect: 'changes',
  open_world: true,
  access: 'key',
  scope: 'listings:write',
  agent: 'required',
  faults: ['not_found', 'conflict'],
  rest: [{ method: 'POST', path: '/api/agents/{handle}/cards/{cardId}/verify', acting: 'handle' }],
  tools: [{ name: 'mesh_verify_listing', title: "Check a listing's gates", set: 'listings', extension: true }],
  run: async ({ cardId }, ctx, ports) => {
    const found = await readOwned(ctx.read, ctx, cardId);
    if (!found) return fault('not_found');
    const { proves, note } = await lookUp(ctx, ports, found);
    const done = await publishProven(ctx, ports, cardId, proves);
    if (isFault(done)) return done;
    if (done.measuring) await ports.tasks.over(measureTask(cardId), MEASURE_MS);
    return ctx.turn({ final: true, attempt: (read) => gatesDecision(read, ctx, cardId, done.note ?? note) });
  },
});
