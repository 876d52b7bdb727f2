// What every adapter keeps of rows whose key is an id within something else, as an event's is within its inbox: they are read, changed,
// compared and removed by both, and by one of them alone nothing is found.
import { expect, test } from 'bun:test';
import { apply, type Effect, type EventEffect, insert, patch, remove } from '../../db/effects.ts';
import { eventById } from '../../db/queries/inbox.ts';
import { rehearse } from '../../db/rehearsal.ts';
import { CONFLICT } from '../../db/run-effects.ts';
import type { NewRow } from '../../db/schema/tables.ts';
import type { Decision, Outcome, Store } from '../../db/store.ts';
import { fault } from '../../src/domain/fault.ts';

interface Kit {
  readonly store: () => Store;
  readonly commit: (...effects: Effect[]) => Promise<Outcome<null>>;
}

let made = 0;

function told(): EventEffect {
  made += 1;
  const about = {
    handle: 'h',
    event: 'test.ping',
    data: { n: 1 },
    subject_id: null,
    awaiting: false,
    respond_by: null,
  };
  return { do: 'event', id: `told-${made}`, to: `inbox-${made}`, ...about, created_at: 1 };
}

const message = (conversation_id: string, id: string, n: number): NewRow<'messages'> => {
  const said = { sender_id: 'a', sender_handle: 'a', kind: 'text', content: 'x', created_at: 1 } as const;
  return { id, conversation_id, n, ...said };
};

export function keyTests({ store, commit }: Kit): void {
  const event = async () => {
    const effect = told();
    await commit(effect);
    return { id: effect.id, agent_id: effect.to };
  };

  test('a key of two: a row is found and changed by both of its parts, and by no other', async () => {
    const key = await event();
    expect(await store().read(eventById, key)).toMatchObject({ ...key, seq: 1, version: 1 });
    expect(await store().read(eventById, { ...key, agent_id: 'another' })).toBeNull();
    await commit(apply('events', key, ({ data }) => ({ data: { ...data, m: 2 } })));
    await commit(patch('events', { ...key, version: 2 }, { respond_by: 9 }));
    expect(await store().read(eventById, key)).toMatchObject({ data: { n: 1, m: 2 }, respond_by: 9, version: 3 });
    expect(await rehearse(store().read, [patch('events', { ...key, version: 3 }, {})])).toBeNull();
    const other = { ...key, agent_id: 'another', version: 3 };
    expect(await rehearse(store().read, [patch('events', other, {})])).toBe(CONFLICT);
    const wrong = [patch('events', other, {}), remove('events', other), apply('events', other, () => ({}))];
    for (const effect of wrong) {
      const tries = [{ reply: null, effects: [effect] }, fault('not_found')];
      expect(await store().turn({ attempt: async () => tries.shift() ?? { reply: null } })).toEqual(fault('not_found'));
    }
    expect(await store().read(eventById, key)).toMatchObject({ version: 3 });
  });

  test('a key of two: what was read and has changed makes the turn decide again, and its row goes', async () => {
    const key = await event();
    let tries = 0;
    await store().turn<null>({
      attempt: async (read): Promise<Decision<null>> => {
        const row = await read(eventById, key);
        tries += 1;
        if (tries === 1) await commit(apply('events', key, () => ({ respond_by: 5 })));
        return row ? { reply: null, effects: [remove('events', row)] } : fault('not_found');
      },
    });
    expect([tries, await store().read(eventById, key)]).toEqual([2, null]);
  });

  test('a key of two: what is taken refuses the turn, and many at once get one', async () => {
    const [thread, taken] = [`thread-${++made}`, fault('conflict')];
    await commit(insert('messages', message(thread, 'm', 1)));
    expect(await commit(insert('messages', message(thread, 'm', 2), taken))).toEqual(taken);
    const wanted = Array.from({ length: 8 }, (_, n) => commit(insert('messages', message(thread, `m${n}`, 2), taken)));
    expect((await Promise.all(wanted)).filter((outcome) => 'reply' in outcome)).toHaveLength(1);
  });
}
