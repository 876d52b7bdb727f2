// The shapes of accounts on the wire.
import { Type } from 'typebox';
import { Id, Time } from './wire.ts';

export const PlanName = Type.Union([Type.Literal('free'), Type.Literal('pro')]);

export const AccountView = Type.Object({ id: Id, email: Type.String(), plan: PlanName, created_at: Time });
