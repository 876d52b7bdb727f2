// Guards that refusals read in the language of the app: each text is of a message that the service says, and each message that the app
// can meet has one in German.
import { expect, test } from 'bun:test';
import { Glob } from 'bun';
import { Type } from 'typebox';
import { refusalOf } from '../../src/client/error.ts';
import { de } from '../../src/dashboard/words/de.ts';
import { en } from '../../src/dashboard/words/en.ts';
import { inWords } from '../../src/dashboard/words/refusal.ts';
import { englishLabel } from '../../src/dashboard/words/taxonomy.ts';
import { FAULTS, isFault } from '../../src/domain/fault.ts';
import { TAXONOMY } from '../../src/domain/listing/taxonomy.ts';
import { InputCheck } from '../../src/pipeline/validate.ts';

const ROOT = `${import.meta.dir}/../..`;
const VALIDATOR = 'node_modules/typebox/build/system/locale/en_US.mjs';

/** A source with `{}` in place of values, and joined texts. */
const read = async (path: string): Promise<string> =>
  (await Bun.file(`${ROOT}/${path}`).text()).replaceAll(/['`] \+\s*['`]/g, '').replaceAll(/\$\{[^}]*\}/g, '{}');

const unescaped = (text: string): string => text.replaceAll(/\\(['`])/g, '$1');

async function sourcesIn(folders: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const paths = folders.flatMap((folder) => [...new Glob(`src/${folder}/**/*.ts`).scanSync(ROOT)]);
  return new Map(await Promise.all(paths.map(async (path) => [path, await read(path)] as const)));
}

const refused = (code: string, message: string, body: object = {}) =>
  inWords(
    refusalOf({ error: code, message, ...body }, { status: 400, headers: new Headers() }, 'agent.create'),
    de.refusals,
  );

test('each text is of a message that the service says', async () => {
  const sources = await sourcesIn(['domain', 'operations', 'steps', 'pipeline', 'schemas', 'outbound']);
  const all = unescaped([...sources.values(), await read(VALIDATOR)].join('\n'));
  // The validator names the comparison and the type as values.
  const says = (text: string): boolean =>
    all.includes(text) || all.includes(text.replace(/^must be ([<>=]+ )?(\{\}|integer)$/, 'must be {}'));
  const texts = [de, en].flatMap(({ refusals }) => Object.keys(refusals.said));
  expect(texts.filter((text) => !says(text))).toEqual([]);
});

/** What only programs meet: the app has no form that sends what is refused so, or no person reads it. */
const NOT_IN_THE_APP: ReadonlySet<string> = new Set([
  // Forms choose or leave out these fields.
  'Use a whole number from 0 to 100.{}',
  'Use ISO 3166-1 codes such as US or DE.',
  'Each tier needs an id of its own; leave it out.',
  "Name one of {}) => id).join(', ')}.",
  'Must be {}, or left out.',
  'The weight is 0 to 1.',
  '{} belongs to the card_type {}.',
  'Must be the same as fields.site_domain, or left out.',
  'Give the raw 32 bytes of an Ed25519 public key in base64url (43 characters).',
  'Give either amount_cents or listing_id.',
  'Name one quote: by quote_id, or by the handle of its seller.',
  'Give amount_cents or amount, or the same value in both.',
  'differs from amount_cents; give one of them',
  'not with match_id: the match names its listing',
  'give a match here, or one of your listings in listing_id',
  'Give exactly one of id, email or handle.',
  'Name the key by key_id.',
  'is none of {}',
  'must be a path of this site, such as /app/inbox',
  'Nest at most {} levels.',
  'Use the X-Next-Cursor of a page.',
  'This cursor is not valid.',
  'must be 1 to 255 visible characters',
  // The app pays out to bank accounts alone.
  'Give the chain of the address.',
  'Give the destination address.',
  'Supported chains: {}.',
  'A withdrawal to a chain requires one.',
  // Keys, key pairs, tasks and programs that wait.
  'Give the raw 64 bytes of an Ed25519 signature in base64url (86 characters).',
  'Only a signed-in person can switch autopilot on; a key may switch it off. {} starts a session.',
  'A key that is bound to an agent cannot create agents.',
  'A person set {}: a key may narrow it, only a session may widen it.',
  'A key that is bound to an agent cannot change the preferences of the account.',
  'The budget of this key does not name that recipient.',
  'The budget of this key does not name that capability.',
  "The agent's own webhook gets every event; mute some by wake.mute.",
  'The API key is wrong, expired or revoked.',
  'The first answer can only be replayed to the credential that got it.',
  'This needs the header X-Internal-Token.',
  'X-Internal-Token is not taken from browsers.',
  'this call has no dry run; leave it out to make the call',
  'A task has {} push configs at most; delete one.',
  'Metadata have at most {} bytes as JSON.',
  'Give a file its `url` or its `bytes`, one of them.',
  'The parts of a message have at most {} bytes as JSON.',
  'Wait {} seconds between two polls.',
  // No refusals.
  'Of hemp, in three days.',
  'Your webhook works.',
]);

