// Checks the running service for `meshwork doctor`: stored data, this machine, the settings, and the outside services they name.
import { Type } from 'typebox';
import { flow } from '../../contract/operation.ts';
import { failsOn } from '../../domain/finding.ts';
import { namedObject } from '../../schemas/named.ts';
import { NullableText } from '../../schemas/wire.ts';

export const platformDoctor = flow({
  name: 'platform.doctor',
  needed_by: 'the command `meshwork doctor`',
  summary: 'Examine the service',
  description:
    'Each finding is ok, a warning, wrong or inconclusive, with its repair. With `fix`, data that can be derived from other rows is repaired first. A large database takes minutes.',
  input: Type.Object({ fix: Type.Optional(Type.Boolean()) }),
  output: namedObject('Examination', 'the findings of an examination', {
    ok: Type.Boolean({ description: 'nothing is wrong, and every check finished' }),
    findings: Type.Array(
      Type.Object({
        check: Type.String(),
        state: Type.Union([
          Type.Literal('ok'),
          Type.Literal('warning'),
          Type.Literal('wrong'),
          Type.Literal('inconclusive'),
        ]),
        found: Type.String(),
        mend: NullableText,
      }),
    ),
  }),
  effect: 'changes',
  open_world: true,
  access: 'platform',
  slow: true,
  rest: [{ method: 'POST', path: '/internal/doctor' }],
  run: async ({ fix = false }, { now_ms }, { doctor }) => {
    const findings = await doctor.examine(now_ms, fix);
    return { reply: { ok: !failsOn(findings), findings: [...findings] } };
  },
});
