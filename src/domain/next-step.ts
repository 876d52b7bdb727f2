// Next steps in replies: an operation by name with the known input, never an address. Each transport renders it as its own
// call: a route or a tool. The names are listed, and the registry refuses unknown ones at start.

/** Every operation that a text or action refers to. */
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
  'dispute.propose',
  'dispute.read',
  'dispute.reject',
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
  /** The known input. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** The fields that the caller fills in. */
  readonly fill?: readonly string[];
  /** The text mentions that the call needs a session. */
  readonly credential?: true;
}

/** A text with calls. It is plain data, so that it can be stored for a repeated request as any other value. */
export type Guidance = string | readonly (string | NextStep)[];

/** A text that differs by transport: for HTTP, with headers and statuses, and for tools. */
export interface DoorWord {
  readonly http: string;
  readonly tools: string;
}

/** The cursor of the next page. */
export const NEXT_CURSOR: DoorWord = { http: 'X-Next-Cursor', tools: '`next_cursor`' };

/** The cursor of the previous page. */
export const PAGE_BEFORE: DoorWord = {
  http: 'X-Next-Cursor of the previous page',
  tools: '`next_cursor` of the previous page',
};

/** Where the acting agent is named. */
export const ACTING: DoorWord = { http: 'X-Agent-Handle', tools: 'the header X-Agent-Handle of the connection' };

/** A separate operation. */
export const CALL: DoorWord = { http: 'route', tools: 'tool' };

/** Success. */
export const DONE: DoorWord = { http: '200 with ', tools: '' };

/** Not found, or no longer available. */
export const ABSENT: DoorWord = { http: '404', tools: '`not_found`' };
export const GONE: DoorWord = { http: '410', tools: '`gone`' };

/** The description of an operation: text with calls, and texts by transport. */
export type Description = string | readonly (string | NextStep | DoorWord)[];

/** Writes a description: describe`It is in ${NEXT_CURSOR}; ${step('agent.restore')} takes it back.` */
export function describe(texts: readonly string[], ...parts: readonly (NextStep | DoorWord)[]): Description {
  return texts.flatMap((text, at) => {
    const next = parts[at];
    return [...(text === '' ? [] : [text]), ...(next ? [next] : [])];
  });
}

/** How a transport renders a call. */
export interface StepForm {
  /** The variant of texts that it uses. */
  readonly door: keyof DoorWord;
  /** The address of the web app; absent where readers are not sent to it. */
  readonly app_url?: string;
  /** Within a sentence. */
  text(step: NextStep): string;
  /** As fields of an object, in place of `operation` and `input`. */
  fields(step: NextStep): Readonly<Record<string, unknown>>;
}

/** The default form: calls by their HTTP addresses. */
export interface Addresses extends StepForm {
  /** The path with the known input filled in, for links. */
  path(step: NextStep): string;
}

/** A step with fields for the caller to fill in. */
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

/** A guidance with a prefix. */
export function prefixed(words: string, guidance: Guidance): Guidance {
  return typeof guidance === 'string' ? words + guidance : [words, ...guidance];
}
