// The OpenAPI 3.1 document of every operation with a REST binding, made from the registry: the routes, the validation
// and this document cannot differ, because all three read the same declarations. Aliases stay out of it.

import type { TSchema } from 'typebox';
import type { AnyOperation, RestBinding } from '../contract/operation.ts';
import type { Code } from '../domain/fault.ts';
import { EVENT_KINDS, type EventKind, specOf } from '../domain/inbox/event.ts';
import { INSTANCE, type Instance } from '../domain/instance.ts';
import type { StepForm } from '../domain/next-step.ts';
import { STATUSES } from '../domain/notes.ts';
import { DryRun } from '../schemas/money.ts';
import { componentOf } from '../schemas/named.ts';
import { descriptionText } from '../schemas/next-step.ts';
import { SAMPLE } from '../schemas/samples.ts';
import { isShown, nounOf, type Part } from './openapi/part.ts';
import { PROTOCOL_TAGS, protocolPaths } from './openapi/protocol-paths.ts';
import {
  documented,
  ERROR_SCHEMA,
  exampleOf,
  faultsOf,
  HEADERS,
  isMutation,
  type Json,
  loneRefusal,
  refusals,
  Shapes,
  success,
} from './openapi/responses.ts';
import { restCall, restForm } from './rest.ts';

// Events in the OpenAPI document: the data of an event by its kind, and the webhook that delivers it. The data of a kind is
// written once, and both refer to it.

const MORE_KINDS = 'Kinds are added without a new version; pass over one that you do not know.';

/** A name in PascalCase: `EscrowDisputeOpened`. */
function pascal(kind: EventKind): string {
  return kind.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function object(properties: Json, description: string): Json {
  return { type: 'object', description, required: Object.keys(properties), properties };
}

/** A union of the kinds; `by` is the discriminating field, `fields` are those that a kind decides, `as` is its place. */
function byKind(
  shapes: Shapes,
  { suffix, by, as, head }: { readonly suffix: string; readonly by: string; readonly as: string; readonly head: Json },
  fields: (kind: EventKind, data: unknown) => Json,
): Json {
  const mapping = EVENT_KINDS.map((kind) => {
    const { data, when } = specOf(kind);
    const held = shapes.refer(`${pascal(kind)}Data`, { ...(documented(data, shapes) as Json), description: when });
    const properties = fields(kind, held);
    const allOf = [head, { type: 'object', required: Object.keys(properties), properties }];
    const of_kind = { description: `${when}, as ${as}`, allOf };
    return [kind, shapes.refer(`${pascal(kind)}${suffix}`, of_kind)] as const;
  });
  return {
    oneOf: mapping.map(([, reference]) => reference),
    discriminator: {
      propertyName: by,
      mapping: Object.fromEntries(mapping.map(([kind, { $ref }]) => [kind, $ref])),
    },
  };
}

/** The shape of an event by kind; `body` is the shape for any kind. */
function eventByKind({ description, ...body }: Json, shapes: Shapes): Json {
  const { kind: _kind, data: _data, ...properties } = body['properties'] as Json;
  const required = (body['required'] as string[]).filter((name) => name in properties);
  const head = shapes.refer('InboxEventHead', {
    ...body,
    description: 'what every event says, whatever its kind',
    required,
    properties,
  });
  const kinds = byKind(shapes, { suffix: 'Event', by: 'kind', as: 'an inbox shows it', head }, (kind, data) => ({
    kind: { type: 'string', const: kind },
    data,
  }));
  return { description: `${String(description)}. ${MORE_KINDS}`, ...kinds };
}

const TIME = { type: 'string', format: 'date-time' };
const ID = { type: 'string', format: 'uuid' };

/** The webhooks of the document. */
function webhooks(shapes: Shapes): Json {
  const head = shapes.refer(
    'WebhookHead',
    object(
      {
        id: ID,
        seq: { type: 'integer', minimum: 1 },
        epoch: { type: 'integer', minimum: 1, description: 'raised when the service was restored from a backup' },
        timestamp: { ...TIME, description: 'when it happened' },
      },
      'what every delivery begins with; `id` is the same in every attempt at an event',
    ),
  );
  const told = shapes.refer(
    'WebhookDataHead',
    object(
      {
        id: ID,
        event: { type: 'string' },
        handle: { type: 'string', description: 'whose inbox' },
        delivered_at: { ...TIME, description: 'when this attempt was made' },
      },
      'what stands in `data` beside what the kind holds',
    ),
  );
  const kinds = byKind(shapes, { suffix: 'Delivery', by: 'type', as: 'a webhook brings it', head }, (kind, data) => ({
    type: { type: 'string', const: kind },
    event: { type: 'string', const: kind },
    data: { allOf: [told, data] },
  }));
  const schema = shapes.refer('WebhookEvent', {
    description: `the body of a webhook. ${MORE_KINDS}`,
    ...kinds,
  });
  return {
    event: {
      post: {
        operationId: 'webhook.event',
        summary: 'An event of an agent',
        description:
          'Sent to the address of a webhook for each event that it subscribes to, signed as Standard Webhooks say ' +
          '(`webhook-id`, `webhook-timestamp`, `webhook-signature`) and by `X-Webhook-Signature`.',
        tags: ['webhook'],
        security: [],
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: { '2XX': { description: 'The event is taken. After any other answer it counts as failed.' } },
      },
    },
  };
}

// One input schema split into path, query and header parameters and a body, the same way as the REST door folds them.

interface Field {
  readonly name: string;
  readonly schema: Json;
  readonly required: boolean;
}

/** Where each input field of a binding comes from. */
interface Split {
  readonly path: readonly Field[];
  readonly query: readonly Field[];
  readonly headers: readonly (Field & { readonly header: string })[];
  /** Null when the binding takes no body. */
  readonly body: readonly Field[] | null;
}

function fieldsOf(schema: TSchema, shapes: Shapes): Field[] {
  const { properties = {}, required = [] } = schema as { properties?: Json; required?: readonly string[] };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    schema: documented(property, shapes) as Json,
    required: required.includes(name),
  }));
}

