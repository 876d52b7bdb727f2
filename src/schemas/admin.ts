// The shapes of what administrators see of people and agents.
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema/tables.ts';
import { PlanName } from './account.ts';
import { namedObject } from './named.ts';
import { Id, iso, NullableText, NullableTime, Time } from './wire.ts';

const PersonState = Type.Enum(['active', 'suspended', 'provisional'], {
  description: '`provisional` while no person has claimed it',
});

type Account = Pick<
  Row<'accounts'>,
  'id' | 'email' | 'plan' | 'provisional' | 'admin_at' | 'suspended_at' | 'created_at'
>;

/** The fields of every answer about an account. */
export const ACCOUNT_FACTS = {
  id: Id,
  email: NullableText,
  plan: PlanName,
  state: PersonState,
  admin: Type.Boolean({ description: 'whether it is an administrator in the database' }),
  created_at: Time,
  suspended_at: NullableTime,
};

const AccountFacts = Type.Object(ACCOUNT_FACTS);

export function accountFacts({
  id,
  email,
  plan,
  provisional,
  admin_at,
  suspended_at,
  created_at,
}: Account): Static<typeof AccountFacts> {
  const state = suspended_at !== null ? 'suspended' : provisional === 1 ? 'provisional' : 'active';
  return {
    ...{ id, email, plan, state, admin: admin_at !== null, created_at: iso(created_at) },
    suspended_at: suspended_at === null ? null : iso(suspended_at),
  };
}

export const AdministeredAccount = namedObject(
  'AdministeredAccount',
  'an account after an act of an administrator',
  ACCOUNT_FACTS,
);
