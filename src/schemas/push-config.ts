// Push configs as the operations take and show them: where a party of a task is told that it moved (A2A, push notifications).
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema/tables.ts';
import type { PushSecret } from '../domain/task/push.ts';
import { DIALECTS } from '../domain/task/task.ts';
import { namedObject } from './named.ts';

/** A config's own id, chosen by the party or by the service. */
export const PushConfigId = Type.String({ minLength: 1, maxLength: 128 });
/** The dialect in which a config is registered decides what is sent to it. */
export const DialectInput = Type.Enum(DIALECTS, { description: "of A2A; the task's own unless said" });

const SECRET_MAX = 4_096;

/** How a receiver is told that it is the service that calls. */
const PushAuthentication = Type.Object({
  /** What stands first in the Authorization header. */
  scheme: Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$", description: 'such as Bearer' }),
  credentials: Type.Optional(Type.String({ maxLength: SECRET_MAX, pattern: '^[\\x20-\\x7e]*$' })),
});

export const PushConfigInput = namedObject('PushConfigInput', 'where to be told that a task moved', {
  id: Type.Optional(PushConfigId),
  url: Type.String({ minLength: 1, maxLength: 2_000, description: 'a public https address' }),
  token: Type.Optional(
    Type.String({
      maxLength: SECRET_MAX,
      pattern: '^[\\x20-\\x7e]*$',
      description: 'comes back in X-A2A-Notification-Token',
    }),
  ),
  authentication: Type.Optional(PushAuthentication),
});

export const PushConfigShape = namedObject('PushConfig', 'where a party is told that a task moved', {
  id: PushConfigId,
  task_id: Type.String(),
  url: Type.String(),
  token: Type.Union([Type.String(), Type.Null()]),
  authentication: Type.Union([PushAuthentication, Type.Null()]),
});

/** A config as its party sees it, who calls the task `task_id`. */
export function pushConfigView(
  task_id: string,
  row: Pick<Row<'push_configs'>, 'config_id' | 'url'>,
  { token, authentication }: PushSecret,
): Static<typeof PushConfigShape> {
  const { config_id: id, url } = row;
  return { id, task_id, url, token: token ?? null, authentication: authentication ?? null };
}
