// Reminders: what an operation does not take is never stored, and a run that asks for itself again keeps what it asked for.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Type } from 'typebox';
import { type Effect, insert } from '../../db/effects.ts';
import { listingsInStatus } from '../../db/queries/listing.ts';
import { dueReminders, reminderById } from '../../db/queries/reminder.ts';
import type { NewRow } from '../../db/schema/tables.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { listingPublish } from '../../src/operations/listing/publish.ts';
import { holdListings } from '../../src/steps/listing/hide.ts';
import { measureAt } from '../../src/steps/listing/measure.ts';
import { DIGEST } from '../../src/steps/notification.ts';
import { remind, reminderId, remindNow, unremind } from '../../src/steps/reminder.ts';
import { listing, newId, write } from '../bench/population.ts';
import { newAgent } from '../support/agents.ts';
import { openTestService, START_MS, type TestService } from '../support/testbed.ts';

const OFFERS_LINKS = { card_type: 'link_building', fields: { domain: 'site.example' } };
const when = { at: START_MS, key: 'one', now_ms: START_MS };
const agent_id = Bun.randomUUIDv7();

describe('a reminder', () => {
  test('has its id from the operation and the key, and is the row that the store keeps', () => {
    expect(remind(listingPublish, { agent_id }, when)).toEqual({
      do: 'remind',
      id: 'listing.publish:one',
      at: START_MS,
      operation: 'listing.publish',
      input: { agent_id },
      now: false,
      created_at: START_MS,
    });
    expect(remindNow(listingPublish, { agent_id }, { key: '', now_ms: 5 })).toMatchObject({
      id: 'listing.publish',
      at: 5,
      now: true,
    });
    expect(unremind(listingPublish, 'one')).toEqual({ do: 'unremind', id: reminderId(listingPublish, 'one') });
  });

  test('is refused when its operation does not take the input', () => {
    // @ts-expect-error: a field that is missing
    expect(() => remind(listingPublish, {}, when)).toThrow('listing.publish does not take');
    // @ts-expect-error: a field of another kind
    expect(() => remind(listingPublish, { agent_id: 7 }, when)).toThrow('listing.publish does not take');
    // @ts-expect-error: another operation's field
    expect(() => remindNow(listingPublish, { account_id: agent_id }, when)).toThrow('listing.publish does not take');
    const least = { name: 'a.b', input: Type.Object({ number: Type.Integer({ minimum: 2 }) }) } as const;
    expect(() => remind(least, { number: 1 }, when)).toThrow('a.b does not take');
    expect(remind(least, { number: 2 }, when).input).toEqual({ number: 2 });
  });
});

describe('a run that asks for itself again', () => {
  let t: TestService;
  beforeAll(async () => {
    t = await openTestService();
  });
  afterAll(() => t.close());

  const stands = (id: string): Promise<{ at: number } | null> => t.service.world.store.read(reminderById, { id });
  const ask = (effect: Effect<never>): Promise<unknown> =>
    t.service.world.store.turn({ attempt: async () => ({ reply: null, effects: [effect] }) });

  /** Live listings of an agent, without labels, whose rows nobody made. */
  const listings = (id: string, handle: string, count: number, site: object = {}): NewRow<'listings'>[] =>
    [...listing({ id, handle, key: '', account_id: newId() }, count, START_MS)].flatMap((effect) =>
      // The population's own inserts, in their table's shape.
      effect.do === 'insert' ? [{ ...(effect.row as NewRow<'listings'>), labels: [], ...site }] : [],
    );
  const keep = (rows: readonly NewRow<'listings'>[]): Promise<void> =>
    write(
      t.service.world.store,
      rows.map((row) => insert('listings', row)),
    );

  test('slice after slice, under its own key, has ended before the answer', async () => {
    const { id, key } = await newAgent(t, { handle: 'many_cards', verified: true });
    await keep(listings(id, 'many_cards', 250));
    expect((await t.call('DELETE', '/api/agents/many_cards', { key })).status).toBe(200);
    const count = async (status: 'live' | 'inactive'): Promise<number> =>
      (await t.service.world.store.read(listingsInStatus, { agent_id: id, status, limit: 999 })).length;
    expect([await count('live'), await count('inactive')]).toEqual([0, 250]);
    expect(await stands(`listing.pause_agent:${id}`)).toBeNull();
  });

  test('with another input, under its own key, goes on where it was', async () => {
    const { id } = await newAgent(t, { handle: 'site_owner', verified: true });
    await keep(listings(id, 'site_owner', 130, OFFERS_LINKS));
    await ask(holdListings({ agent_id: id, domain: 'site.example' }, START_MS));
    await t.advance(0);
    const left = await t.service.world.store.read(listingsInStatus, { agent_id: id, status: 'live', limit: 999 });
    expect(left).toHaveLength(0);
    expect(await stands(`listing.hold:${id}:site.example`)).toBeNull();
  });

  test('for later keeps that: a digest its next morning', async () => {
    const { key } = await newAgent(t, { handle: 'reader', verified: true });
    await t.call('PATCH', '/api/notifications/preferences', { key, body: { digest: 'daily' } });
    const rows = await t.service.world.store.read(dueReminders, {
      now_ms: Number.MAX_SAFE_INTEGER,
      from_ms: 0,
      limit: 99,
    });
    const [digest] = rows.filter(({ operation }) => operation === DIGEST.name);
    await t.advance(DAY_MS);
    const next = await stands(digest?.id ?? '');
    expect((next?.at ?? 0) - (digest?.at ?? 0)).toBe(DAY_MS);
    // A node that was held up with the first one comes too late, and leaves the next as it is.
    const operation = t.service.operations.find(({ name }) => name === DIGEST.name);
    if (!digest || !operation) throw new Error('no digest was asked for');
    await t.advance(1_000);
    await t.service.pipeline.internal(operation, digest.input, digest);
    expect(await stands(digest.id)).toEqual(next);
  });

  test('in a flow keeps it too, though the flow ends after it: a measurement arms the next before it looks', async () => {
    const { id } = await newAgent(t, { handle: 'linker', verified: true });
    const [row] = listings(id, 'linker', 1, OFFERS_LINKS);
    await keep(row ? [row] : []);
    const listing_id = row?.id ?? '';
    await ask(measureAt(listing_id, t.clock.now(), t.clock.now()));
    await t.advance(0);
    const next = await stands(`listing.measure:${listing_id}`);
    expect(next?.at).toBeGreaterThan(t.clock.now());
  });
});
