// The composition root: settings → secrets → store → service → doors → listen; stopped in reverse.
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { wallClock } from '../actors/clock.ts';
import { FLUSH_MS } from '../actors/directory.ts';
import type { Assembled } from './compose/assembly.ts';
import { assemble } from './compose/assembly.ts';
import { scheduleBackups } from './compose/backup/schedule.ts';
import { houseChecks } from './compose/doctor/examine.ts';
import {
  bindPort,
  moneyPorts,
  openMailDoor,
  openPorts,
  openStore,
  secretsOf,
  settingsOf,
  sharedTimeOf,
  signers,
  startProblem,
  type Trial,
  writeNote,
} from './compose/open.ts';
import { usePlans } from './compose/plans.ts';
import { holdToSecrets, leftUndone } from './compose/prepare.ts';
import type { Config } from './config.ts';
import { createLog } from './log.ts';
import { sealer } from './outbound/deliver.ts';
import { openEmbedder } from './outbound/embedder/open.ts';
import { learnFloor } from './steps/listing/vectors.ts';

export interface Running {
  /** Where the service is reached. */
  readonly url: string;
  readonly service: Assembled;
  /** Finishes the turns in progress and closes. */
  stop(): Promise<void>;
}

/** What an operator gives up for good. */
export interface Accepted {
  /** Takes secrets that are not the database's. */
  readonly new_secrets?: boolean;
  /** The code of a loss: serves a database that ends before its high-water mark, where this loss is the one that is found. */
  readonly loss?: string | undefined;
}

/** Starts the service. */
export function start(config: Config, trial: Trial = {}, accepted: Accepted = {}): Promise<Running> {
  return open(config, trial, accepted).catch((error: unknown) => {
    throw startProblem(config, error);
  });
}

async function open(config: Config, trial: Trial, { new_secrets = false, loss }: Accepted): Promise<Running> {
  const log = createLog(config.logLevel, config.logFormat);
  const secrets = await secretsOf(config, trial);
  const clock = wallClock();
  const embedder = openEmbedder(config, log);
  const { dimensions, model } = embedder;
  const opened = { sealer: sealer(secrets.sealKey), dimensions, model, now_ms: clock.now(), ...trial };
  const store = await openStore(config, log, opened, loss);
  await usePlans(store, config.plans);
  await holdToSecrets(config, { secrets, store, accept: new_secrets, log });
  const listener = bindPort(config, log);
  const settings = settingsOf(config, listener.port, secrets.internalToken);
  const service = assemble({
    settings,
    clock,
    store,
    seal_key: secrets.sealKey,
    ...signers(secrets, settings),
    ...moneyPorts(config, { secrets, store, clock, base_url: settings.base_url }),
    embedder,
    ...openPorts(config, log),
    shared_time: sharedTimeOf(store, clock),
    house: houseChecks(config, listener.forwarded),
    log,
    id: () => Bun.randomUUIDv7('hex', clock.now()),
    random: (bytes) => new Uint8Array(randomBytes(bytes)),
    check_replies: false,
  });
  if (config.testClock) await service.world.time.resume();
  await service.prepare();
  listener.serve(service.doors);
  await service.dispatcher.start();
  await service.delivery.start();
  // The supervisor finds it due when it starts.
  await store.turn({
    attempt: async (read) => ({ reply: null, effects: await leftUndone(read, embedder.model, clock.now()) }),
  });
  service.supervisor.start();
  learnFloor(service.world);
  service.world.loop.start();
  const backups = scheduleBackups(config, store, clock, log);
  const flush = setInterval(() => void service.flush(), FLUSH_MS);
  const mail_door = await openMailDoor(config, service, log);
  const note = writeNote(config, listener, mail_door);
  return {
    url: settings.base_url,
    service,
    stop: async () => {
      clearInterval(flush);
      rmSync(note, { force: true });
      await Promise.all([listener.stop(), mail_door?.stop(), backups.stop()]);
      await service.stop();
    },
  };
}
