// Compares the data of every event that an operation tells with the declaration of its kind: what is missing, of another
// type or undeclared fails the turn, and the end of the test file.
import { Type } from 'typebox';
import type { EventEffect } from '../../db/effects.ts';
import type { Store } from '../../db/store.ts';
import { isEventKind, specOf } from '../../src/domain/inbox/event.ts';
import { InputCheck } from '../../src/pipeline/validate.ts';

const checks = new Map<string, InputCheck>();
const made = new WeakSet<EventEffect>();

/** An event that a test makes up; its data is not compared. */
export function madeUp(event: EventEffect): EventEffect {
  made.add(event);
  return event;
}

/** What is wrong with the data of an event; null where nothing is. */
export function eventProblem({ event, data }: Pick<EventEffect, 'event' | 'data'>): string | null {
  if (!isEventKind(event)) return `${event} is not declared`;
  const { properties } = specOf(event).data;
  const check = checks.get(event) ?? new InputCheck(Type.Object(properties, { additionalProperties: false }));
  checks.set(event, check);
  const wrong = check.explain(JSON.parse(JSON.stringify(data)));
  return wrong ? `${event} holds what it does not declare: ${wrong} in ${JSON.stringify(data)}` : null;
}

/** The store, which refuses such events from now on; `problems` are all that it met. */
export function checkEvents(store: Store): { readonly store: Store; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const run = store.turn.bind(store);
  const turn: Store['turn'] = (given) =>
    run({
      ...given,
      attempt: async (read) => {
        const decision = await given.attempt(read);
        for (const effect of decision.effects ?? []) {
          const problem = effect.do === 'event' && !made.has(effect) ? eventProblem(effect) : null;
          if (problem !== null) problems.push(problem);
        }
        if (problems.length > 0) throw new Error(problems.join('\n'));
        return decision;
      },
    });
  return { store: Object.assign(store, { turn }), problems };
}
