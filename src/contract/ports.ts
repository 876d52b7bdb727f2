// What an operation can reach beside the store, by kind: read-only facts (`LoadPorts`, `QueryPorts`), inboxes as they grow
// (`StreamPorts`), the outside world (`FlowPorts`).
import type { BackgroundTasks } from '../../actors/background-tasks.ts';
import type { Clock } from '../../actors/clock.ts';
import type { ClockWatch } from '../../actors/clock-watch.ts';
import type { PresenceFacts, PresenceRow } from '../../actors/presence-store.ts';
import type { RequestLog } from '../../actors/request-log.ts';
import type { RestoreWatch } from '../../actors/restore-watch.ts';
import type { Replay, StreamReader } from '../../actors/stream.ts';
import type { Views } from '../../actors/views.ts';
import type { FileChecked } from '../../db/check-thread.ts';
import type { LedgerChecked } from '../../db/ledger-check/problems.ts';
import type { Ready } from '../../db/readiness.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Told } from '../../db/schema/told.ts';
import type { Outcome, Read } from '../../db/store.ts';
import type { PreparedManual } from '../domain/concierge/search.ts';
import type { Seller } from '../domain/demand/demand.ts';
import type { DemoSide } from '../domain/demo.ts';
import type { Fault } from '../domain/fault.ts';
import type { Finding } from '../domain/finding.ts';
import type { AccountHostName } from '../domain/identity/account-host.ts';
import type { Attempt } from '../domain/inbox/webhook.ts';
import type { TemplateShares } from '../domain/listing/template-words.ts';
import type { MatchAsked, Matched } from '../domain/match/asked.ts';
import type { Explained } from '../domain/match/missing.ts';
import type { Reason } from '../domain/match/reason.ts';
import type { StepForm } from '../domain/next-step.ts';
import type { RemoteSpeech } from '../domain/task/remote.ts';
import type { RecentError } from '../log.ts';
import type { AccountHost, AccountHosts } from '../outbound/account-host/account-host.ts';
import type { OidcClient } from '../outbound/account-host/oidc-client.ts';
import type { ChainRail } from '../outbound/chain/chain.ts';
import type { Dns } from '../outbound/dns.ts';
import type { Embedder } from '../outbound/embedder/embedder.ts';
import type { Mailer } from '../outbound/mailer/mail.ts';
import type { ModelPort } from '../outbound/negotiator/negotiator.ts';
import type { OutboxReader } from '../outbound/outbox.ts';
import type { Processor } from '../outbound/processor/processor.ts';
import type { MailReader } from '../outbound/reading/mail-reader.ts';
import type { SafeHttp } from '../outbound/safe-http/safe-http.ts';
import type { SessionIssuer } from '../outbound/session/issuer.ts';
import type { CardSigner, DocumentSigner } from '../outbound/signature.ts';
import type { Tracer } from '../outbound/traces.ts';
import type { WebPush } from '../outbound/web-push.ts';
import type { Ctx, FlowCtx, Settings } from './context.ts';
import type { Page } from './reply.ts';

/** A page of an inbox with events that are already rendered. */
export interface EventPage {
  readonly events: readonly { readonly seq: number; readonly message_id: string | null }[];
  /** The JSON of the whole answer: the events, then the fields of `rest`, the JSON of an object. */
  json(rest: string, isRead: (seq: number) => boolean, form: StepForm, waiting: ReadonlySet<string>): string;
  /** The same where all events are already read. */
  read(rest: string, form: StepForm, waiting: ReadonlySet<string>): string;
}

/** The state after a restore from a backup: the epoch of the database, its start, and the work held back. */
export type Epoch = Pick<RestoreWatch, 'epoch' | 'restored_at' | 'state' | 'held_before'>;

/** What `load` may read beside rows: facts in memory, which it cannot change. */
export interface LoadPorts {
  /** When an agent was last seen, how fast it answers, whether it is connected. */
  presence(agent_id: string): Promise<PresenceFacts>;
  /** The same from the row that the caller has just read; null without a row. */
  presenceWith(agent_id: string, row: PresenceRow | null): PresenceFacts;
  /** Whether an agent has an active webhook whose last delivery did not fail. */
  hasWorkingHook(agent_id: string): Promise<boolean>;
  /** Rendered inboxes; `head` is the last seq. */
  readonly events: {
    after(agent_id: string, after: number, limit: number): Promise<{ page: EventPage; head: number }>;
  };
  readonly restored: Epoch;
  /** The model of the service's vectors. */
  readonly embedder: Pick<Embedder, 'model'>;
  /** Static facts about the payment processor and the chain; null where there is none. */
  readonly processor: Pick<Processor, 'name' | 'hold_ms'> | null;
  readonly chain: Pick<ChainRail, 'name' | 'chains' | 'addressProblem'> | null;
  /** The answer of the platform's agent to a message. */
  answer(read: Read, ctx: Ctx, asker: Row<'agents'>, text: string): Promise<string>;
}

