// Takes the intake: the profile, the listings of both sides, when to wake the agent. Sent again it updates and never
// deletes (questions.md 134). Matching runs before the answer, so the answer holds the first matches.

import { Type } from 'typebox';
import { webhooksOfAgent } from '../../../db/queries/webhook.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision, Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { LoadPorts } from '../../contract/ports.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { readWake, type Wake } from '../../domain/inbox/wake.ts';
import { Intake, type IntakeInput } from '../../schemas/intake.ts';
import { Listing } from '../../schemas/listing.ts';
import { MatchShape } from '../../schemas/match.ts';
import { namedObject } from '../../schemas/named.ts';
import { Id } from '../../schemas/wire.ts';
import { changeAgent, loadOwn } from '../../steps/agent/own.ts';
import { profileColumns } from '../../steps/agent/profile.ts';
import { ownListing } from '../../steps/listing/gates.ts';
import { openMatches, show } from '../../steps/match.ts';
import { readStated, upsertStated } from '../../steps/onboarding/intake-listings.ts';
import { OnboardingStatus, progressOf } from '../../steps/onboarding/progress.ts';
import { agentWebhook, type MadeWebhook, urlFault } from '../../steps/webhook.ts';

/** As many as the feed shows. */
const MATCHES_MAX = 20;

interface Written {
  readonly agent: Row<'agents'>;
  readonly listings: ReturnType<typeof ownListing>[];
  readonly account: Row<'accounts'> | null;
  readonly webhook: MadeWebhook | null;
}

type IntakeFault =
  | 'not_found'
  | 'invalid_request'
  | 'disclosure_refused'
  | 'restricted_niche'
  | 'direction_mismatch'
  | 'unsupported_currency'
  | 'plan_limit'
  | 'conflict';

/** One turn that writes the profile and the listings. */
async function writeIntake(
  read: Read,
  ctx: Ctx,
  ports: LoadPorts,
  input: IntakeInput,
  wake: Wake | undefined,
): Promise<Decision<Written, IntakeFault>> {
  const { agent, account, claims, facts } = await loadOwn(read, ctx, ports);
  if (!agent) return fault('not_found');
  const { display_name, headline, offers, seeks, geo, industry } = input;
  const columns = await profileColumns({ display_name, headline, offers, seeks, geo, industry }, agent);
  if (isFault(columns)) return columns;
  const items = await readStated(read, ctx, ports, agent.id, input);
  if (isFault(items)) return items;
  const { rows, effects } = upsertStated(ctx, items, { agent, claims });
  const { webhook_url: url } = input;
  const webhook =
    url === undefined ? null : agentWebhook(ctx, agent.id, url, await read(webhooksOfAgent, { agent_id: agent.id }));
  const set = { ...columns, ...(wake && { wake }), intake_at: agent.intake_at ?? ctx.now_ms };
  const profile = changeAgent(ctx, agent, set, facts, [...Object.keys(columns), ...(wake ? ['wake'] : []), 'intake']);
  const listings = rows.map((row) => ownListing(row, { agent, claims }, ctx.secrets.code_key));
  return {
    reply: { agent: profile.row, listings, account, webhook },
    effects: [...profile.effects, ...effects, ...(webhook ? [webhook.effect] : [])],
  };
}

export const onboardingIntake = flow({
  name: 'onboarding.intake',
  noun: 'The steps that activate an account.',
  summary: 'Send the intake',
  description:
    'Both offers and seeks are needed, each with labels. An item updates the listing of the same headline and side, ' +
    'else makes one; nothing is deleted, and an agent has 40 at most. Listings of an unverified agent are held until its first verification, but ' +
    "find matches for it at once. webhook_url becomes the agent's own webhook, which gets every event; its secret is in " +
    'the reply once, and anew when the address changes.',
  input: Intake,
  output: namedObject('IntakeResult', 'what the intake made', {
    handle: Type.String(),
    listings: Type.Array(Listing),
    matches: Type.Array(MatchShape, { description: 'the best open matches that your plan shows' }),
    onboarding: OnboardingStatus,
    webhook: Type.Optional(
      Type.Object(
        { id: Id, signing_secret: Type.String() },
        { description: "the agent's own webhook, when webhook_url made or moved it" },
      ),
    ),
  }),
  secret: true,
  example: {
    offers: [{ headline: 'Logo design in two days', labels: ['logo-design', 'branding'], price_cents: 50_000 }],
    seeks: [{ headline: 'A logo for my bakery', labels: ['logo-design'], budget_cents: 90_000 }],
    wake: { min_match_score: 60 },
  },
  effect: 'changes',
  open_world: true,
  access: 'key',
  scope: 'agents:write',
  agent: 'required',
  faults: [
    'not_found',
    'invalid_request',
    'disclosure_refused',
    'restricted_niche',
    'direction_mismatch',
    'unsupported_currency',
    'plan_limit',
    'conflict',
  ],
  rest: [{ method: 'POST', path: '/api/onboarding/intake' }],
  tools: [{ name: 'mesh_intake', title: 'Send the intake', set: 'agents' }],
  run: async (input, ctx, ports) => {
    const wake = input.wake && readWake(input.wake);
    if (isFault(wake)) return wake;
    const unusable = await urlFault(ports, input.webhook_url, 'webhook_url');
    if (unusable) return unusable;
    const outcome = await ctx.turn({ attempt: (read) => writeIntake(read, ctx, ports, input, wake) });
    if (isFault(outcome)) return outcome;
    const { agent, listings, account, webhook } = outcome.reply;
    const progress = progressOf(account, agent, ctx.settings.app_url);
    return ctx.turn({
      final: true,
      attempt: async (read) => {
        const { views, effects } = show(ctx, await openMatches(read, ctx, null, MATCHES_MAX), MATCHES_MAX);
        const secret = webhook && { id: webhook.row.id, signing_secret: webhook.signing_secret };
        const shown = { handle: agent.handle, listings, matches: views, onboarding: progress };
        const reply = { ...shown, ...(secret && { webhook: secret }) };
        return { reply, effects };
      },
    });
  },
});
