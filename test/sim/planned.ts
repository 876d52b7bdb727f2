// A call that somebody is about to make, as an action plans it; which address of the operation it goes to is drawn later.
import type { TestAnswer } from '../support/testbed.ts';
import type { Person } from './person.ts';
import type { Sim } from './sim.ts';

export interface Credential {
  readonly key?: string;
  readonly token?: string;
  readonly platform?: boolean;
}

export interface Planned {
  readonly as: Credential;
  /** X-Agent-Handle. */
  readonly agent?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** A body that is not JSON. */
  readonly raw?: { readonly type: string; readonly text: string };
  readonly headers?: Readonly<Record<string, string>>;
  /** What the person takes from a good answer. */
  readonly learn?: (answer: TestAnswer) => void;
}

/** Plans a call of one operation; null when the person lacks what it takes. */
export type Action = (sim: Sim, person: Person) => Planned | null;

export const NO_CREDENTIAL: Credential = {};

/** A key of the person, mostly one that should work; null when it has none. */
export function keyOf(sim: Sim, person: Person): Credential | null {
  const { choose } = sim;
  const fresh = person.keys.filter(({ expires_at }) => expires_at > sim.clock.now());
  const key = choose.maybe(fresh.length > 0 && choose.chance(0.95) ? fresh : person.keys);
  return key && { key: key.text };
}

/** A session of the person, mostly the newest. */
export function sessionOf(sim: Sim, person: Person): Credential | null {
  const last = person.sessions.at(-1);
  const session = sim.choose.chance(0.9) ? last : sim.choose.maybe(person.sessions);
  return session ? { token: session.token } : null;
}

/** Either, as the owner of an account may come. */
export function ownerOf(sim: Sim, person: Person): Credential | null {
  return sim.choose.chance(0.8) ? keyOf(sim, person) : (sessionOf(sim, person) ?? keyOf(sim, person));
}

/** One of the person's agents, by its handle. */
function agentOf(sim: Sim, person: Person): string | null {
  return sim.choose.maybe(person.agents)?.handle ?? null;
}

/** The person acting as one of its agents; null when it has none, or no credential. */
export function actingOf(sim: Sim, person: Person, session_only = false): { as: Credential; agent: string } | null {
  const agent = agentOf(sim, person);
  const as = session_only ? sessionOf(sim, person) : ownerOf(sim, person);
  return agent !== null && as ? { as, agent } : null;
}
