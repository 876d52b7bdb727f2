// Invitations on the wire, as their maker sees them. The link itself is shown once.
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema/tables.ts';
import { words } from './authored.ts';
import { namedObject } from './named.ts';
import { Email, Id, iso, isoOrNull, NullableTime, nullable, Time } from './wire.ts';

export const Invitation = namedObject('Invitation', 'a link for creating an account', {
  id: Id,
  // The person who opens the link writes it.
  email: words(nullable(Type.String(), 'the invited address; null if it is open to anyone, and once it was used')),
  by: Type.Union([Type.Literal('admin'), Type.Literal('member')], { description: 'the role of its creator' }),
  used_at: NullableTime,
  created_at: Time,
  expires_at: Time,
});

export function invitationView(row: Row<'invitations'>): Static<typeof Invitation> {
  const { id, email, by, used_at, created_at, expires_at } = row;
  return { id, email, by, used_at: isoOrNull(used_at), created_at: iso(created_at), expires_at: iso(expires_at) };
}

export const MadeInvitation = namedObject('MadeInvitation', 'an invitation with its link', {
  ...Invitation.properties,
  url: Type.String({ format: 'uri', description: 'shown only once' }),
  mailed: Type.Boolean(),
});

export const InvitationInput = Type.Object({
  email: Type.Optional(Email),
  mail: Type.Optional(Type.Boolean({ description: 'whether the link is mailed to `email`' })),
});