/** The fields of an unstored listing that matching reads. */
export type Draft = Pick<
  Row<'listings'>,
  | 'id'
  | 'agent_id'
  | 'account_id'
  | 'card_type'
  | 'direction'
  | 'headline'
  | 'description'
  | 'geo'
  | 'labels'
  | 'price_cents'
  | 'budget_cents'
  | 'price_period'
  | 'currency'
  | 'per_week_cents'
  | 'per_month_cents'
  | 'conditions'
  | 'fields'
>;

/** Who asks matching, and when. */
export type Asker = Pick<Ctx, 'account_id' | 'now_ms'>;

/** The matches that a draft would have. */
export interface Previewed {
  /** Best first. */
  readonly best: readonly {
    readonly handle: string;
    readonly listing: { readonly id: string; readonly headline: string };
    readonly score: number;
    readonly reasons: readonly Reason[];
    readonly my_side: 'offer' | 'seek';
  }[];
  readonly explained: Explained;
  /** Whether texts were compared too, not only labels. */
  readonly with_texts: boolean;
}

/** The answering process and its machine. Sizes are bytes, null where unknown. */
export interface HostLook {
  readonly version: string;
  readonly started_at_ms: number;
  readonly free: number | null;
  readonly database: number | null;
  readonly log: number | null;
  readonly ready: Ready;
  /** The newest first. */
  readonly errors: readonly RecentError[];
}

/** The public card of an agent, as it was last rendered. */
export interface KeptCard {
  readonly agent: Row<'agents'>;
  /** By operation: its last text, and the facts that the text was made of. */
  readonly texts: Map<string, { readonly facts: string; readonly text: string }>;
}

/** What a query may read beside rows. It runs in no turn, so it may wait. */
export interface QueryPorts extends LoadPorts {
  /** The service's own documentation. */
  readonly manual: PreparedManual;
  /** Checks the ledger in a thread of its own. */
  readonly ledger: { check(now_ms: number): Promise<LedgerChecked> };
  /** Agents with a live listing that carries one of the labels, by the index: newest first, from below `before`. */
  agentsWith(labels: readonly string[], before: string, limit: number): Promise<readonly string[]>;
  /** Cached public pages; `make` renders one that is missing or stale. */
  readonly pages: { get(key: string, make: () => Promise<Page<unknown>>): Promise<Page<unknown>> };
  /** Cached public cards of agents. */
  readonly cards: { of(handle: string): Promise<KeptCard | null> };
  /** The best matches of a draft, at most `limit`, by scoring alone; null when its agent takes no part in matching. */
  preview(draft: Draft, limit: number, now_ms: number): Promise<Previewed | null>;
  /** How many three-character handles are free. */
  readonly short_handles: { left(): Promise<number> };
  /** The last use of a key that is not yet written to its row. */
  readonly key_uses: { unwritten(key_id: string): number | null };
  /** Recent requests with a key at this node. */
  readonly requests: Pick<RequestLog, 'of'>;
  readonly views: Pick<Views, 'note'>;
  /** The public keys that verify access tokens. */
  readonly sessions: Pick<SessionIssuer, 'jwks'>;
  /** Signs the cards of agents; `documents` signs statements to third parties. */
  readonly card_signer: CardSigner;
  /** Static facts about the other sites on which accounts are proven. */
  readonly hosts: Readonly<Partial<Record<AccountHostName, Pick<AccountHost, 'kind' | 'title' | 'origin' | 'look'>>>>;
  readonly documents: DocumentSigner;
  readonly pushes: Pick<WebPush, 'public_key'>;
  readonly host: { look(): Promise<HostLook> };
  /** Letters and texts written to the outbox while no real sender is configured, with everything that is due by now. */
  readonly outbox: OutboxReader;
}

export interface StreamPorts {
  /** Lets a reader follow an agent's inbox from the event after `after`; the agent counts as connected meanwhile. */
  follow(agent_id: string, reader: StreamReader, replay: Replay, after: number): void;
  /** The same for a reader other than the agent: every event comes from `replay`. */
  watch(agent_id: string, reader: StreamReader, replay: Replay, after: number): void;
  /** The same for numbered entries of one row, such as the updates of a task, from the number after `after`. */
  watchRow(row: Told, reader: StreamReader, replay: Replay, after: number): void;
  /** Calls `joined` for each agent that joins an account; answers a function that stops this. */
  onJoin(account_id: string, joined: (agent_id: string) => void): () => void;
  markSeen(agent_id: string): void;
  readonly restored: Epoch;
}

