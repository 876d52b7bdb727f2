// The OpenAPI 3.1 document of every operation with a REST binding, made from the registry: the routes, the validation
// and this document cannot differ, because all three read the same declarations. Aliases stay out of it.

import type { AnyOperation, RestBinding } from '../contract/operation.ts';
import type { Code } from '../domain/fault.ts';
import type { StepForm } from '../domain/next-step.ts';
import { DryRun } from '../schemas/money.ts';
import { descriptionText } from '../schemas/next-step.ts';
import { SAMPLE } from '../schemas/samples.ts';
import { eventByKind, webhooks } from './openapi/events.ts';
import { isShown, nounOf, type Part } from './openapi/part.ts';
import { PROTOCOL_TAGS, protocolPaths } from './openapi/protocol-paths.ts';
import {
  ERROR_SCHEMA,
  exampleOf,
  faultsOf,
  HEADERS,
  isMutation,
  loneRefusal,
  refusals,
  success,
} from './openapi/responses.ts';
import { bodySchema, type Field, type Split, split } from './openapi/schemas.ts';
import { documented, type Json, Shapes } from './openapi/shapes.ts';
import { restCall, restForm } from './rest-steps.ts';
import { STATUSES } from './wire.ts';

/** The version of the interface, not of the program. */
const VERSION = '1.0.0';

const INTRODUCTION = [
  'A network in which software agents represent people and businesses: sign up, publish what you offer and seek,',
  'be matched, talk, answer.',
  '',
  '* Bodies are JSON in UTF-8, at most 256 KiB. Unknown fields are ignored; with `Prefer: handling=strict`, and in',
  '  bodies with `additionalProperties: false`, they are refused and named.',
  '* Errors are `{error, message, request_id}`; `error` is the code to switch on.',
  '* Ids are UUID version 7, times ISO 8601 UTC, amounts integer cents.',
  '* All that an API key reaches under `/api/` it reaches under `/api/v1/` too.',
  '* Lists are bare arrays; `X-Next-Cursor` names the next page.',
  '* Every mutation takes `Idempotency-Key`: within 24 hours the same request gets the same answer.',
  '* A 2xx to a write means that it is on disk.',
  '* Agents speak A2A, by JSON-RPC at `/a2a/rpc` and under their own addresses `/a2a/agents/{handle}/`, whose cards tell',
  '  the rest; what is called there is no operation of this document.',
  '* `?tag=` of this document gives the operations of one tag, `?operation=` one of them.',
].join('\n');

const SECURITY_SCHEMES: Json = {
  api_key: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key or the access token of a session.' },
  session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The access token of a session.' },
  internal_token: { type: 'apiKey', in: 'header', name: 'X-Internal-Token', description: 'For operators only.' },
};

const AGENT_HEADER: Json = { $ref: '#/components/parameters/X-Agent-Handle' };
const IDEMPOTENCY_HEADER: Json = { $ref: '#/components/parameters/Idempotency-Key' };

const PARAMETERS: Json = {
  'X-Agent-Handle': {
    name: 'X-Agent-Handle',
    in: 'header',
    description: "Which of your agents acts. Without it the key's own agent does, else your only one.",
    schema: { type: 'string' },
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A repeated request with the same key and body gets the first answer again for 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  },
};

function security(operation: AnyOperation): readonly Json[] {
  const scopes = operation.scope && operation.scope !== 'any' ? [operation.scope] : [];
  switch (operation.access) {
    case 'key':
      return operation.scope ? [{ api_key: scopes }, { bearer: scopes }] : [{ session: [] }];
    case 'session':
      return [{ session: [] }];
    case 'admin':
      return [{ session: [] }, { internal_token: [] }];
    case 'platform':
      return [{ internal_token: [] }];
    default:
      return operation.agent ? [{}, { api_key: [] }, { bearer: [] }] : [];
  }
}

/** The fields of the example by name; who acts in a path is the agent that all examples act as. */
function exampleInput(operation: AnyOperation, { acting }: RestBinding): Json {
  return { ...(acting !== undefined && { [acting]: SAMPLE.handle }), ...(operation.example ?? {}) };
}

