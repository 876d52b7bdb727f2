// An operation is the same whatever door it is reached by: the example of each that has several, said at its first door to one
// service and at another door to that one's twin, leaves the same state and is answered alike; so is one about nothing that is
// there, and one that says too little. Whatever an operation declares as a door joins the table by that.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { tables } from '../db/schema/sqlite.ts';
import type { AnyOperation } from '../src/contract/operation.ts';
import { registry } from '../src/operations/registry.ts';
import { SAMPLE } from '../src/schemas/samples.ts';
import { idMaker, Random } from './sim/random.ts';
import { type Door, doorsOf } from './support/doors.ts';
import { exampleInput } from './support/examples.ts';
import { absentScene, BYSTANDER, counterpart, type Scene, sceneOf } from './support/scene.ts';
import { readStoredTables } from './support/store.ts';
import { openTestService, START_MS, type TestService } from './support/testbed.ts';
import { virtualClock } from './support/virtual-clock.ts';

/** Of secrets that each service draws for itself, or that are sealed with a number used once. */
const OWN_SECRETS = /hash$|secret$|^sealed|^payload$/;

/** How often a row was written says how pushes were gathered, which hangs on the machine, and so does how long an answer took; a key
 * is used at one door where the other takes a session; and addresses that letters are answered to are named by a key of the
 * service's own. */
const OF_THE_MACHINE: Readonly<Record<string, readonly string[]>> = {
  webhook_logs: ['response_ms'],
  reply_tokens: ['id'],
  api_keys: ['prefix', 'used_at', 'version'],
  subscriptions: ['key_id'],
  router_calls: ['latency_ms'],
};

/** The service as one that is at rest after each answer, so that it does not hang on the machine whether what an answer set off ran
 * before the next call or after it. */
function atRest(t: TestService): TestService {
  const then = async <T>(answer: Promise<T>): Promise<T> => {
    const answered = await answer;
    await t.rest();
    return answered;
  };
  return { ...t, call: (...asked) => then(t.call(...asked)), fetch: (asked) => then(t.fetch(asked)) };
}

/** Services of equal making: the same ids, the same luck, the same time. */
let twins: readonly [TestService, TestService];
async function twin(): Promise<TestService> {
  const [clock, luck] = [virtualClock(START_MS), new Random(7, 'luck')];
  const id = idMaker(new Random(7, 'ids'), clock);
  const t = atRest(await openTestService({}, 'memory', { clock, id, random: (count) => luck.bytes(count) }));
  await counterpart(t);
  await t.rest();
  return t;
}
async function born(): Promise<void> {
  twins = [await twin(), await twin()];
}
const close = (): Promise<unknown> => Promise.all(twins.map((t) => t.close()));
beforeAll(born);
afterAll(close);

const cases = registry().flatMap((operation) => {
  const [first, ...others] = doorsOf(operation);
  return first ? others.map((other) => ({ operation, first, other, name: `${operation.name}: ${other.name}` })) : [];
});

/** All rows of a service, each as one text. */
async function state({ service }: TestService): Promise<Set<string>> {
  const rows = new Set<string>();
  const names = Object.keys(tables);
  const all = await readStoredTables(
    service.world.settings.data_dir,
    names.map((table) => `select * from ${table}`),
  );
  for (const [at, table] of names.entries()) {
    for (const row of all[at] ?? []) {
      const told = Object.entries(row).filter(
        ([column, value]) =>
          !OWN_SECRETS.test(column) && !(value instanceof Uint8Array) && !OF_THE_MACHINE[table]?.includes(column),
      );
      rows.add(`${table} ${JSON.stringify(told)}`);
    }
  }
  return rows;
}

/** What makes the address of a page that nobody can guess, by a key of the service's own. */
const PAGE_TOKEN = /(?<=\/sandbox\/\w+\/[\w-]+\/)[\w-]{43}/g;

/** What a link for a person bears, marked by a key of the service's own, and what the row that keeps it is called by. */
const OF_A_LINK = /(?<=\/handoff\/)[\w-]{43}\.[\da-f]{32}|(?<=handoff:)[\da-f]{64}/g;

/** How long an address took to answer. */
const TOOK = /(?<="(?:response|latency)_ms":)\d+/g;

/** What is signed by a key of the service's own: its claims alone are alike. */
const SIGNED = /\beyJ[\w-]+\.(eyJ[\w-]+)\.[\w-]{86}/g;

/** A text with what is signed in it, and in what is signed, as its claims. */
function unsigned(text: string): string {
  return text.replaceAll(SIGNED, (_jws, claims: string) => {
    const said = unsigned(Buffer.from(claims, 'base64url').toString('utf8'));
    // It stands within a JSON string.
    return JSON.stringify(said).slice(1, -1);
  });
}

