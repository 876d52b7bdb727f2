// The current figures of providers: the gathered ones, and the attempts since.
import { freshOfProvider, providersOfAgent } from '../../../db/queries/router.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Figures } from '../../schemas/router.ts';

/** Exact, on any node. */
export async function figuresOf(read: Read, provider: Row<'providers'>): Promise<Figures> {
  const fresh = await read(freshOfProvider, { provider_id: provider.id });
  const { attempts, served, charged, latency_sum_ms } = provider;
  if (!fresh) return { attempts, served, charged, latency_sum_ms };
  return {
    attempts: attempts + fresh.attempts,
    served: served + fresh.served,
    charged: charged + fresh.charged,
    latency_sum_ms: latency_sum_ms + fresh.latency_sum_ms,
  };
}

/** An agent's figures as a provider, over all its offers. */
export async function servedBy(read: Read, agent_id: string): Promise<Omit<Figures, 'latency_sum_ms'>> {
  const offers = await read(providersOfAgent, { agent_id });
  const figures = await Promise.all(offers.map((offer) => figuresOf(read, offer)));
  const sum = (of: (each: Figures) => number): number => figures.reduce((all, each) => all + of(each), 0);
  return { attempts: sum((f) => f.attempts), served: sum((f) => f.served), charged: sum((f) => f.charged) };
}