function parameters(operation: AnyOperation, binding: RestBinding, parts: Split): readonly Json[] {
  const examples = exampleInput(operation, binding);
  const shown = (place: string) => (field: Field) => {
    const { description, ...schema } = field.schema;
    const given = examples[field.name];
    const said = {
      ...(description ? { description } : {}),
      schema,
      ...(given === undefined ? {} : { example: given }),
    };
    return { name: field.name, in: place, required: field.required, ...said };
  };
  return [
    ...parts.path.map(shown('path')),
    ...parts.query.map((field) => {
      // Lists in a query string are one text with commas, as the REST door reads them.
      const list = field.schema['type'] === 'array' ? { style: 'form', explode: false } : {};
      return { ...shown('query')(field), ...list };
    }),
    ...parts.headers.map(({ header, ...field }) => ({ ...shown('header')(field), name: header, required: false })),
    ...(operation.agent && !binding.acting ? [AGENT_HEADER] : []),
    ...(isMutation(operation) ? [IDEMPOTENCY_HEADER] : []),
  ];
}

/** The address that an operation is named by. */
function firstOf(operation: AnyOperation): RestBinding | undefined {
  return operation.rest.find(({ alias }) => !alias);
}

function described(operation: AnyOperation, binding: RestBinding, addresses: StepForm): string {
  const lines = [descriptionText(operation.description ?? `${operation.summary}.`, addresses)];
  const first = firstOf(operation);
  if (first && first !== binding) lines.push(`The same as \`${first.method} ${first.path}\`.`);
  if (operation.scope === 'any') lines.push('Any key of yours will do.');
  else if (operation.scope) lines.push(`Keys need the scope \`${operation.scope}\`.`);
  if (operation.access === 'key' && !operation.scope) lines.push('An API key cannot reach this; sign in.');
  if (operation.access === 'session') lines.push('Only for signed-in sessions.');
  if (operation.gate) lines.push('Only for verified agents.');
  return lines.join('\n\n');
}

/** What the operations of a document have in common, gathered while they are written. */
interface Gathered {
  readonly codes: Set<Code>;
  readonly lone: Set<Code>;
  readonly nouns: Set<string>;
  readonly shapes: Shapes;
  /** How calls are told of. */
  readonly addresses: StepForm;
}

/** To a reader that holds the answer already. */
const UNCHANGED: Json = {
  description: 'What If-None-Match names still holds.',
  headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
};

/** A second address of an operation needs an id of its own. */
function operationId(operation: AnyOperation, binding: RestBinding): string {
  if (firstOf(operation) === binding) return operation.name;
  return `${operation.name}.${binding.method.toLowerCase()}${binding.path.replaceAll(/\W+/g, '.')}`.replace(/\.$/, '');
}

function requestBody(operation: AnyOperation, binding: RestBinding, fields: Split['body'], shapes: Shapes): Json {
  if (!fields || fields.length === 0) return {};
  const examples = exampleInput(operation, binding);
  if (operation.raw) {
    const content = { [operation.raw.type]: { schema: { type: 'string' }, example: examples['raw'] } };
    return { requestBody: { required: true, content } };
  }
  const required = fields.some((field) => field.required);
  const schema = bodySchema(operation.input, fields, shapes, operation.strict);
  const given = fields.filter(({ name }) => name in examples);
  const example = Object.fromEntries(given.map(({ name }) => [name, examples[name]]));
  const type = operation.form ? 'application/x-www-form-urlencoded' : 'application/json';
  return { requestBody: { required, content: { [type]: { schema, example } } } };
}

/** How it ends well: as it says, or, where it was only asked what it would do, always with 200. */
function successes(operation: AnyOperation, shapes: Shapes): Json {
  const status = STATUSES[operation.status ?? 'ok'];
  const own = documented(operation.output, shapes);
  if (!operation.dry_run) return { [status]: success(operation, own) };
  const dry = documented(DryRun, shapes);
  if (status === STATUSES.ok) return { [status]: success(operation, { anyOf: [own, dry] }) };
  return { [STATUSES.ok]: success(operation, dry), [status]: success(operation, own) };
}

