// Reads every page of the database file once a week, and records the result. With a database server it does nothing.
import { Type } from 'typebox';
import { flow } from '../../contract/operation.ts';
import { nullable } from '../../schemas/wire.ts';
import { CHECK_FILE, checkFileLater, noteFileCheck } from '../../steps/file-check.ts';

export const platformCheckFile = flow({
  ...CHECK_FILE,
  summary: 'Read and check every page of the database file',
  output: Type.Object({ problems: nullable(Type.Integer()) }),
  effect: 'changes',
  access: 'internal',
  run: async (_input, ctx, { doctor }) => {
    // The next run is scheduled first, so that a crash does not end the series.
    await ctx.turn({ attempt: async () => ({ reply: null, effects: [checkFileLater(ctx.now_ms)] }) });
    const checked = await doctor.checkFile(ctx.now_ms);
    if (checked === null) return { reply: { problems: null } };
    const problems = checked.problems.length;
    await ctx.turn({ attempt: async () => ({ reply: null, effects: noteFileCheck(ctx.now_ms, problems) }) });
    return { reply: { problems } };
  },
});