/** A literal after the code of a fault, or as the message of a field. */
const LITERAL =
  /(?:fault\(\s*'[a-z_]+',\s*(?:guide)?|\bmessage(?::| =)\s*)(?:'((?:\\.|[^'\n])*)'|`((?:\\.|[^`])*)`|"([^"\n]*)")/g;

test('each message that the app can meet has a German text', async () => {
  const app = await Bun.file(`${ROOT}/src/dashboard/operations.ts`).text();
  const called = new Set([...app.matchAll(/operations\/([\w/-]+\.ts)'/g)].map(([, path]) => `src/operations/${path}`));
  const sources = await sourcesIn(['domain', 'operations', 'steps', 'pipeline']);
  const met = [...sources].filter(([path]) => !path.startsWith('src/operations/') || called.has(path));
  const said = met.flatMap(([, text]) =>
    [...text.matchAll(LITERAL)].map(([, a, b, c]) => unescaped(a ?? b ?? c ?? '')),
  );
  const english = new Set(said.filter((message) => refused('none', message).message === message));
  expect([...english.symmetricDifference(NOT_IN_THE_APP)]).toEqual([]);
});

test('a code has a text of its own', () => {
  for (const [code, { message }] of Object.entries(FAULTS)) {
    expect([code, refused(code, message).message]).not.toEqual([code, message]);
  }
});

test('values are kept, in their order', () => {
  expect(refused('plan_limit', 'Your plan allows 3 requests a day.').message).toBe(
    'Ihr Tarif erlaubt 3 Anfragen am Tag.',
  );
  expect(refused('conflict', 'Some news.').message).toBe(de.refusals.codes['conflict'] ?? '');
  expect(refused('some_new_code', 'Some news.').message).toBe('Some news.');
});

test('what validation says of a field is in German', () => {
  const check = new InputCheck(
    Type.Object({
      absent: Type.String(),
      short: Type.String({ minLength: 3 }),
      long: Type.String({ maxLength: 3 }),
      low: Type.Integer({ minimum: 1 }),
      high: Type.Integer({ maximum: 1 }),
      whole: Type.Integer(),
      one: Type.Enum(['a', 'b']),
    }),
  );
  const wrong = check.check({ short: 'a', long: 'abcd', low: 0, high: 2, whole: 1.5, one: 'c' });
  if (!isFault(wrong)) throw new Error('the input is wrong');
  const fields = wrong.data.fields ?? [];
  const { message, fields: told } = refused('invalid_request', String(wrong.message), { fields });
  expect(message).toBe('Etwas fehlt oder stimmt nicht.');
  expect(Object.fromEntries(told.map((each) => [each.path, each.message]))).toEqual({
    absent: 'Bitte ausfüllen.',
    short: 'Mindestens 3 Zeichen.',
    long: 'Höchstens 3 Zeichen.',
    low: 'Mindestens 1.',
    high: 'Höchstens 1.',
    whole: 'Eine ganze Zahl.',
    one: 'Muss eines davon sein: a, b.',
  });
});

test('the listing taxonomy has German texts, and no other ones', () => {
  const { kinds, fields, choices } = de.taxonomy;
  const plain = TAXONOMY.flatMap((entry) => Object.entries(entry.fields.properties)).filter(
    ([name]) => name !== 'price_cents' && name !== 'availability',
  ) as [string, { description?: string; enum?: string[] }][];
  expect(Object.keys(kinds).sort()).toEqual([...new Set(TAXONOMY.map(({ label }) => label))].sort());
  expect(Object.keys(fields).sort()).toEqual(
    [...new Set(plain.map(([name, { description }]) => englishLabel(name, description)))].sort(),
  );
  expect(Object.keys(choices).sort()).toEqual([...new Set(plain.flatMap(([, each]) => each.enum ?? []))].sort());
});
