// What an operation can reach beside the store, by the part that reaches it: facts that are only read (`LoadPorts`, `QueryPorts`),
// inboxes as they grow (`StreamPorts`), the world outside (`FlowPorts`).
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
import type { Read } from '../../db/store.ts';
import type { Manual } from '../domain/concierge/search.ts';
import type { Seller } from '../domain/demand/demand.ts';
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

/** A page of an inbox whose events were rendered before. */
export interface EventPage {
  readonly events: readonly { readonly seq: number }[];
  /** The JSON of the whole answer: the events, then `rest`, an object's JSON with what else it holds. */
  json(rest: string, isRead: (seq: number) => boolean, form: StepForm): string;
  /** The same where all events were read before. */
  read(rest: string, form: StepForm): string;
}

/** What a restore from a backup has left: which life of the database this is, since when, and what waits. */
export type Epoch = Pick<RestoreWatch, 'epoch' | 'restored_at' | 'state' | 'held_before'>;

/** What `load` may look at beside the rows: facts that are in memory, none of which it can change. */
export interface LoadPorts {
  /** When an agent was last there, how fast it answers, whether it is connected. */
  presence(agent_id: string): Promise<PresenceFacts>;
  /** The same with the row of it that the caller has just read; null where there is none. */
  presenceWith(agent_id: string, row: PresenceRow | null): PresenceFacts;
  /** Whether an agent has an active webhook whose last delivery did not fail. */
  hasWorkingHook(agent_id: string): Promise<boolean>;
  /** Inboxes as they are rendered; `head` is the last seq. */
  readonly events: {
    after(agent_id: string, after: number, limit: number): Promise<{ page: EventPage; head: number }>;
  };
  readonly restored: Epoch;
  /** Which model the service's vectors are of. */
  readonly embedder: Pick<Embedder, 'model'>;
  /** The ways by which money comes in and goes out, as far as they are facts; null where there is none. */
  readonly processor: Pick<Processor, 'name' | 'hold_ms'> | null;
  readonly chain: Pick<ChainRail, 'name' | 'chains' | 'addressProblem'> | null;
  /** What the agent of the platform answers an agent that writes to it. */
  answer(read: Read, ctx: Ctx, asker: Row<'agents'>, text: string): Promise<string>;
}

/** A listing that is stored nowhere, as far as matching looks at it. */
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

/** Whom a draft would meet. */
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
  /** Whether the texts were compared too, and not the labels alone. */
  readonly with_texts: boolean;
}

/** The process that answers, and its machine. Sizes are bytes, null where they are not known. */
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

/** What a query may look at beside the rows. It stands in no turn, so it may wait. */
export interface QueryPorts extends LoadPorts {
  /** The service's own documentation. */
  readonly manual: Manual;
  /** Proves the ledger, in a thread of its own. */
  readonly ledger: { check(now_ms: number): Promise<LedgerChecked> };
  /** Agents with a live listing that carries one of the labels, by the index. */
  agentsWith(labels: readonly string[]): Iterable<string>;
  /** Public pages, made by `make` when there is none or it is stale. */
  readonly pages: { get(key: string, make: () => Promise<Page<unknown>>): Promise<Page<unknown>> };
  /** The best that a draft would meet, at most so many, by scoring alone; null when its agent takes no part in matching. */
  preview(read: Read, draft: Draft, limit: number, now_ms: number): Promise<Previewed | null>;
  /** How many handles of three characters are left. */
  readonly short_handles: { left(): Promise<number> };
  /** The last use of a key that no row tells yet; `views` counts who looks at a profile or a listing. */
  readonly key_uses: { unwritten(key_id: string): number | null };
  /** What was asked lately with a key at this node. */
  readonly requests: Pick<RequestLog, 'of'>;
  readonly views: Pick<Views, 'note'>;
  /** The keys by which anybody may check access tokens. */
  readonly sessions: Pick<SessionIssuer, 'jwks'>;
  /** Signs the cards of agents; `documents` what the service states to third parties. */
  readonly card_signer: CardSigner;
  /** Other sites on which accounts are proven, as far as they are facts. */
  readonly hosts: Readonly<Partial<Record<AccountHostName, Pick<AccountHost, 'kind' | 'title' | 'origin' | 'look'>>>>;
  readonly documents: DocumentSigner;
  readonly pushes: Pick<WebPush, 'public_key'>;
  readonly host: { look(): Promise<HostLook> };
  /** What was mailed and texted while no real sender is set up, with all in it that is due by now. */
  readonly outbox: OutboxReader;
}