/** What stands for a sample differs where it is drawn for each: `theirs` as it is called in `mine`. */
function alike(theirs: unknown, pairs: ReadonlyMap<string, string>): unknown {
  let text = unsigned(JSON.stringify(theirs))
    .replaceAll(PAGE_TOKEN, 'unguessable')
    .replaceAll(TOOK, '0')
    .replaceAll(OF_A_LINK, 'marked');
  for (const [their, mine] of pairs) text = text.replaceAll(their, mine);
  return JSON.parse(text);
}

function pairUp(theirs: unknown, mine: unknown, pairs: Map<string, string>): void {
  if (typeof theirs === 'string' && typeof mine === 'string' && theirs !== mine) pairs.set(theirs, mine);
  if (typeof theirs !== 'object' || theirs === null || typeof mine !== 'object' || mine === null) return;
  for (const [name, value] of Object.entries(theirs)) pairUp(value, (mine as Record<string, unknown>)[name], pairs);
}

let scenes = 0;
/** All rows are read before and after each call, so the twins are replaced after so many scenes, before they hold much. */
const SCENES_MAX = 20;

/** An example as it is, or otherwise. */
const WAYS = {
  'as it is declared': (scene: Scene) => scene,
  'about nothing that is there': absentScene,
  'about somebody else': (scene: Scene) => ({ ...scene, owner: { ...scene.owner, handle: BYSTANDER } }),
  'with too little said': (scene: Scene) => scene,
} as const satisfies Record<string, (scene: Scene) => Scene>;
type Way = keyof typeof WAYS;

/** What an operation needs that stands in none of its addresses. */
function neededBeside({ input, rest, tools = [] }: AnyOperation): readonly string[] {
  const inAddress = rest.flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  const { required = [] } = input as { required?: readonly string[] };
  // Without that argument the tool is another operation's.
  const decides = tools.flatMap(({ when }) => (when && 'given' in when ? [when.argument as string] : []));
  return required.filter((field) => !inAddress.includes(field) && !decides.includes(field));
}

/** The ways that differ for an operation. */
function waysOf(operation: AnyOperation): readonly Way[] {
  const said = Object.values(operation.example ?? {});
  const samples: readonly unknown[] = Object.values(SAMPLE);
  return [
    'as it is declared',
    ...(said.some((value) => samples.includes(value)) ? (['about nothing that is there'] as const) : []),
    ...(said.includes(SAMPLE.handle) ? (['about somebody else'] as const) : []),
    ...(neededBeside(operation).length > 0 ? (['with too little said'] as const) : []),
  ];
}

async function inputOf(operation: AnyOperation, other: Door, scene: Scene, way: Way): Promise<Record<string, unknown>> {
  const input = { ...(await exampleInput(operation, WAYS[way](scene))) };
  if (way === 'with too little said') for (const field of neededBeside(operation)) delete input[field];
  return { ...other.narrow(input) };
}

/** What came of a call: how it was answered, which rows came and which went. */
async function outcome(t: TestService, scene: Scene, door: Door, input: Record<string, unknown>): Promise<unknown> {
  await t.rest();
  const before = await state(t);
  const told = await door.call(scene, input);
  await t.rest();
  const after = await state(t);
  return {
    told,
    came: [...after].filter((row) => !before.has(row)).toSorted(),
    went: [...before].filter((row) => !after.has(row)).toSorted(),
  };
}

async function compare({ operation, first, other }: (typeof cases)[number], way: Way): Promise<string> {
  if (scenes++ % SCENES_MAX === SCENES_MAX - 1) {
    await close();
    await born();
  }
  const [mine, theirs] = twins;
  const [here, there] = [await sceneOf(mine, `owner_${scenes}`), await sceneOf(theirs, `owner_${scenes}`)];
  // Made for both, whichever door asks for it.
  await Promise.all([here.full_key(), there.full_key()]);
  const input = await inputOf(operation, other, here, way);
  const same = await inputOf(operation, other, there, way);
  const pairs = new Map<string, string>();
  pairUp(same, input, pairs);
  const expected = await outcome(mine, here, first, input);
  expect(alike(await outcome(theirs, there, other, same), pairs)).toEqual(alike(expected, new Map()));
  await Promise.all(twins.map((t) => t.advance(1_000)));
  return (expected as { told: { end: string } }).told.end;
}

test('the table holds all that has several doors', () => {
  expect(cases.length).toBeGreaterThan(50);
});

/** A machine so busy that one of the twins was cut short makes them differ from then on; what differs between doors differs again
 * between twins that were born anew. */
async function compareTwice(each: (typeof cases)[number], way: Way): Promise<string> {
  try {
    return await compare(each, way);
  } catch (error) {
    console.warn(`${each.name}, ${way}: compared once more, by new twins, after ${String(error).slice(0, 60)}`);
    await close();
    await born();
    return compare(each, way);
  }
}

const ways = cases.flatMap((each) => waysOf(each.operation).map((way) => ({ ...each, way })));
test.each(ways)('$name does the same, and answers alike, $way', async (each) => {
  const end = await compareTwice(each, each.way);
  if (each.way === 'as it is declared') expect(end).toBe('ok');
});
