// Accepts the current clock as correct, for `meshwork clock accept`: sealing and pruning resume on all nodes.
import { Type } from 'typebox';
import { flow } from '../../contract/operation.ts';
import { iso, Time } from '../../schemas/wire.ts';

export const platformClockAccept = flow({
  name: 'platform.clock_accept',
  needed_by: 'the command `meshwork clock accept`',
  summary: 'Accept the current clock',
  description:
    'After the clock jumped, or if it contradicts the last commit, days are not sealed and expired rows are kept. This ends that state.',
  input: Type.Object({}),
  output: Type.Object({ now: Time, believed: Type.Boolean() }),
  effect: 'changes',
  access: 'platform',
  rest: [{ method: 'POST', path: '/internal/admin/clock-accept' }],
  run: async (_input, _ctx, { clock_watch }) => {
    const { now_ms, doubt } = await clock_watch.accept();
    return { reply: { now: iso(now_ms), believed: doubt === null } };
  },
});
