// The shapes of accounts on the wire.
import { Type } from 'typebox';
import { named, namedObject } from './named.ts';
import { Id, Time } from './wire.ts';

export const PlanName = named('PlanName', Type.Union([Type.Literal('free'), Type.Literal('pro')]));

export const AccountView = namedObject('Account', 'who signed up', {
  id: Id,
  email: Type.String(),
  plan: PlanName,
  created_at: Time,
});
