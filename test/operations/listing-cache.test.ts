// Listings ready for scoring: nobody who asks after a commit is given a listing with its agent as that was before.
import { expect, test } from 'bun:test';
import { apply } from '../../db/effects.ts';
import { listingToMatch } from '../../db/queries/match.ts';
import { ListingCache } from '../../src/matching/listing-cache.ts';
import { newAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';

const t = sharedService();

test('a listing that was being read while its agent hid is read anew for whoever asks afterwards', async () => {
  const { key } = await newAgent(t, { handle: 'hiding', verified: true });
  const body = { direction: 'offer', card_type: 'selling', headline: 'Bread', labels: ['bread'], price_cents: 500 };
  const made = await t.call('POST', '/api/agents/hiding/cards', { key, body });
  expect(made.status).toBe(201);
  const { store, clock, directory } = t.service.world;
  const id: string = made.body.id;
  const row = await store.read(listingToMatch, { id });
  const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = Object.assign(Object.create(directory), {
    presence: async (agent_id: string) => {
      asked.resolve();
      await gate.promise;
      return directory.presence(agent_id);
    },
  });
  const sides = new ListingCache(store, clock, slow);
  const before = sides.get(id);
  await asked.promise;
  const effects = [apply('agents', row?.agent_id ?? '', () => ({ visibility: 'hidden' as const }))];
  await store.turn({ attempt: async () => ({ reply: null, effects }) });
  const after = sides.get(id);
  gate.resolve();
  expect((await before)?.agent.seen.visibility).toBe('listed');
  expect((await after)?.agent.seen.visibility).toBe('hidden');
});
