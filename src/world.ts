// All that the service is made of, known to the composition root. What of it the pipeline gets stands in pipeline/core.ts,
// what the parts of an operation get in operations/context.ts.
import type { BackgroundTasks } from '../actors/background-tasks.ts';
import type { Clock } from '../actors/clock.ts';
import type { ClockWatch } from '../actors/clock-watch.ts';
import type { Directory } from '../actors/directory.ts';
import type { EventDelivery } from '../actors/event-delivery.ts';
import type { KeyUses } from '../actors/key-uses.ts';
import type { LoopWatch } from '../actors/loop-watch.ts';
import type { MovedTime } from '../actors/moved-time.ts';
import type { Supervisor } from '../actors/supervisor.ts';
import type { Views } from '../actors/views.ts';
import type { Store } from '../db/store.ts';
import type { Delivered } from './delivery/channel.ts';
import type { RenderedEvents } from './delivery/rendered-events.ts';
import type { Routes } from './delivery/routes.ts';

import type { PreparedManual } from './domain/concierge/search.ts';
import type { Addresses } from './domain/next-step.ts';
import type { RemoteSpeech } from './domain/task/remote.ts';
import type { Lane } from './matching/lane.ts';
import type { Sides } from './matching/sides.ts';
import type { Tastes } from './matching/tastes.ts';
import type { ServiceSecrets } from './operations/context.ts';
import type { AccountHosts } from './outbound/account-host/account-host.ts';
import type { OidcClient } from './outbound/account-host/oidc-client.ts';
import type { CardSigner } from './outbound/card-signature.ts';
import type { ChainRail } from './outbound/chain/chain.ts';
import type { Dns } from './outbound/dns.ts';
import type { DocumentSigner } from './outbound/document-signature.ts';
import type { Embedder } from './outbound/embedder/embedder.ts';
import type { Negotiator } from './outbound/negotiator/negotiator.ts';
import type { OutboxReader } from './outbound/outbox.ts';
import type { Processor } from './outbound/processor/processor.ts';
import type { MailReader } from './outbound/reading/mail-reader.ts';
import type { SafeHttp } from './outbound/safe-http/safe-http.ts';
import type { SessionIssuer } from './outbound/session/issuer.ts';
import type { WebPush } from './outbound/web-push.ts';
import type { EntrySettings } from './pipeline/core.ts';
import type { ShortHandles } from './steps/handle/short-handles.ts';
import type { PageCache } from './steps/page-cache.ts';

/** The configuration that the service needs beside what its operations are told. */
export interface ServiceSettings extends EntrySettings {
  readonly data_dir: string;
  /** Where flaws of the service are reported: a URI. */
  readonly security_contact: string;
}

export interface World {
  readonly settings: ServiceSettings;
  readonly secrets: ServiceSecrets;
  readonly clock: Clock;
  readonly clock_watch: ClockWatch;
  /** How far TEST_CLOCK has moved the clock, for all nodes. */
  readonly time: MovedTime;
  readonly store: Store;
  readonly directory: Directory;
  readonly events: RenderedEvents;
  readonly supervisor: Supervisor;
  /** Carries events on to those who are not connected. */
  readonly delivery: EventDelivery<Delivered>;
  /** What waits for the world. */
  readonly tasks: BackgroundTasks;
  /** Dispatches to providers, which callers wait for. */
  readonly dispatches: BackgroundTasks;
  /** Questions to the model: places of their own, and one at a time for an agent. */
  readonly model_calls: BackgroundTasks;
  /** Turns of agents that wait for a model, or for an outside embedder. */
  readonly turns: BackgroundTasks;
  /** Told where an operation begins what runs in one piece. */
  readonly loop: LoopWatch;
  readonly routes: Routes;
  /** How other agents' endpoints are spoken to. */
  readonly speech: RemoteSpeech;
  /** How calls are told to whoever asked by no door of another kind: a stream, a push, a letter. */
  readonly addresses: Addresses;
  /** The service's own documentation, of which its agent quotes. */
  readonly manual: PreparedManual;
  readonly embedder: Embedder;
  /** The model of LLM_URL; null where there is none. */
  readonly negotiator: Negotiator | null;
  /** The one way out to addresses that strangers name. */
  readonly http: SafeHttp;
  readonly dns: Dns;
  /** Other sites on which accounts are proven. */
  readonly hosts: AccountHosts;
  /** The identity provider elsewhere; null where the service signs people in by itself. */
  readonly identity: OidcClient | null;
  /** Reads the mails that come in. */
  readonly mails: MailReader;
  readonly sessions: SessionIssuer;
  /** Signs the cards of agents, with keys of its own. */
  readonly card_signer: CardSigner;
  /** Signs what the service states to third parties, with keys of its own. */
  readonly documents: DocumentSigner;
  /** Makes pushes to browsers. */
  readonly pushes: WebPush;
  /** Takes and pays out money; null where PAYMENTS is none. */
  readonly processor: Processor | null;
  /** Pays out on a chain; null where CHAIN_RAIL is off. */
  readonly chain: ChainRail | null;
  readonly key_uses: KeyUses;
  readonly views: Views;
  /** Rendered public pages. */
  readonly pages: PageCache;
  readonly short_handles: ShortHandles;
  /** Listings ready for scoring. */
  readonly sides: Sides;
  readonly tastes: Tastes;
  /** Where scoring takes its turns. */
  readonly lane: Lane;
  /** Reads back what was mailed and texted while no real sender is set up. */
  readonly outbox: OutboxReader;
  /** A new UUID version 7 on the service's clock. */
  id(): string;
  random(bytes: number): Uint8Array;
  /** Resolves when what was sent so far has had its first attempt; only waited for while mail rests in the outbox. */
  waitForDispatch(): Promise<void>;
  /** The same of these letters and messages alone, by the ids of what was sent. */
  waitForAttempts(ids: readonly string[]): Promise<void>;
  /** Moves service time forward, running what is due at each instant on the way. */
  advance(ms: number): Promise<void>;
}
