// The rows on which a credential hangs, as they were read: checked again in the commit of whatever it changes.

/** A row of a key, a session or a program's grant, as it was read. */
export interface GuardRow {
  readonly table: 'api_keys' | 'sessions' | 'oauth_grants';
  readonly id: string;
  readonly version: number;
}

/** The row on which a credential hangs: of an access token its agent with the registered key, and under it what registered that; or its
 * program's grant. */
export type Guard =
  | GuardRow
  | {
      readonly table: 'agents';
      readonly id: string;
      readonly version: number;
      readonly fingerprint: string;
      readonly under: GuardRow | null;
    };

/** The rows that a change ends it by. */
export function guardRows(guard: Guard | null): readonly { table: Guard['table']; id: string; version: number }[] {
  if (guard === null) return [];
  return guard.table === 'agents' && guard.under !== null ? [guard, guard.under] : [guard];
}
