// From what somebody plans to the request that is sent: the address, and now and then something wrong in it.
import type { AnyOperation, RestBinding } from '../../src/contract/operation.ts';
import type { TestRequest } from '../support/testbed.ts';
import type { Person } from './person.ts';
import type { Planned } from './planned.ts';
import type { Sim } from './sim.ts';

/** How often a call has something wrong in it. */
const WRONG = 0.1;

const NONSENSE: readonly unknown[] = [
  null,
  '',
  -1,
  2 ** 53,
  1e308,
  0.5,
  true,
  [],
  {},
  [[[[]]]],
  '\ud800',
  'a\u0000b',
  '__proto__',
  'x'.repeat(6_000),
  "'; DROP TABLE agents; --",
  '%_\\',
];

export interface Call {
  readonly operation: AnyOperation;
  readonly person: Person;
  readonly planned: Planned;
  /** Something in it was made wrong; what is answered teaches nothing. */
  readonly wrong: boolean;
  readonly method: string;
  readonly path: string;
  readonly request: TestRequest;
}

/** Somebody else's credential, a false one, or none. */
function otherCredential(sim: Sim, planned: Planned): Planned['as'] {
  const other = sim.choose.pick(sim.people);
  const key = sim.choose.maybe(other.keys)?.text;
  switch (sim.choose.below(4)) {
    case 0:
      return {};
    case 1:
      return { key: `mesh_live_${'x'.repeat(43)}_${'0'.repeat(7)}` };
    case 2:
      return key === undefined ? {} : { key };
    default:
      // Two credentials at once, perhaps of two accounts.
      return key === undefined ? planned.as : { ...planned.as, key };
  }
}

/** An id that exists, though perhaps not for this caller, or none at all. */
function someId(sim: Sim): string {
  const table = sim.choose.pick(['matches', 'listings', 'conversations', 'events', 'agents', 'api_keys']);
  const column = table === 'matches' ? 'match_id' : 'id';
  const ids = sim.db.column(`SELECT ${column} FROM ${table} ORDER BY ${column}`);
  return sim.choose.maybe(ids) ?? '01970000-0000-7000-8000-000000000000';
}

function confused(sim: Sim, planned: Planned): Planned {
  const { choose } = sim;
  const names = Object.keys(planned.body ?? {});
  switch (choose.below(5)) {
    case 0:
      return { ...planned, as: otherCredential(sim, planned) };
    case 1: {
      const [name] = Object.keys(planned.path ?? {});
      const value = choose.chance(0.6) ? someId(sim) : encodeURIComponent(choose.pick(["'", '...', '%', 'no one']));
      return name === undefined ? planned : { ...planned, path: { ...planned.path, [name]: value } };
    }
    case 2: {
      const name = choose.maybe(names);
      const value = choose.chance(0.3) ? someId(sim) : choose.pick(NONSENSE);
      return name === null ? planned : { ...planned, body: { ...planned.body, [name]: value } };
    }
    case 3: {
      const [name] = Object.keys(planned.query ?? {});
      const value = choose.pick([-1, 0, 1e9, 'many', '']);
      return name === undefined ? planned : { ...planned, query: { ...planned.query, [name]: value } };
    }
    default:
      return {
        ...planned,
        agent: choose.pick(
          choose
            .pick(sim.people)
            .agents.map(({ handle }) => handle)
            .concat('no'),
        ),
      };
  }
}

/** An address whose path the planned call can fill. */
function bindingFor(sim: Sim, operation: AnyOperation, planned: Planned): RestBinding {
  const fits = operation.rest.filter(({ path }) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    return names.every((name) => name in (planned.path ?? {}));
  });
  return sim.choose.pick(fits);
}

/** The request of a planned call; `wrong` says how likely something in it is. */
export function callOf(sim: Sim, operation: AnyOperation, person: Person, plan: Planned, wrong = WRONG): Call {
  const is_wrong = sim.choose.chance(wrong);
  const planned = is_wrong ? confused(sim, plan) : plan;
  const { method, path } = bindingFor(sim, operation, planned);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => planned.path?.[name] ?? '');
  const query = Object.entries(planned.query ?? {}).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const { key, token, platform } = planned.as;
  // An alias without the handle in its path takes the agent from the header.
  const agent = planned.agent ?? (path.includes('{handle}') ? undefined : planned.path?.['handle']);
  const request: TestRequest = {
    key,
    token,
    agent,
    ip: person.ip,
    body: planned.body,
    raw: planned.raw,
    headers: { ...planned.headers, ...(platform && { 'X-Internal-Token': sim.t.internal_token }) },
  };
  const full = query.length > 0 ? `${filled}?${query.join('&')}` : filled;
  return { operation, person, planned, wrong: is_wrong, method, path: full, request };
}
