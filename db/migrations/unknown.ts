// A start refuses a database that another version has changed: what that renamed or dropped, this one would write wrongly.
import own from '../../package.json' with { type: 'json' };

/** The row of `migrations` that nodes lock; it is no migration. */
const LOCK = 'lock';
/** The name of a finished step of an unfinished migration: the migration's name, and the step's number. */
const STEP = /^(.*):\d+$/;

/** A row of `migrations`. */
export interface Applied {
  readonly name: string;
  /** The version of the program that applied it; not known of databases from before 0.2.0. */
  readonly release?: string | null;
}

function makerOf(release: string | null): string {
  if (release === null) return 'another version';
  return release === own.version ? `another build of version ${release}` : `version ${release}`;
}

/** The database was changed by a version that this one does not know. */
export class UnknownMigrations extends Error {
  constructor(unknown: readonly Applied[]) {
    const names = unknown.map(({ name }) => name).sort();
    const some = `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`;
    const release = unknown.map((each) => each.release ?? null).findLast((each) => each !== null) ?? null;
    super(
      `the database was changed by ${makerOf(release)} (${some}); start that one, restore a backup of this one, or begin with an empty database`,
    );
  }
}

/** What a database remembers beside these. */
export function unknownAmong(applied: readonly Applied[], migrations: readonly { readonly name: string }[]): Applied[] {
  const known = new Set([LOCK, ...migrations.map(({ name }) => name)]);
  return applied.filter(({ name }) => !known.has(STEP.exec(name)?.[1] ?? name));
}

/** Throws where a database remembers a migration that is none of these. */
export function refuseUnknown(applied: readonly Applied[], migrations: readonly { readonly name: string }[]): void {
  const unknown = unknownAmong(applied, migrations);
  if (unknown.length > 0) throw new UnknownMigrations(unknown);
}