export interface StreamPorts {
  /** Lets a reader follow an agent's inbox from the event after `after`; the agent is there as long as it does. */
  follow(agent_id: string, reader: StreamReader, replay: Replay, after: number): void;
  /** The same for a reader who is not the agent: every event is taken from `replay`. */
  watch(agent_id: string, reader: StreamReader, replay: Replay, after: number): void;
  /** The same for what one row heads, such as the updates of a task, from the number after `after`. */
  watchRow(row: Told, reader: StreamReader, replay: Replay, after: number): void;
  /** Tells of each agent that joins an account; answers what ends it. */
  onJoin(account_id: string, joined: (agent_id: string) => void): () => void;
  markSeen(agent_id: string): void;
  readonly restored: Epoch;
}

/** What a flow may call between its turns: each waits for somebody, and none may be waited for inside a turn. */
export interface FlowPorts extends LoadPorts {
  /** Time goes on while a flow waits; `now_ms` of its context is when it began. */
  readonly clock: Pick<Clock, 'now'>;
  /** What waits for the world; and `dispatches`, of which many more run at once, also to one host. */
  readonly tasks: Pick<BackgroundTasks, 'run' | 'call' | 'over'>;
  /** The same for turns that wait for a model, each with its agent in place of a host. */
  readonly turns: Pick<BackgroundTasks, 'run'>;
  readonly dispatches: Pick<BackgroundTasks, 'call'>;
  /** The one way out to addresses that strangers name. */
  readonly http: Pick<SafeHttp, 'request' | 'check'>;
  /** Null where nobody collects traces. */
  readonly tracer: Pick<Tracer, 'note'> | null;
  readonly dns: Pick<Dns, 'txt'>;
  readonly embedder: Pick<Embedder, 'model' | 'embed' | 'closeness_floor'>;
  /** The model that LLM_URL names; null where there is none. */
  readonly negotiator: ModelPort | null;
  /** Takes and pays out money; null where PAYMENTS is none. */
  readonly processor: Processor | null;
  /** Pays out on a chain; null where CHAIN_RAIL is off. */
  readonly chain: ChainRail | null;
  readonly documents: DocumentSigner;
  readonly pushes: Pick<WebPush, 'request'>;
  /** Other sites on which accounts are proven. */
  readonly hosts: AccountHosts;
  /** The identity provider elsewhere; null where the service signs people in by itself. */
  readonly identity: OidcClient | null;
  readonly mails: Pick<MailReader, 'read' | 'authenticate'>;
  /** Sends one letter now, and says what became of it; all others go by `send`, which outlives a crash. */
  readonly mailer: Mailer;
  readonly sessions: Pick<SessionIssuer, 'issue' | 'issueFor' | 'issueUnder' | 'verify'>;
  /** How other agents' endpoints are spoken to. */
  readonly speech: RemoteSpeech;
  /** Whether another push may start now; false while who asks keeps the service busy. */
  mayPush(): boolean;
  /** Hands a delivery that was made to event delivery, which writes it down with others. */
  settle(made: Attempt): void;
  /** The words that so many of a card type's listings carry that they weigh less, by what this node's index now counts. */
  templates(card_type: string): TemplateShares;
  /** Matches a listing with all others, in turns of the flow that asks. */
  match(ctx: FlowCtx, listing_id: string, asked?: MatchAsked): Promise<Matched | Fault>;
  /** What is missing among a listing's matches, by scoring alone; null when it takes no part in matching. */
  explain(ctx: FlowCtx, listing_id: string): Promise<Explained | null>;
  /** The sellers for whom a request for quotes is, the best first, at most so many, by scoring it as a listing that seeks. */
  sellers(read: Read, draft: Draft, limit: number): Promise<readonly Seller[]>;
  /** The same with what lets the work go on that waits. */
  readonly restored: Epoch & Pick<RestoreWatch, 'resume'>;
  /** Where the clock stands, and whether it is believed. */
  readonly clock_watch: Pick<ClockWatch, 'look' | 'accept'>;
  /** Looks at all that the service hangs on. */
  readonly doctor: {
    /** With `fix` what follows from the rows alone is mended first. */
    examine(now_ms: number, fix: boolean): Promise<readonly Finding[]>;
    /** Reads every page of the database file, and tells the log where one is damaged; null where the file is a server's own matter. */
    checkFile(now_ms: number): Promise<FileChecked | null>;
  };
  /** Moves service time forward, running what is due at each instant on the way. */
  advance(ms: number): Promise<void>;
}

/** What the pipeline hands out: the settings to all, the ports each to the parts of its kind. */
export interface Ports {
  readonly settings: Settings;
  readonly load: LoadPorts;
  readonly query: QueryPorts;
  readonly stream: StreamPorts;
  readonly flow: FlowPorts;
}
