// meshwork user list|show|suspend|unsuspend|plan|reset-sign-in|erase: manages people as administrators do, through the running server if
// there is one. WHO is an address, @handle or account id.
import { createInterface } from 'node:readline/promises';
import { type ArgsDef, defineCommand } from 'citty';
import { refusal } from './administer.ts';
import { callServer, internalToken, reachServer } from './running-server.ts';
import { expectArguments, leave, settings } from './settings.ts';
import { tableOf } from './table.ts';

/** The default number of people that `list` prints. */
const LISTED = 50;
/** Rows of a page of the service. */
const PAGE_MAX = 100;

const BY_COMMAND = 'by the command line';

interface Person {
  readonly id: string;
  readonly email: string | null;
  readonly plan: string;
  readonly state: string;
  readonly admin: boolean;
  readonly created_at: string;
}

interface Listed extends Person {
  readonly agents: number;
  readonly last_seen_at: string | null;
}

interface Shown extends Person {
  readonly suspended_at: string | null;
  readonly agents: readonly {
    readonly handle: string;
    readonly visibility: string;
    readonly deactivated_at: string | null;
  }[];
  readonly keys: readonly { readonly prefix: string; readonly name: string; readonly last_used_at: string | null }[];
  readonly sessions: readonly { readonly created_at: string; readonly expires_at: string }[];
}

interface Told {
  readonly value: unknown;
  readonly next: string | null;
}

/** One call as the operator; a refusal ends the process with its message. */
type Ask = (method: 'GET' | 'POST', path: string, body?: object) => Promise<Told>;

/** Runs a command's work through the running server, or a temporary one. */
async function through(work: (ask: Ask) => Promise<void>): Promise<void> {
  const config = settings();
  const server = await reachServer(config);
  const refused: string[] = [];
  const ask: Ask = async (method, path, body) => {
    const token = internalToken(config);
    if (token === undefined) throw new Error('the internal token cannot be read; set INTERNAL_TOKEN');
    const headers = { 'Content-Type': 'application/json', 'X-Internal-Token': token };
    const text = body && JSON.stringify(body);
    const answer = await callServer(method, `${server.url}/api/admin${path}`, headers, text);
    if (answer.status < 200 || answer.status > 299) throw new Error(refusal(answer.status, answer.body));
    // Our own server's answer, in its declared shape.
    return { value: JSON.parse(answer.body), next: answer.next };
  };
  await work(ask)
    .catch((error: unknown) => void refused.push(error instanceof Error ? error.message : String(error)))
    .finally(() => server.release());
  if (refused[0] !== undefined) leave(1, refused[0]);
}

const time = (at: string | null): string => at?.slice(0, 16).replace('T', ' ') ?? '';

function stateOf({ state, admin }: Person): string {
  return admin ? `${state}, administrator` : state;
}

/** The input that names a person. */
function named(who: string): Record<string, string> {
  if (who.startsWith('@')) return { handle: who.slice(1) };
  return who.includes('@') ? { email: who } : { id: who };
}

async function find(ask: Ask, who: string, reason: string): Promise<Shown> {
  const query = new URLSearchParams({ ...named(who), reason });
  return (await ask('GET', `/accounts?${query}`)).value as Shown;
}

function print(value: unknown, json: boolean | undefined, text: () => string): void {
  console.log(json ? JSON.stringify(value, null, 2) : text());
}

const JSON_ARG = { type: 'boolean', description: 'print JSON' } as const;
const REASON_ARG = {
  type: 'string',
  description: 'kept in the list of what administrators did',
  default: BY_COMMAND,
} as const;
const WHO_ARG = { type: 'positional', description: 'an address, @handle or account id', required: true } as const;

/** Checks the number of arguments besides options. */
function expectRest(raw: readonly string[], args: ArgsDef, count: number): void {
  const rest: string[] = [];
  for (let at = 0; at < raw.length; at += 1) {
    const argument = raw[at] ?? '';
    const known = argument.startsWith('--') ? args[argument.slice(2).split('=')[0] ?? ''] : undefined;
    if (!known || known.type === 'positional') rest.push(argument);
    else if (known.type !== 'boolean' && !argument.includes('=')) at += 1;
  }
  expectArguments(rest, count);
}

async function listed(ask: Ask, filter: Record<string, string>, limit: number): Promise<Listed[]> {
  const people: Listed[] = [];
  let cursor: string | null = null;
  do {
    const page = { ...filter, limit: String(Math.min(PAGE_MAX, limit - people.length)), ...(cursor && { cursor }) };
    const { value, next }: Told = await ask('GET', `/people?${new URLSearchParams(page)}`);
    people.push(...(value as Listed[]));
    cursor = next;
  } while (cursor !== null && people.length < limit);
  return people;
}

const LIST_ARGS = {
  q: { type: 'string', description: 'the start of the address' },
  state: { type: 'string', description: 'suspended or administrator' },
  plan: { type: 'string', description: 'free or pro' },
  limit: { type: 'string', description: 'how many at most', default: String(LISTED) },
  json: JSON_ARG,
} as const;

