// The schema's declarations of personal data: what happens to each column when its person leaves, and whether their export has it. Columns
// of texts, addresses and JSON cannot just be kept: they are removed, blanked, or declare why they stay.

/** A row of any table. */
export type OwnedRow = Readonly<Record<string, unknown>> & { readonly id: string };

/** Kept: an id, a hash, a state, a figure or a time that the service made. */
interface Keep {
  readonly how: 'keep';
}
/** Goes with its row, which is removed or expires. */
interface Gone {
  readonly how: 'gone';
}
/** Words that stay, and why. */
interface Stays {
  readonly how: 'stays';
  readonly why: string;
}
/** Blanks a column with a value. */
interface Blank<T> {
  readonly how: 'blank';
  /** Of a row with two sides, the column of the one that it is of. */
  readonly of: string | null;
  after(value: T, row: OwnedRow, owner_id: string): T;
}

export interface Personal<E> {
  readonly erase: E;
  /** `secret` guards something; `no` is of use to the service alone. */
  readonly exported: 'yes' | 'secret' | 'no';
}

/** The allowed declarations of a text column. */
export type Words<T> = Personal<Gone | Stays | Blank<T>>;
/** Those of any other column. */
export type Any<T> = Personal<Keep | Gone | Stays | Blank<T>>;

export const keep: Personal<Keep> = { erase: { how: 'keep' }, exported: 'yes' };
export const gone: Personal<Gone> = { erase: { how: 'gone' }, exported: 'yes' };

export function stays(why: string): Personal<Stays> {
  return { erase: { how: 'stays', why }, exported: 'yes' };
}

/** `blank('')`; of a row with two sides `blank('', 'opened_by')`. */
export function blank<T>(to: T, of: string | null = null): Personal<Blank<T>> {
  return { erase: { how: 'blank', of, after: () => to }, exported: 'yes' };
}

/** Blanks with a function, which can keep a part of the value. */
export function blankBy<T>(after: Blank<T>['after']): Personal<Blank<T>> {
  return { erase: { how: 'blank', of: null, after }, exported: 'yes' };
}

export function secret<E>({ erase }: Personal<E>): Personal<E> {
  return { erase, exported: 'secret' };
}

export function inner<E>({ erase }: Personal<E>): Personal<E> {
  return { erase, exported: 'no' };
}
