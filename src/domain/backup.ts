// When a backup is due, and which stored backups may be deleted.
import { DAY_MS } from './time.ts';

/** An interval after the last one, or a daily time (UTC). */
type BackupSchedule = { readonly every_ms: number } | { readonly at_ms: number };

/** Whether a backup is due. A last one with a future time is ignored. */
export function isBackupDue(schedule: BackupSchedule, last_ms: number | null, now_ms: number): boolean {
  if (last_ms === null || last_ms > now_ms) return true;
  if ('every_ms' in schedule) return now_ms - last_ms >= schedule.every_ms;
  const today_ms = now_ms - (now_ms % DAY_MS) + schedule.at_ms;
  return last_ms < (today_ms <= now_ms ? today_ms : today_ms - DAY_MS);
}

/** The backups to delete, of a list with the newest first: those beyond a number or an age. The newest stays. */
export function surplusBackups<T extends { readonly made_at: number }>(
  kept: readonly T[],
  { keep, keep_days }: { readonly keep: number; readonly keep_days: number | undefined },
  now_ms: number,
): T[] {
  const oldest_ms = keep_days === undefined ? Number.NEGATIVE_INFINITY : now_ms - keep_days * DAY_MS;
  return kept.filter(({ made_at }, at) => at > 0 && (at >= keep || made_at < oldest_ms));
}
