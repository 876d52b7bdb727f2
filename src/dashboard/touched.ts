// Cache invalidation: a read belongs to a part of the service, the first word of the operation's name. This lists the parts that an
// event or act affects; unlisted ones affect all.
import { batch, type Signal, signal } from '@preact/signals';
import type { EventKind } from '../domain/inbox/event.ts';
import type { Name } from './server.ts';

type PartOf<N> = N extends `${infer Part}.${string}` ? Part : never;
/** Parts, or single operations. */
export type Touched = readonly (PartOf<Name> | Name)[] | 'all';

const TALK = ['conversation', 'message', 'proposal'] as const;

const BY_EVENT: { readonly [kind in EventKind]?: Touched } = {
  'match.created': ['match', 'onboarding'],
  'match.approved': ['match', 'conversation'],
  'conversation.started': [...TALK, 'match'],
  'conversation.updated': ['conversation', 'message'],
  'conversation.completed': [...TALK, 'match', 'meeting'],
  'negotiation.proposed': TALK,
  'negotiation.escalated': [...TALK, 'action'],
  'meeting.scheduled': ['meeting'],
  'meeting.completed': ['meeting'],
  'demand.posted': ['demand'],
  'test.ping': [],
};

const BY_ACT: { readonly [name in Name]?: Touched } = {
  'message.send': [...TALK, 'match', 'inbox', 'notification'],
  'match.feedback': ['match', 'conversation', 'inbox', 'notification'],
  'meeting.schedule': ['meeting'],
  'meeting.complete': ['meeting'],
  'notification.read': ['notification'],
  'notification.read_all': ['notification'],
};

/** The parts that an event affects, inbox and notifications included. */
export function touchedByEvent(kind: string, data: Readonly<Record<string, unknown>>): Touched {
  const parts = BY_EVENT[kind as EventKind] ?? 'all';
  if (parts === 'all') return 'all';
  // The service adds a message when a proposal is rejected or a deal is cancelled.
  const noted = data['kind'] === 'system' ? (['proposal', 'deal'] as const) : [];
  return [...parts, ...noted, 'inbox', 'notification'];
}

export function touchedByAct(name: Name): Touched {
  return BY_ACT[name] ?? 'all';
}

const all = signal(0);
const marks = new Map<string, Signal<number>>();

function markOf(name: string): Signal<number> {
  const mark = marks.get(name) ?? signal(0);
  marks.set(name, mark);
  return mark;
}

/** A number that grows whenever the answer of an operation may have changed. */
export function freshnessOf(name: Name): number {
  const [part = ''] = name.split('.');
  return all.value + markOf(part).value + markOf(name).value;
}

/** Makes displayed data of these parts read again. */
export function touch(parts: Touched): void {
  batch(() => {
    if (parts === 'all') all.value += 1;
    else for (const part of new Set(parts)) markOf(part).value += 1;
  });
}
