// Releases the work held back since a restore from a backup, for `meshwork resume`. Before work that moves money the processor is
// asked for the state, as after a crash.
import { Type } from 'typebox';
import { flow } from '../../contract/operation.ts';

export const platformResume = flow({
  name: 'platform.resume',
  needed_by: 'the command `meshwork resume`',
  summary: 'Resume the work held since a restore',
  description:
    'It resumes at once here, and on other nodes within ten seconds. A payout or payment that was open in the backup is looked up at the processor before anything is sent or booked.',
  input: Type.Object({}),
  output: Type.Object({ resumed: Type.Boolean({ description: 'false if nothing was held' }) }),
  effect: 'changes',
  open_world: true,
  access: 'platform',
  rest: [{ method: 'POST', path: '/internal/admin/resume' }],
  run: async (_input, _ctx, { restored }) => {
    const resumed = restored.state.held;
    await restored.resume();
    return { reply: { resumed } };
  },
});
