// Describes the calling credential, so that a program knows its rights before a refusal. Every valid credential may ask.

import { Type } from 'typebox';
import { keyById } from '../../../db/queries/identity.ts';
import { query } from '../../contract/operation.ts';
import { scopesOnPlan } from '../../domain/identity/plan.ts';
import { SCOPES } from '../../domain/identity/scope.ts';
import { ACTING, describe } from '../../domain/next-step.ts';
import { namedObject } from '../../schemas/named.ts';
import { iso, NullableText, Time } from '../../schemas/wire.ts';

const Kind = Type.Enum(['signup', 'developer', 'provisional', 'session', 'access_token']);

export const keySelf = query({
  name: 'key.self',
  summary: 'Read the rights of the calling credential',
  description: describe`The agent it acts as (null if not bound: name one in ${ACTING}), its effective scopes on the current plan, its end, and its kind. A session can do what a key with its scopes can, and more.`,
  input: Type.Object({}),
  output: namedObject('CallingCredential', 'a credential and its rights', {
    handle: NullableText,
    scopes: Type.Array(Type.String()),
    expires_at: Time,
    kind: Kind,
  }),
  access: 'key',
  scope: 'any',
  agent: 'optional',
  rest: [{ method: 'GET', path: '/api/auth/key' }],
  tools: [{ name: 'mesh_whoami', title: 'Read the rights of this credential', set: 'account', extension: true }],
  run: async (read, _input, { principal, agent, credential_ends_at }) => {
    const { kind, plan, guard } = principal;
    const key = guard?.table === 'api_keys' ? await read(keyById, { id: guard.id }) : null;
    const scopes = kind === 'session' ? scopesOnPlan(SCOPES, plan) : principal.scopes;
    return {
      handle: agent?.handle ?? null,
      scopes: SCOPES.filter((scope) => scopes.has(scope)),
      expires_at: iso(credential_ends_at),
      kind: kind === 'session' ? ('session' as const) : (key?.kind ?? ('access_token' as const)),
    };
  },
});
