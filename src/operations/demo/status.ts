// How far the demo world has come, for administrators; with none, whether one may be started.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { DemoShape, demoView } from '../../schemas/demo.ts';
import { readDemo } from '../../steps/demo/find.ts';
import { mayStart } from '../../steps/demo/may-start.ts';

export const demoStatus = query({
  name: 'demo.status',
  needed_by: 'an administrator who watches the demo world',
  summary: 'Read the state of the demo world',
  input: Type.Object({}),
  output: DemoShape,
  access: 'admin',
  rest: [{ method: 'GET', path: '/api/admin/demo' }],
  run: async (read, _input, { settings }, ports) => {
    const found = await readDemo(read);
    return demoView(found?.world ?? null, found ? 'running' : await mayStart(read, settings, ports));
  },
});
