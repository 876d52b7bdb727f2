// What the screens ask of what a program asked for: who is paid, and what it says.
import type { Item } from '../../server.ts';
import { words } from '../../words/words.ts';

export type Action = Item<'action.list'>;

/** Who is paid or charged; a routed call goes to whoever serves it. */
export function payeeOf({ operation, to_handle }: Action): string {
  const { actions } = words;
  if (to_handle !== null) return `@${to_handle}`;
  return operation === 'router_call.make' ? actions.anybody : actions.somebody;
}

/** A field of what was asked for that is a text with something in it; null for any other. */
export function textIn({ input }: Action, name: string): string | null {
  const value = input[name];
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
