// All components of the service, known to the composition root. pipeline/core.ts has the part that the pipeline gets,
// contract/ports.ts that of operations.
import type { BackgroundTasks } from '../../actors/background-tasks.ts';
import type { ClockWatch } from '../../actors/clock-watch.ts';
import type { Directory } from '../../actors/directory.ts';
import type { EventDelivery } from '../../actors/event-delivery.ts';
import type { KeyUses } from '../../actors/key-uses.ts';
import type { LoopWatch } from '../../actors/loop-watch.ts';
import type { MovedTime } from '../../actors/moved-time.ts';
import type { RequestLog } from '../../actors/request-log.ts';
import type { RestoreWatch } from '../../actors/restore-watch.ts';
import type { Supervisor } from '../../actors/supervisor.ts';
import type { Views } from '../../actors/views.ts';
import type { ServiceSecrets } from '../contract/context.ts';
import type { FlowPorts } from '../contract/ports.ts';
import type { Delivered } from '../delivery/channel.ts';
import type { RenderedEvents } from '../delivery/rendered-events.ts';
import type { Routes } from '../delivery/routes.ts';
import type { PreparedManual } from '../domain/concierge/search.ts';
import type { Addresses } from '../domain/next-step.ts';
import type { RemoteSpeech } from '../domain/task/remote.ts';
import type { ListingCache } from '../matching/listing-cache.ts';
import type { Matcher } from '../matching/matcher.ts';
import type { Tastes } from '../matching/tastes.ts';
import type { OutboxReader } from '../outbound/outbox.ts';
import type { MailReader } from '../outbound/reading/mail-reader.ts';
import type { Call, Ended } from '../pipeline/call.ts';
import type { KeptCards } from '../steps/agent/kept-cards.ts';
import type { ShortHandles } from '../steps/handle/short-handles.ts';
import type { PageCache } from '../steps/page-cache.ts';
import type { HouseChecks } from './doctor/house.ts';
import type { Parts } from './parts.ts';

export interface World
  extends Omit<Parts, 'seal_key' | 'mailer' | 'sms' | 'log' | 'shared_time' | 'time' | 'check_replies' | 'house'> {
  readonly secrets: ServiceSecrets;
  readonly clock_watch: ClockWatch;
  readonly restored: RestoreWatch;
  /** How far TEST_CLOCK has moved the clock, for all nodes. */
  readonly time: MovedTime;
  readonly directory: Directory;
  readonly events: RenderedEvents;
  readonly supervisor: Supervisor;
  /** Delivers events to agents that are not connected. */
  readonly delivery: EventDelivery<Delivered>;
  readonly tasks: BackgroundTasks;
  /** Dispatches to providers, which callers wait for. */
  readonly dispatches: BackgroundTasks;
  /** Model calls, with their own pool, one at a time for each agent. */
  readonly model_calls: BackgroundTasks;
  /** Turns of agents that wait for a model, or for an outside embedder. */
  readonly turns: BackgroundTasks;
  /** Gets a signal when an operation begins a synchronous part. */
  readonly loop: LoopWatch;
  readonly routes: Routes;
  /** Calls other agents' endpoints. */
  readonly speech: RemoteSpeech;
  /** How calls are named outside a transport of their own form: in streams, pushes and letters. */
  readonly addresses: Addresses;
  /** The service's own documentation, from which its agent quotes. */
  readonly manual: PreparedManual;
  /** Reads the mails that come in. */
  readonly mails: MailReader;
  readonly key_uses: KeyUses;
  readonly requests: RequestLog;
  readonly views: Views;
  /** Rendered public pages. */
  readonly pages: PageCache;
  readonly cards: KeptCards;
  readonly short_handles: ShortHandles;
  /** Listings ready for scoring. */
  readonly listings: ListingCache;
  readonly tastes: Tastes;
  readonly matcher: Matcher;
  /** Reads sent mail and SMS while no real sender is configured. */
  readonly outbox: OutboxReader;
  readonly house: HouseChecks;
  /** Reads every page of the database file, and logs damage. */
  readonly checkFile: FlowPorts['doctor']['checkFile'];
  /** Resolves when what was sent so far has had its first attempt; only waited for while mail rests in the outbox. */
  waitForDispatch(): Promise<void>;
  /** The same of these letters and messages alone, by the ids of what was sent. */
  waitForAttempts(ids: readonly string[]): Promise<void>;
  /** Runs an operation of this name. */
  perform(operation: string, call: Omit<Call, 'operation'>): Promise<Ended>;
  /** Moves service time forward, running what is due at each instant on the way. */
  advance(ms: number): Promise<void>;
}
