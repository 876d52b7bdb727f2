// A start refuses a database that a newer version has changed: what that renamed or dropped, this one would write wrongly.

/** The row of `migrations` that nodes lock; it is no migration. */
const LOCK = 'lock';
/** The name of a finished step of an unfinished migration: the migration's name, and the step's number. */
const STEP = /^(.*):\d+$/;

/** The database was changed by a version that this one does not know. */
export class UnknownMigrations extends Error {
  constructor(names: readonly string[]) {
    const some = `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`;
    super(
      `the database was changed by another version (${some}); start that version, restore a backup of this one, or, where that was before 0.2.0, begin with an empty database`,
    );
  }
}

/** Throws where a database remembers a migration that is none of these. */
export function refuseUnknown(applied: Iterable<string>, migrations: readonly { readonly name: string }[]): void {
  const known = new Set([LOCK, ...migrations.map(({ name }) => name)]);
  const unknown = [...applied].filter((name) => !known.has(STEP.exec(name)?.[1] ?? name));
  if (unknown.length > 0) throw new UnknownMigrations(unknown.sort());
}
