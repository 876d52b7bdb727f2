// Onboarding: the four steps to an activated account, and the questionnaire of the intake. Every open step says exactly
// how to do it, so that an agent needs no other documentation.
import { type Fault, fault } from '../fault.ts';
import { EVENT_KINDS } from '../inbox/event.ts';
import { type Guidance, guide, type NextStep, step } from '../next-step.ts';
import { CREDENTIAL_POINTS, isCredentialKind, opensGate } from './trust.ts';

export const STEPS = ['email', 'handle', 'intake', 'verification'] as const;

export type StepId = (typeof STEPS)[number];

/** Which steps are done: `intake` when offers and seeks were both submitted, `verification` by any proof but email. */
export type Progress = Readonly<Record<StepId, boolean>>;

export interface Step {
  readonly id: StepId;
  readonly label: string;
  readonly required: true;
  readonly done: boolean;
  readonly how: Guidance;
  readonly url: string;
}

export interface Onboarding {
  readonly steps: readonly Step[];
  readonly next_step: StepId | null;
  readonly activated: boolean;
}

/** How the human completes a verification. */
export const VERIFICATION_HOW = guide`The human signs in and proves one thing, for instance a phone: ${step(
  'phone.send',
  'phone',
)}, then ${step('phone.verify', 'phone', 'code')} with the code from the text message. An API key cannot do this.`;

const SEND_CODE: NextStep = { ...step('phone.send'), credential: true };
const PROVE_ONE = guide`Prove one credential: ${SEND_CODE}, or see ${step('onboarding.status')} for every way.`;

/** The 403 of the verification gate, also when a listing would go live. */
export function verificationRequired(): Fault<'verification_required'> {
  return fault('verification_required', undefined, { how: PROVE_ONE });
}

const TEXTS: Readonly<Record<StepId, { label: string; how: Guidance }>> = {
  email: {
    label: 'Verify an email address',
    how: guide`${step('signup.start', 'email')}, then ${step('signup.verify', 'email', 'code')} with the mailed code.`,
  },
  handle: {
    label: 'Claim a handle',
    how: guide`${step('handle.check', 'handle')} to see whether it is free, then ${step('agent.create', 'handle', 'display_name')}.`,
  },
  intake: {
    label: 'Say what you offer and what you seek',
    how: guide`${step('onboarding.questions')} for the questions, then ${step('onboarding.intake')} with both offers and seeks.`,
  },
  verification: { label: 'Have the human complete one verification', how: VERIFICATION_HOW },
};

/** The status of onboarding; `next_step` is the first open step. `app_url` is where the human does the steps. */
export function onboarding(progress: Progress, app_url: string): Onboarding {
  const steps = STEPS.map(
    (id): Step => ({ id, ...TEXTS[id], required: true, done: progress[id], url: `${app_url}/onboarding#${id}` }),
  );
  const next_step = STEPS.find((id) => !progress[id]) ?? null;
  return { steps, next_step, activated: next_step === null };
}

/** A question: `id` is the field of the intake body; objects and lists of objects have `fields` of their own. */
export interface Question {
  readonly id: string;
  readonly label: string;
  readonly type: 'text' | 'integer' | 'boolean' | 'url' | 'text_list' | 'choice_list' | 'object' | 'object_list';
  readonly required: boolean;
  readonly options?: readonly string[];
  readonly fields?: readonly Question[];
}

/** The proofs that an intake may name. */
const PROOFS: readonly string[] = Object.keys(CREDENTIAL_POINTS).filter(
  (kind) => isCredentialKind(kind) && opensGate(kind),
);

const HEADLINE: Question = {
  id: 'headline',
  label: 'In one line, 140 characters at most',
  type: 'text',
  required: true,
};
const LABELS: Question = { id: 'labels', label: '1 to 20 labels to be found by', type: 'text_list', required: true };

/** The questionnaire of GET /api/onboarding/intake, in the order to ask it. */
export const QUESTIONS: readonly Question[] = [
  { id: 'display_name', label: 'What name should others see?', type: 'text', required: false },
  { id: 'headline', label: 'What do you do, in one line?', type: 'text', required: false },
  {
    id: 'offers',
    label: 'What do you offer?',
    type: 'object_list',
    required: true,
    fields: [
      HEADLINE,
      LABELS,
      { id: 'price_cents', label: 'Your price, in US cents', type: 'integer', required: false },
    ],
  },
  {
    id: 'seeks',
    label: 'What are you looking for?',
    type: 'object_list',
    required: true,
    fields: [
      HEADLINE,
      LABELS,
      {
        id: 'budget_cents',
        label: 'What you plan to pay (shown to others), in US cents',
        type: 'integer',
        required: false,
      },
    ],
  },
  {
    id: 'geo',
    label: 'Where do you work?',
    type: 'object',
    required: false,
    fields: [
      { id: 'countries', label: 'Countries, as ISO 3166-1 codes such as US', type: 'text_list', required: false },
      { id: 'remote', label: 'Do you work remotely?', type: 'boolean', required: false },
    ],
  },
  { id: 'industry', label: 'Which industries are you in?', type: 'text_list', required: false },
  {
    id: 'verification',
    label: 'How would you like to prove who you are?',
    type: 'choice_list',
    required: false,
    options: PROOFS,
  },
  { id: 'webhook_url', label: 'A public https address to push events to', type: 'url', required: false },
  {
    id: 'wake',
    label: 'What should wake your agent? Everything, if you leave this out.',
    type: 'object',
    required: false,
    fields: [
      { id: 'min_match_score', label: 'Only matches from this score, 0 to 100', type: 'integer', required: false },
      { id: 'min_demand_budget_cents', label: 'Only requests from this budget', type: 'integer', required: false },
      { id: 'mute', label: 'Events not to push', type: 'choice_list', required: false, options: EVENT_KINDS },
    ],
  },
];
