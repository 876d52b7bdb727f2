// Durable calls of internal operations, made here only, so that each stored input is valid for its operation.
// A run consumes the version of its reminder that it began with: the row is deleted in the commit of the run's turn (of a
// flow: in a commit after its last), and only if it was not set again since; a command whose reminder was set again, or
// run by another node, changes nothing.
// So a run can set its own reminder again: a measurement sets next week's before it begins, a long task its next slice.
// Setting the same key again moves the reminder; it never adds a second one.
import type { Static, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { RemindEffect, UnremindEffect } from '../../db/effects.ts';
import type { Row } from '../../db/schema/tables.ts';
import { assert } from '../domain/assert.ts';
import { fault } from '../domain/fault.ts';

/** An internal operation as far as its reminders know it: the operation itself, or what it declares of itself where the two
 * would go round in a circle. */
export interface Remindable<I extends TSchema> {
  readonly name: `${string}.${string}`;
  readonly input: I;
}

/** Which reminder of its operation it is: setting the same key again moves it. Empty when there is only one. */
interface Which {
  readonly key: string;
  readonly now_ms: number;
}

const checks = new WeakMap<TSchema, Validator>();

function assertTaken({ name, input: schema }: Remindable<TSchema>, input: unknown): void {
  let check = checks.get(schema);
  if (!check) {
    check = Compile(schema);
    checks.set(schema, check);
  }
  assert(check.Check(input), `${name} does not take what its reminder says`);
}

export function reminderId({ name }: Pick<Remindable<TSchema>, 'name'>, key: string): string {
  return key === '' ? name : `${name}:${key}`;
}

/** Asks for a run at a time. Throws when the operation does not take the input. */
export function remind<I extends TSchema>(
  operation: Remindable<I>,
  input: NoInfer<Static<I>>,
  { at, key, now_ms }: Which & { readonly at: number },
): RemindEffect {
  assertTaken(operation, input);
  return remindEffect(operation, input, { key, now_ms, at, now: false });
}

/** Asks for a run right after this commit and before the reply; the row only outlives a crash. Asked for by a run of the
 * same reminder it follows that run, and the caller of the first waits for both. Throws as `remind` does. */
export function remindNow<I extends TSchema>(
  operation: Remindable<I>,
  input: NoInfer<Static<I>>,
  { key, now_ms }: Which,
): RemindEffect {
  assertTaken(operation, input);
  return remindEffect(operation, input, { key, now_ms, at: now_ms, now: true });
}

function remindEffect<I extends TSchema>(
  operation: Remindable<I>,
  input: Static<I>,
  { key, now_ms, at, now }: Which & Pick<RemindEffect, 'at' | 'now'>,
): RemindEffect {
  const id = reminderId(operation, key);
  // Inputs are objects, as every operation's.
  return {
    do: 'remind',
    id,
    at,
    operation: operation.name,
    input: input as Row<'reminders'>['input'],
    now,
    created_at: now_ms,
  };
}

/** Cancels a reminder in any version. */
export function unremind(operation: Pick<Remindable<TSchema>, 'name'>, key: string): UnremindEffect {
  return { do: 'unremind', id: reminderId(operation, key) };
}

/** Cancels the version of a reminder that was read: one that was set again since stays. */
export function unremindRead({ id, version }: Pick<Row<'reminders'>, 'id' | 'version'>): UnremindEffect {
  return { do: 'unremind', id, version };
}

/** Consumes the reminder of this run. Refuses the turn when the reminder is gone or was set again: another node has run it, or
 * its next run does the work. */
export function consume({ id, version }: Pick<Row<'reminders'>, 'id' | 'version'>): UnremindEffect {
  return { do: 'unremind', id, version, gone: fault('conflict') };
}