const list = defineCommand({
  meta: { name: 'list', description: 'list people, the newest first' },
  args: LIST_ARGS,
  run: async ({ args, rawArgs }) => {
    expectRest(rawArgs, LIST_ARGS, 0);
    const limit = Number(args.limit);
    if (!Number.isInteger(limit) || limit < 1) leave(2, '--limit must be a whole number from 1 on');
    const filter = Object.fromEntries(
      Object.entries({ q: args.q, state: args.state, plan: args.plan }).filter(
        (pair): pair is [string, string] => !!pair[1],
      ),
    );
    await through(async (ask) => {
      const people = await listed(ask, filter, limit);
      print(people, args.json, () =>
        tableOf([
          ['email', 'plan', 'state', 'agents', 'created', 'last seen', 'id'],
          ...people.map((person) => [
            person.email ?? '',
            person.plan,
            stateOf(person),
            String(person.agents),
            time(person.created_at),
            time(person.last_seen_at),
            person.id,
          ]),
        ]),
      );
    });
  },
});

function shownText(person: Shown): string {
  const facts = [
    ['account', person.id],
    ['email', person.email ?? ''],
    ['plan', person.plan],
    ['state', `${stateOf(person)}${person.suspended_at === null ? '' : ` since ${time(person.suspended_at)}`}`],
    ['created', time(person.created_at)],
  ];
  const agents = person.agents.map(({ handle, visibility, deactivated_at }) => [
    'agent',
    `@${handle} ${deactivated_at === null ? visibility : `deactivated ${time(deactivated_at)}`}`,
  ]);
  const keys = person.keys.map(({ prefix, name, last_used_at }) => [
    'key',
    `${prefix}… ${name}, used ${time(last_used_at)}`,
  ]);
  const sessions = person.sessions.map(({ created_at, expires_at }) => [
    'session',
    `since ${time(created_at)}, until ${time(expires_at)}`,
  ]);
  return tableOf([...facts, ...agents, ...keys, ...sessions]);
}

const SHOW_ARGS = { who: WHO_ARG, reason: REASON_ARG, json: JSON_ARG } as const;

const show = defineCommand({
  meta: { name: 'show', description: 'show a person: agents, keys without their secrets, sessions' },
  args: SHOW_ARGS,
  run: async ({ args, rawArgs }) => {
    expectRest(rawArgs, SHOW_ARGS, 1);
    await through(async (ask) => {
      const person = await find(ask, args.who, args.reason);
      print(person, args.json, () => shownText(person));
    });
  },
});

/** The output of an act. */
type Said = (person: Shown, value: Readonly<Record<string, unknown>>) => string;

function actVerb(name: string, description: string, path: string, said: Said) {
  return defineCommand({
    meta: { name, description },
    args: SHOW_ARGS,
    run: async ({ args, rawArgs }) => {
      expectRest(rawArgs, SHOW_ARGS, 1);
      await through(async (ask) => {
        const person = await find(ask, args.who, args.reason);
        const { value } = await ask('POST', `/accounts/${person.id}/${path}`, { reason: args.reason });
        print(value, args.json, () => said(person, value as Record<string, unknown>));
      });
    },
  });
}

const nameOf = ({ email, id }: Person): string => email ?? id;

const PLAN_ARGS = { ...SHOW_ARGS, plan: { type: 'positional', description: 'free or pro', required: true } } as const;

const plan = defineCommand({
  meta: { name: 'plan', description: 'change the plan of a person' },
  args: PLAN_ARGS,
  run: async ({ args, rawArgs }) => {
    expectRest(rawArgs, PLAN_ARGS, 2);
    await through(async (ask) => {
      const person = await find(ask, args.who, args.reason);
      const { value } = await ask('POST', `/accounts/${person.id}/plan`, { plan: args.plan, reason: args.reason });
      print(value, args.json, () => `${nameOf(person)} is on the plan ${args.plan}`);
    });
  },
});

async function isSure(person: Shown): Promise<boolean> {
  const asked = createInterface({ input: process.stdin, output: process.stderr });
  const typed = await asked.question(`Erasing ${nameOf(person)} is final. Type its address or id to go on: `);
  asked.close();
  return typed.trim() === nameOf(person);
}

const ERASE_ARGS = {
  ...SHOW_ARGS,
  forfeit: { type: 'boolean', description: 'give up the remaining money' },
  yes: { type: 'boolean', description: 'ask nothing' },
} as const;

const erase = defineCommand({
  meta: { name: 'erase', description: 'delete the account of a person, for good' },
  args: ERASE_ARGS,
  run: async ({ args, rawArgs }) => {
    expectRest(rawArgs, ERASE_ARGS, 1);
    if (!args.yes && !process.stdin.isTTY) leave(2, 'erasing is final; add --yes');
    await through(async (ask) => {
      const person = await find(ask, args.who, args.reason);
      if (!args.yes && !(await isSure(person))) throw new Error('nothing was erased');
      const body = { reason: args.reason, ...(args.forfeit && { forfeit: true }) };
      const { value } = await ask('POST', `/accounts/${person.id}/erase`, body);
      print(value, args.json, () => `${nameOf(person)} is erased`);
    });
  },
});

export const user = defineCommand({
  meta: { name: 'user', description: 'find people; suspend, change and erase accounts' },
  subCommands: {
    list,
    show,
    suspend: actVerb('suspend', 'keep a person out', 'suspend', (person) => `${nameOf(person)} is suspended`),
    unsuspend: actVerb(
      'unsuspend',
      'let a person in again',
      'unsuspend',
      (person) => `${nameOf(person)} is let in again`,
    ),
    plan,
    'reset-sign-in': actVerb(
      'reset-sign-in',
      'end the sessions and passkeys of a person, and mail them a link',
      'reset-sign-in',
      (person, { link_sent }) =>
        `${nameOf(person)} signs in anew${link_sent === true ? ' by the link that was mailed' : ''}`,
    ),
    erase,
  },
});