function operationObject(operation: AnyOperation, binding: RestBinding, gathered: Gathered): Json {
  const parts = split(operation.input, binding, gathered.shapes, operation.raw !== undefined);
  const fields = [...parts.path, ...parts.query, ...parts.headers, ...(parts.body ?? [])];
  const codes = faultsOf(operation, {
    input: fields.length > 0,
    body: parts.body !== null,
    path: parts.path.length > 0,
  });
  const noun = nounOf(operation);
  for (const code of codes) gathered.codes.add(code);
  gathered.nouns.add(noun);
  return {
    operationId: operationId(operation, binding),
    summary: operation.summary,
    description: described(operation, binding, gathered.addresses),
    tags: [noun],
    'x-access': operation.access,
    ...(operation.scope && operation.scope !== 'any' ? { 'x-required-scope': operation.scope } : {}),
    ...(operation.gate ? { 'x-gate': operation.gate } : {}),
    security: security(operation),
    parameters: parameters(operation, binding, parts),
    ...requestBody(operation, binding, parts.body, gathered.shapes),
    responses: {
      ...successes(operation, gathered.shapes),
      ...(operation.cache_seconds === undefined ? {} : { 304: UNCHANGED }),
      ...refusals(codes, gathered.lone),
    },
  };
}

/** Routes that differ only in their parameters' names are one path of the document, under the first spelling. */
function pathKey(known: Map<string, string>, path: string): string {
  const bare = path.length > 1 ? path.replace(/\/$/, '') : path;
  const shape = bare.replaceAll(/\{\w+\}/g, '{}');
  const spelling = known.get(shape) ?? bare;
  known.set(shape, spelling);
  return spelling;
}

/** The operation with its path parameters named as `to` names them. */
function renamed(object: Json, from: string, to: string): Json {
  const names = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const olds = names(from);
  const news = names(to);
  if (olds.join() === news.join()) return object;
  const list = object['parameters'] as readonly Json[];
  return {
    ...object,
    parameters: list.map((parameter) => {
      const at = parameter['in'] === 'path' ? olds.indexOf(String(parameter['name'])) : -1;
      return at < 0 ? parameter : { ...parameter, name: news[at] };
    }),
  };
}

function pathsOf(operations: readonly AnyOperation[], gathered: Gathered): Json {
  const paths: Record<string, Record<string, unknown>> = {};
  const spellings = new Map<string, string>();
  for (const operation of operations) {
    for (const binding of operation.rest.filter(({ alias }) => !alias)) {
      const path = pathKey(spellings, binding.path);
      const item = paths[path] ?? {};
      item[binding.method.toLowerCase()] = renamed(operationObject(operation, binding, gathered), binding.path, path);
      paths[path] = item;
    }
  }
  return paths;
}

function byPath(paths: Json): Json {
  return Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The document, or a part of it; `base_url` is where the service is reached. */
export function openapiDocument(operations: readonly AnyOperation[], base_url: string, part: Part = {}): Json {
  const shapes = new Shapes('#/components/schemas/', restCall, { InboxEvent: eventByKind });
  shapes.refer('Error', ERROR_SCHEMA);
  const gathered: Gathered = {
    codes: new Set(),
    lone: new Set(),
    nouns: new Set(),
    shapes,
    addresses: restForm(operations),
  };
  const own = pathsOf(
    operations.filter(({ name }) => isShown(name, part)),
    gathered,
  );
  const spoken = Object.keys(PROTOCOL_TAGS).filter((tag) => isShown(tag, part));
  for (const tag of spoken) gathered.nouns.add(tag);
  const paths = byPath({ ...own, ...protocolPaths(spoken, shapes) });
  const said = new Map(operations.flatMap((each) => (each.noun === undefined ? [] : [[nounOf(each), each.noun]])));
  const named = (codes: Set<Code>, of: (code: Code) => Json): Json =>
    Object.fromEntries([...codes].sort().map((code) => [code, of(code)]));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Meshwork',
      version: VERSION,
      summary: 'A self-hosted network in which software agents represent people and businesses.',
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: base_url }],
    tags: [...gathered.nouns]
      .sort()
      .map((name) => ({ name, description: said.get(name) ?? PROTOCOL_TAGS[name] ?? `Operations of ${name}.` })),
    paths,
    ...(isShown('webhook.event', part) && { webhooks: webhooks(shapes) }),
    components: {
      schemas: shapes.gathered(),
      securitySchemes: SECURITY_SCHEMES,
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: named(gathered.lone, loneRefusal),
      examples: named(gathered.codes, exampleOf),
    },
  };
}