/** Whether a binding's input beyond path and headers is read from the query string. */
function readsQuery(binding: RestBinding): boolean {
  return binding.method === 'GET' || binding.method === 'DELETE';
}

/** Splits an input schema for one binding; every path parameter appears, declared or not. Beside a raw body everything
 * else comes by query string or header. */
function split(input: TSchema, binding: RestBinding, shapes: Shapes, raw = false): Split {
  const fields = fieldsOf(input, shapes);
  const named = [...binding.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const path = named.map((name) => {
    const declared = fields.find((field) => field.name === name);
    const schema = declared?.schema ?? { type: 'string', description: "the acting agent's handle" };
    return { name, schema, required: true };
  });
  const headers = Object.entries(binding.headers ?? {}).flatMap(([name, header]) => {
    const field = fields.find((each) => each.name === name);
    return field ? [{ ...field, header }] : [];
  });
  const taken = new Set([...named, ...headers.map(({ name }) => name)]);
  const rest = fields.filter(({ name }) => !taken.has(name));
  if (readsQuery(binding)) return { path, query: rest, headers, body: null };
  if (!raw) return { path, query: [], headers, body: rest };
  const isRaw = ({ name }: Field): boolean => name === 'raw';
  return { path, query: rest.filter((field) => !isRaw(field)), headers, body: rest.filter(isRaw) };
}

/** The body's schema, under the name of the input if that has one; `strict` when it allows no other members. */
function bodySchema(input: TSchema, fields: readonly Field[], shapes: Shapes, strict = false): Json {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const properties = Object.fromEntries(fields.map(({ name, schema }) => [name, schema]));
  const body = {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    ...(strict && { additionalProperties: false }),
  };
  const component = componentOf(input);
  if (!component) return body;
  const { description } = component.shape as { description?: string };
  return shapes.refer(component.name, description === undefined ? body : { description, ...body });
}

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

/** The fields of the example by name; an acting agent in the path is the one of all examples. */
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

/** The common parts of a document's operations, collected while they are written. */
interface Gathered {
  readonly codes: Set<Code>;
  readonly lone: Set<Code>;
  readonly nouns: Set<string>;
  readonly shapes: Shapes;
  /** How calls are named. */
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

/** The successful responses: as declared, and 200 for a dry run. */
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

function* pathsOf(operations: readonly AnyOperation[], gathered: Gathered): Generator<void, Json> {
  const paths: Record<string, Record<string, unknown>> = {};
  const spellings = new Map<string, string>();
  for (const operation of operations) {
    yield;
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

/** The same as `openapiDocument`, in steps. */
export function* documentSteps(
  operations: readonly AnyOperation[],
  base_url: string,
  part: Part = {},
  { name, terms_url }: Pick<Instance, 'name' | 'terms_url'> = INSTANCE,
): Generator<void, Json> {
  const shapes = new Shapes('#/components/schemas/', restCall, { InboxEvent: eventByKind });
  shapes.refer('Error', ERROR_SCHEMA);
  const gathered: Gathered = {
    codes: new Set(),
    lone: new Set(),
    nouns: new Set(),
    shapes,
    addresses: restForm(operations),
  };
  const own = yield* pathsOf(
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
      title: name,
      version: VERSION,
      summary: 'A self-hosted network in which software agents represent people and businesses.',
      description: INTRODUCTION,
      ...(terms_url !== null && { termsOfService: terms_url }),
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

/** The document, or a part of it; `base_url` is where the service is reached. */
export function openapiDocument(...of: Parameters<typeof documentSteps>): Json {
  const steps = documentSteps(...of);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
