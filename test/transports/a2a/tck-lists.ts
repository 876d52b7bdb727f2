// The kit's cases of ListTasks. It groups tasks by contexts of its own making; a context is a conversation of two agents here and
// made by the service, so that the cases use the one that a first task is answered with.
import { expect } from 'bun:test';
import type { RpcAnswer } from '../../support/a2a.ts';
import { callSut, expectError, makeTask, type Sut, type TckCase } from './tck.ts';

const FILE = 'mandatory/protocol/test_tasks_list_method.py';

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever JSON came back.
async function list(sut: Sut, params: object = {}): Promise<any> {
  return (await callSut(sut, 'ListTasks', params)).body.result;
}

const listed = (sut: Sut, params: object): Promise<RpcAnswer> => callSut(sut, 'ListTasks', params);

/** Some tasks, a second apart, oldest first. */
async function makeTasks(sut: Sut, count: number) {
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever JSON came back.
  const tasks: any[] = [];
  for (let n = 0; n < count; n += 1) {
    await sut.t.advance(1_000);
    tasks.push(await makeTask(sut, `Task ${n}`));
  }
  return tasks;
}

const idsOf = (page: { tasks: { id: string }[] }) => page.tasks.map(({ id }) => id);
const wrong = (params: object) => (sut: Sut) => expectError(listed(sut, params), -32602);
const at = (name: string, run: TckCase['run'], more: Partial<TckCase> = {}): TckCase => ({
  name: `${FILE} ${name}`,
  ...(run && { run }),
  ...more,
});