/** What a flow may call between its turns: these calls wait for others, so no turn may wait for one. */
export interface FlowPorts extends LoadPorts {
  /** The current time; `now_ms` of the context is when the flow began. */
  readonly clock: Pick<Clock, 'now'>;
  /** Outside calls; `dispatches` allows many more at once, also to one host. */
  readonly tasks: Pick<BackgroundTasks, 'run' | 'call' | 'over'>;
  /** The same for turns that wait for a model, limited by agent instead of by host. */
  readonly turns: Pick<BackgroundTasks, 'run'>;
  readonly dispatches: Pick<BackgroundTasks, 'call'>;
  /** The only client for addresses that strangers name. */
  readonly http: Pick<SafeHttp, 'request' | 'check'>;
  /** Null where traces are not collected. */
  readonly tracer: Pick<Tracer, 'note'> | null;
  readonly dns: Pick<Dns, 'txt'>;
  readonly embedder: Pick<Embedder, 'model' | 'embed' | 'closeness_floor'>;
  /** The model that LLM_URL names; null where there is none. */
  readonly negotiator: ModelPort | null;
  /** Takes in and pays out money; null where PAYMENTS is none. */
  readonly processor: Processor | null;
  /** Pays out on a chain; null where CHAIN_RAIL is off. */
  readonly chain: ChainRail | null;
  readonly documents: DocumentSigner;
  readonly pushes: Pick<WebPush, 'request'>;
  /** Other sites on which accounts are proven. */
  readonly hosts: AccountHosts;
  /** The external identity provider; null where the service signs people in itself. */
  readonly identity: OidcClient | null;
  readonly mails: Pick<MailReader, 'read' | 'authenticate'>;
  /** Sends one letter now and answers its outcome; all others go through `send`, which survives a crash. */
  readonly mailer: Mailer;
  readonly sessions: Pick<SessionIssuer, 'issue' | 'issueFor' | 'issueUnder' | 'verify'>;
  /** Calls other agents' endpoints. */
  readonly speech: RemoteSpeech;
  /** Whether another push may start now; false while requests keep the service busy. */
  mayPush(): boolean;
  /** Hands a finished delivery to event delivery, which records it in a batch. */
  settle(made: Attempt): void;
  /** Words so frequent in a card type's listings that they weigh less, by the counts of this node's index. */
  templates(card_type: string): TemplateShares;
  /** Matches a listing with all others, in turns of the calling flow. */
  match(ctx: FlowCtx, listing_id: string, asked?: MatchAsked): Promise<Matched | Fault>;
  /** Explains what a listing's matches lack, by scoring alone; null when it takes no part in matching. */
  explain(ctx: Asker, listing_id: string): Promise<Explained | null>;
  /** The best sellers for a request for quotes, at most `limit`, by scoring it as a seeking listing. */
  sellers(draft: Draft, limit: number): Promise<readonly Seller[]>;
  /** The same with `resume`, which releases the work held back. */
  readonly restored: Epoch & Pick<RestoreWatch, 'resume'>;
  /** The state of the clock, and whether it is trusted. */
  readonly clock_watch: Pick<ClockWatch, 'look' | 'accept'>;
  /** Checks everything that the service depends on. */
  readonly doctor: {
    /** With `fix`, data that can be derived from other rows is repaired first. */
    examine(now_ms: number, fix: boolean): Promise<readonly Finding[]>;
    /** Reads every page of the database file and logs damaged ones; null where a database server keeps the file. */
    checkFile(now_ms: number): Promise<FileChecked | null>;
  };
  /** Moves service time forward and runs what is due on the way. */
  advance(ms: number): Promise<void>;
  /** Runs an operation as a person of the demo world. */
  readonly demo: {
    act(
      person: Pick<DemoSide, 'account_id' | 'agent_id'>,
      operation: string,
      input: Readonly<Record<string, unknown>>,
    ): Promise<Outcome<unknown>>;
  };
}

/** The ports that the pipeline passes to operations, by kind. */
export interface Ports {
  readonly settings: Settings;
  readonly load: LoadPorts;
  readonly query: QueryPorts;
  readonly stream: StreamPorts;
  readonly flow: FlowPorts;
}
