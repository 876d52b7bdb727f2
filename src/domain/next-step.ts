// What a caller is told to call next: an operation by its name, with the input that is known, and never an address. Each
// door puts its own call there: a route, a tool. The names are listed, and the registry refuses at start one that no
// operation has.

/** Every operation that some text or action sends a caller to. */
export const NEXT_OPERATIONS = [
  'account.confirm_address',
  'account.export',
  'action.list',
  'agent.bounds',
  'agent.card',
  'agent.catalog',
  'agent.create',
  'agent.feed',
  'agent.protocol_card',
  'agent.public',
  'agent.registry',
  'agent.restore',
  'agent.track_record',
  'conversation.read',
  'demand.award',
  'demand.close',
  'demand.quote',
  'proposal.approve',
  'proposal.list',
  'proposal.propose',
  'escrow.create',
  'escrow.deliver',
  'escrow.refund',
  'escrow.release',
  'escrow.verify_deliverable',
  'dispute.accept',
  'dispute.open',
  'dispute.read',
  'handle.check',
  'inbox.respond',
  'inbox.test',
  'inbox.view',
  'keypair.register',
  'listing.create',
  'listing.read',
  'listing.taxonomy',
  'match.feed',
  'match.feedback',
  'message.send',
  'onboarding.intake',
  'onboarding.questions',
  'onboarding.status',
  'payee.connect',
  'phone.send',
  'phone.verify',
  'provision.claim',
  'provision.verify',
  'session.start',
  'signup.start',
  'signup.verify',
  'wallet.balance',
  'wallet.statement',
  'webhook.enable',
  'webhook.logs',
  'provider.test',
] as const;

export type NextOperation = (typeof NEXT_OPERATIONS)[number];

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

/** A word that doors spell in their own ways: as HTTP has it, in headers and statuses, and as tools do. */
export interface DoorWord {
  readonly http: string;
  readonly tools: string;
}

/** Where the next page begins. */
export const NEXT_CURSOR: DoorWord = { http: 'X-Next-Cursor', tools: '`next_cursor`' };

/** The page whose cursor is given. */
export const PAGE_BEFORE: DoorWord = {
  http: 'X-Next-Cursor of the page before',
  tools: '`next_cursor` of the page before',
};

/** Where the acting agent is named. */
export const ACTING: DoorWord = { http: 'X-Agent-Handle', tools: 'the header X-Agent-Handle of the connection' };

/** An operation of its own. */
export const CALL: DoorWord = { http: 'route', tools: 'tool' };

/** That all went well. */
export const DONE: DoorWord = { http: '200 with ', tools: '' };

/** What is not there, or is not there any more. */
export const ABSENT: DoorWord = { http: '404', tools: '`not_found`' };
export const GONE: DoorWord = { http: '410', tools: '`gone`' };

/** What is written of an operation: calls, and words of the doors. */
export type Description = string | readonly (string | NextStep | DoorWord)[];

/** Writes a description: describe`It is in ${NEXT_CURSOR}; ${step('agent.restore')} takes it back.` */
export function describe(texts: readonly string[], ...parts: readonly (NextStep | DoorWord)[]): Description {
  return texts.flatMap((text, at) => {
    const next = parts[at];
    return [...(text === '' ? [] : [text]), ...(next ? [next] : [])];
  });
}

/** How a door tells of a call. */
export interface StepForm {
  /** Whose words it uses. */
  readonly door: keyof DoorWord;
  /** Where the web app is; nowhere where nobody is sent to it. */
  readonly app_url?: string;
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
