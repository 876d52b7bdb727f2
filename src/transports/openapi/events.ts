// Events in the OpenAPI document: what an event holds by its kind, and the webhook that brings one. The data of a kind stands
// once, and both refer to it.
import { EVENT_KINDS, type EventKind, specOf } from '../../domain/inbox/event.ts';
import { documented, type Json, type Shapes } from './shapes.ts';

const MORE_KINDS = 'Kinds are added without a new version; pass over one that you do not know.';

/** A name in PascalCase: `EscrowDisputeOpened`. */
function pascal(kind: EventKind): string {
  return kind.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function object(properties: Json, description: string): Json {
  return { type: 'object', description, required: Object.keys(properties), properties };
}

/** One of the kinds; `by` is the field that tells which, `fields` are those that a kind decides on, `as` where it stands. */
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

/** The shape of an event with what its kind decides: `body` is the shape in which any kind may stand. */
export function eventByKind({ description, ...body }: Json, shapes: Shapes): Json {
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
export function webhooks(shapes: Shapes): Json {
  const head = shapes.refer(
    'WebhookHead',
    object(
      { id: ID, seq: { type: 'integer', minimum: 1 }, timestamp: { ...TIME, description: 'when it happened' } },
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
