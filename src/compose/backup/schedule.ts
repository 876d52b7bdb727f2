// Makes backups on time (BACKUP_SCHEDULE), proves each, and lets old ones go once the newest was found right.
import type { Clock } from '../../../actors/clock.ts';
import { apply, insert } from '../../../db/effects.ts';
import type { Store } from '../../../db/store.ts';
import type { Config } from '../../config.ts';
import { isBackupDue, surplusBackups } from '../../domain/backup.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { errorFields, type Log } from '../../log.ts';
import { BACKUP_NOTE, type BackupStanding, readBackup } from '../../steps/backup/standing.ts';
import { type BackupConfig, placeOf } from './create.ts';
import { type Outcome, recorded } from './record.ts';
import { type BackupThread, backupInThread } from './thread.ts';

/** The first look is as long after the start, which has enough to do. */
const LOOK_MS = MINUTE_MS / 2;
/** After one that failed. */
const AGAIN_MS = 15 * MINUTE_MS;

/** The settings for the backup thread. */
function backupConfig(config: Config): BackupConfig {
  const { dataDir, internalToken, backupDir, backupPassphrase } = config;
  const { s3Endpoint, s3Region, s3AccessKeyId, s3SecretAccessKey } = config;
  const s3 = { s3Endpoint, s3Region, s3AccessKeyId, s3SecretAccessKey };
  return { dataDir, internalToken, backupDir, backupPassphrase, ...s3 };
}

class BackupSchedule {
  readonly #config: Config;
  readonly #store: Pick<Store, 'read' | 'turn'>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #log: Log;
  #timer: ReturnType<typeof setInterval> | null = null;
  #thread: BackupThread | null = null;
  #looking: Promise<void> | null = null;
  #not_before = Number.NEGATIVE_INFINITY;

  constructor(config: Config, store: Pick<Store, 'read' | 'turn'>, clock: Pick<Clock, 'now'>, log: Log) {
    this.#config = config;
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  start(): void {
    if (this.#config.backupSchedule === undefined) return;
    if (this.#config.backupPassphrase === undefined)
      this.#log.warn('BACKUP_PASSPHRASE is not set: the secrets of the service lie in its backups in clear');
    this.#timer = setInterval(() => void this.look(), LOOK_MS).unref();
  }

  /** Makes a backup if one is due; resolves when it is made and proved. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch((error: unknown) => this.#log.error('a backup could not be looked after', errorFields(error)))
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { backupSchedule } = this.#config;
    const now_ms = this.#clock.now();
    if (backupSchedule === undefined || now_ms < this.#not_before) return;
    const known = await readBackup(this.#store.read);
    if (!isBackupDue(backupSchedule, known?.last?.made_at ?? null, now_ms)) return;
    await this.#make(now_ms);
  }

  async #make(now_ms: number): Promise<void> {
    this.#not_before = now_ms + AGAIN_MS;
    this.#thread = backupInThread({ config: backupConfig(this.#config), made_at: now_ms });
    const answer = await this.#thread.answer;
    const was_stopped = this.#thread === null;
    this.#thread = null;
    if (was_stopped) return;
    if ('failed' in answer) {
      this.#log.error('no backup was made', { error_text: answer.failed });
      await this.#record({ reason: answer.failed, at_ms: now_ms });
      return;
    }
    const { made, proof } = answer;
    await this.#record({ made });
    await this.#record({ name: made.name, proof, at_ms: now_ms });
    if (proof.result !== 'ok')
      this.#log.error(`a backup was made, and is ${proof.result}`, { error_text: proof.problems[0] ?? '' });
    else await this.#prune(now_ms);
  }

  async #record(outcome: Outcome): Promise<void> {
    // The note's row holds what BackupStanding says, and nothing else writes it while the service runs but the command line.
    const change = (value: Record<string, unknown> | null): Record<string, unknown> => ({
      ...recorded(value as unknown as BackupStanding | null, outcome),
    });
    await this.#store.turn({
      attempt: async () => ({
        reply: null,
        effects: [
          insert('service_notes', { id: BACKUP_NOTE, value: { ...recorded(null, outcome) } }, 'ignore'),
          apply('service_notes', BACKUP_NOTE, ({ value }) => ({ value: change(value) })),
        ],
      }),
    });
  }

  async #prune(now_ms: number): Promise<void> {
    const place = placeOf(backupConfig(this.#config));
    const rules = { keep: this.#config.backupKeep, keep_days: this.#config.backupKeepDays };
    for (const { name } of surplusBackups(await place.list(), rules, now_ms)) await place.remove(name);
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    const thread = this.#thread;
    this.#thread = null;
    thread?.stop();
    await this.#looking;
  }
}

/** Makes backups from now on, where BACKUP_SCHEDULE asks for them. */
export function scheduleBackups(...of: ConstructorParameters<typeof BackupSchedule>): BackupSchedule {
  const backups = new BackupSchedule(...of);
  backups.start();
  return backups;
}
