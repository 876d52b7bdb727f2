// An agent's progress towards an activated account, for the status and the intake's answer.
import { type Static, Type } from 'typebox';
import type { Row } from '../../../db/schema/tables.ts';
import { onboarding, STEPS } from '../../domain/agent/onboarding.ts';
import { named, namedObject } from '../../schemas/named.ts';
import { guidanceShape } from '../../schemas/next-step.ts';
import { nullable } from '../../schemas/wire.ts';

const StepId = named('OnboardingStepId', Type.Enum(STEPS));

export const OnboardingStatus = namedObject('OnboardingStatus', 'the onboarding status of an account', {
  steps: Type.Array(
    namedObject('OnboardingStep', 'one step of onboarding', {
      id: StepId,
      label: Type.String(),
      required: Type.Boolean(),
      done: Type.Boolean(),
      how: guidanceShape({ description: 'the exact calls for it' }),
      url: Type.String({ description: 'the page on which the human can do it' }),
    }),
  ),
  next_step: nullable(StepId, 'the first step not done'),
  activated: Type.Boolean({ description: 'all four are done' }),
});

/** The status of an account and its agent, if it has one. */
export function progressOf(
  account: Pick<Row<'accounts'>, 'email'> | null,
  agent: Pick<Row<'agents'>, 'intake_at' | 'verified_at'> | null,
  app_url: string,
): Static<typeof OnboardingStatus> {
  const { steps, next_step, activated } = onboarding(
    {
      email: account !== null && account.email !== null,
      handle: agent !== null,
      intake: agent !== null && agent.intake_at !== null,
      verification: agent !== null && agent.verified_at !== null,
    },
    app_url,
  );
  return { steps: steps.map((step) => ({ ...step })), next_step, activated };
}
