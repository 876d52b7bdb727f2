// Lists the work held back since a restore from a backup, for `meshwork resume`.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { namedObject } from '../../schemas/named.ts';
import { iso, isoOrNull, NullableCents, NullableTime, Time } from '../../schemas/wire.ts';
import { heldWork } from '../../steps/held.ts';

export const platformWaiting = query({
  name: 'platform.waiting',
  needed_by: 'the command `meshwork resume`',
  summary: 'List the work held since a restore',
  description:
    'Letters, deliveries, payouts, charges and reminders that were due before the database was restored from a backup are held until an operator resumes them.',
  input: Type.Object({}),
  output: namedObject('HeldWork', 'the work held since a restore', {
    epoch: Type.Integer({ minimum: 1 }),
    held: Type.Boolean(),
    restored_at: NullableTime,
    backup_at: NullableTime,
    waits: Type.Array(
      Type.Object({
        kind: Type.String({ description: 'mail, sms, inbox (agents with pending events), else an operation' }),
        count: Type.Integer({ minimum: 1 }),
        oldest: Time,
        newest: Time,
        amount_cents: NullableCents,
      }),
    ),
  }),
  access: 'platform',
  rest: [{ method: 'GET', path: '/internal/admin/waiting' }],
  run: async (read, _input, _ctx, { restored }) => {
    const { state, held_before } = restored;
    const waits = held_before === null ? [] : await heldWork(read, held_before);
    return {
      epoch: state.epoch,
      held: state.held,
      restored_at: isoOrNull(state.restored_at),
      backup_at: isoOrNull(state.backup_at),
      waits: waits.map(({ kind, n, oldest, newest, amount_cents }) => ({
        kind,
        count: n,
        oldest: iso(oldest),
        newest: iso(newest),
        amount_cents,
      })),
    };
  },
});
