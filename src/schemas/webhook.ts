// Webhooks and the logs of their deliveries as the wire shows them (rules.md 7).
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema/tables.ts';
import { BODY_SHOWN, DEADLINE_MS } from '../domain/inbox/webhook.ts';
import type { PushSecret } from '../domain/task/push.ts';
import { DIALECTS } from '../domain/task/task.ts';
import { textsWithin, words } from './authored.ts';
import { namedObject } from './named.ts';
import { Id, iso, isoOrNull, NullableText, NullableTime, nullable, Time } from './wire.ts';

export const WebhookShape = namedObject('Webhook', 'an address to which events are pushed', {
  id: Id,
  kind: Type.Enum(['agent', 'developer'], { description: 'agent: the one of the intake, which gets every event' }),
  url: Type.String(),
  events: Type.Array(Type.String(), { description: 'event names, or * alone' }),
  active: Type.Boolean({ description: 'false after 10 failures in a row, until it is enabled again' }),
  failure_count: Type.Integer({ minimum: 0, description: 'failures since the last success' }),
  retry: Type.Boolean({ description: 'whether a failed delivery is retried' }),
  created_at: Time,
  last_delivery_at: NullableTime,
});

/** A webhook with its secret, shown once. */
export const WebhookWithSecret = namedObject('WebhookWithSecret', 'a webhook, with the secret that signs its events', {
  ...WebhookShape.properties,
  signing_secret: Type.String({ description: 'whsec_ and base64 of 32 bytes; shown only once, store it' }),
});

export const WebhookLogShape = namedObject('WebhookLog', 'one attempt to push an event', {
  id: Id,
  event_id: Type.String({ description: 'the id in the inbox; of a test, one of its own' }),
  event: Type.String(),
  payload: textsWithin(Type.Record(Type.String(), Type.Unknown(), { description: 'the body as it was sent' })),
  http_status: nullable(Type.Integer()),
  response_ms: nullable(Type.Integer(), `given up after ${DEADLINE_MS}`),
  response_body: words(
    nullable(Type.String(), `the first ${BODY_SHOWN} bytes of the receiver's answer as text; null without any`),
  ),
  error: nullable(Type.String(), 'why there was no complete response'),
  timestamp: Time,
});

/** A webhook's row as its owner sees it. */
export function webhookView(row: Row<'webhooks'>): Static<typeof WebhookShape> {
  return {
    id: row.id,
    kind: row.kind,
    url: row.url,
    events: [...row.events],
    active: row.active === 1,
    failure_count: row.failure_count,
    retry: row.retry === 1,
    created_at: iso(row.created_at),
    last_delivery_at: isoOrNull(row.last_delivery_at),
  };
}

type Logged = Pick<
  Row<'webhook_logs'>,
  'id' | 'event_id' | 'event' | 'payload' | 'http_status' | 'response_ms' | 'response_body' | 'error'
>;

function logOf(row: Logged, at: number): Static<typeof WebhookLogShape> {
  const { id, event_id, event, payload, http_status, response_ms, response_body, error } = row;
  return { id, event_id, event, payload, http_status, response_ms, response_body, error, timestamp: iso(at) };
}

export function logView(row: Row<'webhook_logs'>): Static<typeof WebhookLogShape> {
  return logOf(row, row.created_at);
}

/** An attempt that has just been made, as its log will show it. */
export function attemptView(made: Logged & { readonly at: number }): Static<typeof WebhookLogShape> {
  return logOf(made, made.at);
}

// The input when a webhook is created or edited.

export const WEBHOOK_INPUT = {
  url: Type.String({ minLength: 1, maxLength: 2_000, description: 'a public https address' }),
  events: Type.Array(Type.String({ maxLength: 60 }), {
    minItems: 1,
    maxItems: 100,
    description: 'event names; * for all of them',
  }),
};

/** The tool of all webhook operations; its argument `action` selects one. */
export const MANAGE_WEBHOOKS = { name: 'mesh_manage_webhook', title: 'Manage webhooks', set: 'webhooks' } as const;

// Push configs on the wire: the addresses that are notified of updates of a task (A2A, push notifications).

/** A config's own id, chosen by the party or by the service. */
export const PushConfigId = Type.String({ minLength: 1, maxLength: 128 });
/** The dialect of a config decides the format of its notifications. */
export const DialectInput = Type.Enum(DIALECTS, { description: "of A2A; default: the task's own" });

const SECRET_MAX = 4_096;

/** How the service authenticates to the receiver. */
const PushAuthentication = Type.Object({
  /** The scheme of the Authorization header. */
  scheme: Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$", description: 'such as Bearer' }),
  credentials: Type.Optional(Type.String({ maxLength: SECRET_MAX, pattern: '^[\\x20-\\x7e]*$' })),
});

export const PushConfigInput = namedObject('PushConfigInput', 'a push config to create', {
  id: Type.Optional(PushConfigId),
  url: Type.String({ minLength: 1, maxLength: 2_000, description: 'a public https address' }),
  token: Type.Optional(
    Type.String({
      maxLength: SECRET_MAX,
      pattern: '^[\\x20-\\x7e]*$',
      description: 'returned in X-A2A-Notification-Token',
    }),
  ),
  authentication: Type.Optional(PushAuthentication),
});

export const PushConfigShape = namedObject('PushConfig', 'a push config of a task', {
  id: PushConfigId,
  task_id: Type.String(),
  url: Type.String(),
  token: NullableText,
  authentication: nullable(PushAuthentication),
});

/** A config as its party sees it; the party knows the task as `task_id`. */
export function pushConfigView(
  task_id: string,
  row: Pick<Row<'push_configs'>, 'config_id' | 'url'>,
  { token, authentication }: PushSecret,
): Static<typeof PushConfigShape> {
  const { config_id: id, url } = row;
  return { id, task_id, url, token: token ?? null, authentication: authentication ?? null };
}
