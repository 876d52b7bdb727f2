// What a caller is told to call next: an operation by its name, with the input that is known, and never an address. Each
// door puts its own call there: a route, a tool. The names are listed, and the registry refuses at start one that no
// operation has.

/** Every operation that some text or action sends a caller to. */
export const NEXT_OPERATIONS = [
  'agent.card',
  'agent.create',
  'agent.feed',
  'agent.protocol_card',
  'agent.public',
  'agent.registry',
  'agent.track_record',
  'conversation.read',
  'handle.check',
  'inbox.respond',
  'inbox.view',
  'keypair.register',
  'listing.read',
  'listing.taxonomy',
  'match.feedback',
  'message.send',
  'onboarding.intake',
  'onboarding.questions',
  'onboarding.status',
  'phone.send',
  'phone.verify',
  'session.start',
  'signup.start',
  'signup.verify',
  'webhook.enable',
  'webhook.logs',
] as const;

export type NextOperation = (typeof NEXT_OPERATIONS)[number];

/** A call to make next. */
export interface NextStep {
  readonly operation: NextOperation;
  /** The input that is known already. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** The fields that the caller fills in. */
  readonly fill?: readonly string[];
  /** Said in so many words where the call takes a session. */
  readonly credential?: true;
}

/** A text with calls in it. Plain data, so that it is kept for a repeated request as any other value. */
export type Guidance = string | readonly (string | NextStep)[];

/** How a door tells of a call. */
export interface StepForm {
  /** Within a sentence. */
  text(step: NextStep): string;
  /** As fields of an object, in the place of `operation` and `input`. */
  fields(step: NextStep): Readonly<Record<string, unknown>>;
}

/** The form of whoever is told by no door of another kind: calls by their HTTP addresses. */
export interface Addresses extends StepForm {
  /** The path with what is known put in, for links that only HTTP knows. */
  path(step: NextStep): string;
}

/** A step whose caller fills in the named fields. */
export function step(operation: NextOperation, ...fill: readonly string[]): NextStep {
  return fill.length > 0 ? { operation, fill } : { operation };
}

/** Writes a guidance: guide`First ${step('signup.start', 'email')}, then wait.` */
export function guide(texts: readonly string[], ...steps: readonly NextStep[]): Guidance {
  return texts.flatMap((text, at) => {
    const next = steps[at];
    return [...(text === '' ? [] : [text]), ...(next ? [next] : [])];
  });
}

/** A guidance behind a few words. */
export function prefixed(words: string, guidance: Guidance): Guidance {
  return typeof guidance === 'string' ? words + guidance : [words, ...guidance];
}