export const LISTS: readonly TckCase[] = [
  at('test_list_all_tasks', async (sut) => {
    const { id } = await makeTask(sut, 'Test task for listing');
    const page = await list(sut);
    expect(idsOf(page)).toContain(id);
    expect([typeof page.totalSize, typeof page.pageSize, typeof page.nextPageToken]).toEqual([
      'number',
      'number',
      'string',
    ]);
    for (const task of page.tasks) expect(task).toMatchObject({ id: task.id, contextId: task.contextId, status: {} });
  }),
  at('test_list_tasks_empty_when_none_exist', async (sut) => {
    expect(await list(sut, { contextId: 'empty-test-1' })).toEqual({
      tasks: [],
      totalSize: 0,
      pageSize: 0,
      nextPageToken: '',
    });
  }),
  at('test_list_tasks_validates_required_fields', async (sut) => {
    await makeTask(sut, 'Task for field validation');
    for (const { status } of (await list(sut)).tasks) expect(status.state).toStartWith('TASK_STATE_');
  }),
  at('test_list_tasks_sorted_by_timestamp_descending', async (sut) => {
    const made = await makeTasks(sut, 3);
    expect(idsOf(await list(sut)).slice(0, 3)).toEqual(made.map(({ id }) => id).reverse());
  }),
  at('test_filter_by_context_id', async (sut) => {
    const { id, contextId } = await makeTask(sut, 'In this context');
    const page = await list(sut, { contextId });
    expect(idsOf(page)).toContain(id);
    for (const task of page.tasks) expect(task.contextId).toBe(contextId);
    expect((await list(sut, { contextId: '0199d3a2-7c41-7d3e-8a03-5f0c1d2e3a03' })).tasks).toEqual([]);
  }),
  at('test_filter_by_status', async (sut) => {
    const { id, status } = await makeTask(sut, 'Task for status filtering');
    const page = await list(sut, { status: status.state });
    expect(idsOf(page)).toContain(id);
    for (const task of page.tasks) expect(task.status.state).toBe(status.state);
    expect((await list(sut, { status: 'TASK_STATE_AUTH_REQUIRED' })).tasks).toEqual([]);
  }),
  at('test_filter_by_last_updated_after', async (sut) => {
    const before = new Date(sut.t.clock.now() + 500).toISOString();
    const [task] = await makeTasks(sut, 1);
    expect(idsOf(await list(sut, { statusTimestampAfter: before }))).toEqual([task.id]);
  }),
  at('test_combined_filters', async (sut) => {
    const { id, contextId, status } = await makeTask(sut, 'Task for combined filtering');
    expect(idsOf(await list(sut, { contextId, status: status.state }))).toContain(id);
  }),
  at('test_default_page_size', async (sut) => {
    expect((await list(sut)).pageSize).toBeLessThanOrEqual(50);
  }),
  at('test_custom_page_size', async (sut) => {
    await makeTasks(sut, 3);
    const page = await list(sut, { pageSize: 2 });
    expect([page.tasks.length, page.pageSize, page.nextPageToken === '']).toEqual([2, 2, false]);
  }),
  at('test_page_token_navigation', async (sut) => {
    const made = await makeTasks(sut, 4);
    const first = await list(sut, { pageSize: 2 });
    const second = await list(sut, { pageSize: 2, pageToken: first.nextPageToken });
    expect([...idsOf(first), ...idsOf(second)]).toEqual(made.map(({ id }) => id).reverse());
  }),
  at('test_last_page_detection', async (sut) => {
    const before = new Date(sut.t.clock.now() + 500).toISOString();
    await makeTasks(sut, 2);
    expect((await list(sut, { statusTimestampAfter: before, pageSize: 2 })).nextPageToken).toBe('');
  }),
  at('test_total_size_accuracy', async (sut) => {
    const before = new Date(sut.t.clock.now() + 500).toISOString();
    await makeTasks(sut, 5);
    const page = await list(sut, { statusTimestampAfter: before, pageSize: 2 });
    expect([page.totalSize, page.pageSize, page.nextPageToken === '']).toEqual([5, 2, false]);
  }),
  at('test_history_length_zero', async (sut) => {
    await makeTask(sut, 'Task for history test');
    for (const task of (await list(sut, { historyLength: 0 })).tasks) expect(task).not.toHaveProperty('history');
  }),
  at('test_history_length_custom', async (sut) => {
    await makeTask(sut, 'Task for history length test');
    const { tasks } = await list(sut, { historyLength: 3 });
    expect(tasks[0].history.length).toBeGreaterThan(0);
    for (const { history = [] } of tasks) expect(history.length).toBeLessThanOrEqual(3);
  }),
  at('test_history_length_exceeds_actual', async (sut) => {
    await makeTask(sut, 'Task for history test');
    expect((await list(sut, { historyLength: 100 })).tasks.length).toBeGreaterThan(0);
  }),
  at('test_artifacts_excluded_by_default', async (sut) => {
    await makeTask(sut, 'Task for artifact test');
    for (const task of (await list(sut)).tasks) expect(task).not.toHaveProperty('artifacts');
  }),
  at(
    'test_artifacts_included_when_requested',
    async (sut) => {
      const { id } = await makeTask(sut, 'Task for artifact inclusion test');
      const page = await list(sut, { includeArtifacts: true });
      expect(page.tasks.find((task: { id: string }) => task.id === id).artifacts.length).toBeGreaterThan(0);
    },
    { only: 'platform' },
  ),
  at('test_invalid_page_token_error', wrong({ pageToken: 'invalid-token-xyz' })),
  at('test_invalid_status_error', wrong({ status: 'INVALID_STATUS' })),
  at('test_negative_page_size_error', wrong({ pageSize: -1 })),
  at('test_zero_page_size_error', wrong({ pageSize: 0 })),
  at('test_out_of_range_page_size_error', wrong({ pageSize: 101 })),
  at(
    'test_default_page_size_is_50',
    async (sut) => {
      const before = new Date(sut.t.clock.now() + 500).toISOString();
      await makeTasks(sut, 60);
      const page = await list(sut, { statusTimestampAfter: before });
      expect([page.totalSize, page.pageSize, page.tasks.length, page.nextPageToken === '']).toEqual([
        60,
        50,
        50,
        false,
      ]);
    },
    // An ordinary agent may have no more than twenty open tasks of one sender.
    { only: 'platform' },
  ),
  at('test_negative_history_length_error', wrong({ historyLength: -1 })),
  at('test_invalid_timestamp_error', wrong({ statusTimestampAfter: '-1' })),
  at('test_same_results_across_transports', async (sut) => {
    const { body } = await sut.t.call('GET', `/a2a/agents/${sut.handle}/tasks?pageSize=3`, { key: sut.key });
    expect(body).toEqual(await list(sut, { pageSize: 3 }));
  }),
];
