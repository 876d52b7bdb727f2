// The kit's cases of capabilities that the cards declare: kinds of parts, streams, push notifications, extensions.
import { expect } from 'bun:test';
import {
  callSut,
  eventsOf,
  expectError,
  makeTask,
  messageOf,
  type Sut,
  sendMessage,
  TASK_STATES,
  type TckCase,
} from './tck.ts';

const SEND = 'optional/capabilities/test_message_send_capabilities.py';
const PUSH = 'optional/capabilities/test_push_notification_config_methods.py';
const STREAM = 'optional/capabilities/test_streaming_methods.py';
const NONE = 'nonexistent-task-id';

const FILE_PART = { url: 'https://example.com/test.txt', filename: 'test.txt', mediaType: 'text/plain' };
const DATA_PART = { data: { key: 'value', number: 123, nested: { array: [1, 2, 3] } } };

/** Sends parts, which come back in the task's history as they were sent. */
const takes =
  (...parts: readonly object[]) =>
  async (sut: Sut) => {
    const task = await makeTask(sut, '', { parts });
    expect(TASK_STATES).toContain(task.status.state);
    expect(task.history[0].parts).toEqual([...parts]);
  };

const parts: readonly TckCase[] = [
  { name: `${SEND} test_message_send_valid_file_part`, run: takes(FILE_PART) },
  { name: `${SEND} test_message_send_valid_multiple_parts`, run: takes({ text: 'Two' }, FILE_PART) },
  { name: `${SEND} test_message_send_valid_data_part`, run: takes(DATA_PART) },
  { name: `${SEND} test_message_send_data_part_array`, run: takes({ data: [{ a: 1 }, { b: 2 }] }) },
  {
    name: `${SEND} test_message_send_continue_with_contextid`,
    only: 'ordinary',
    run: async (sut) => {
      const { id, contextId } = await makeTask(sut, 'first');
      expect((await makeTask(sut, 'second', { taskId: id, contextId })).id).toBe(id);
      await expectError(
        sendMessage(sut, messageOf('x', { taskId: id, contextId: '0199d3a2-7c41-7d3e-8a03-5f0c1d2e3a03' })),
        -32602,
      );
    },
  },
  ...['test_file_reference_handling', 'test_binary_data_handling'].map(
    (name): TckCase => ({
      name: `optional/capabilities/test_transport_specific_features.py ${name}`,
      run: takes({ text: 'With bytes' }, FILE_PART, { raw: 'AAECAwQ=', mediaType: 'application/octet-stream' }),
    }),
  ),
];

const CONFIG = { id: 'test-config', url: 'https://example.com/webhook' };

async function makeConfig(sut: Sut, more: object = {}) {
  const { id: taskId } = await makeTask(sut, 'Task for push');
  const { body } = await callSut(sut, 'CreateTaskPushNotificationConfig', { taskId, ...CONFIG, ...more });
  expect(body.result).toMatchObject({ url: CONFIG.url, taskId });
  return { taskId, id: body.result.id };
}

const push: readonly TckCase[] = [
  {
    name: `${PUSH} test_create_task_push_notification_config`,
    run: async (sut) => expect(await makeConfig(sut)).toMatchObject({ id: CONFIG.id }),
  },
  {
    name: `${PUSH} test_get_push_notification_config`,
    run: async (sut) =>
      expect((await callSut(sut, 'GetTaskPushNotificationConfig', await makeConfig(sut))).body.result.url).toBe(
        CONFIG.url,
      ),
  },
  {
    name: `${PUSH} test_create_task_push_notification_config_nonexistent`,
    run: (sut) => expectError(callSut(sut, 'CreateTaskPushNotificationConfig', { taskId: NONE, ...CONFIG }), -32001),
  },
  {
    name: `${PUSH} test_get_push_notification_config_nonexistent`,
    run: (sut) => expectError(callSut(sut, 'GetTaskPushNotificationConfig', { taskId: NONE, id: 'x' }), -32001),
  },
  {
    name: `${PUSH} test_list_push_notification_config`,
    run: async (sut) => {
      const { taskId, id } = await makeConfig(sut);
      const { configs } = (await callSut(sut, 'ListTaskPushNotificationConfigs', { taskId })).body.result;
      expect(configs).toEqual([expect.objectContaining({ taskId, id })]);
    },
  },
  {
    name: `${PUSH} test_list_push_notification_config_empty`,
    run: async (sut) => {
      const { id: taskId } = await makeTask(sut, 'No config');
      expect((await callSut(sut, 'ListTaskPushNotificationConfigs', { taskId })).body.result.configs).toEqual([]);
    },
  },
  {
    name: `${PUSH} test_delete_push_notification_config`,
    run: async (sut) => {
      const config = await makeConfig(sut);
      for (let n = 0; n < 2; n += 1) {
        expect((await callSut(sut, 'DeleteTaskPushNotificationConfig', config)).body.result).toEqual({});
      }
      await expectError(callSut(sut, 'GetTaskPushNotificationConfig', config), -32001);
    },
  },
  {
    name: `${PUSH} test_delete_push_notification_config_nonexistent`,
    run: (sut) => expectError(callSut(sut, 'DeleteTaskPushNotificationConfig', { taskId: NONE, id: 'x' }), -32001),
  },
  {
    name: `${PUSH} test_send_message_with_push_notification_config`,
    run: async (sut) => {
      const { body } = await sendMessage(sut, messageOf('Tell me'), { taskPushNotificationConfig: CONFIG });
      const listed = await callSut(sut, 'ListTaskPushNotificationConfigs', { taskId: body.result.task.id });
      expect(listed.body.result.configs).toEqual([expect.objectContaining({ url: CONFIG.url })]);
    },
  },
  {
    name: `${PUSH} test_send_streaming_message_with_push_notification_config`,
    run: async (sut) => {
      const params = { message: messageOf('Tell me'), configuration: { taskPushNotificationConfig: CONFIG } };
      const { events } = await eventsOf(sut, 'SendStreamingMessage', params, 1);
      const listed = await callSut(sut, 'ListTaskPushNotificationConfigs', { taskId: events[0].result.task.id });
      expect(listed.body.result.configs).toHaveLength(1);
    },
  },
];

const streams: readonly TckCase[] = [
  {
    name: `${STREAM} test_message_stream_basic`,
    run: async (sut) => {
      const { events } = await eventsOf(sut, 'SendStreamingMessage', { message: messageOf('Stream') }, 1);
      expect(TASK_STATES).toContain(events[0].result.task.status.state);
    },
  },
  {
    name: `${STREAM} test_message_stream_invalid_params`,
    run: (sut) => expectError(callSut(sut, 'SendStreamingMessage', { message: {} }), -32602),
  },
  {
    name: `${STREAM} test_tasks_subscribe`,
    only: 'ordinary',
    run: async (sut) => {
      const { id } = await makeTask(sut, 'Subscribe');
      const { events } = await eventsOf(sut, 'SubscribeToTask', { id }, 1);
      expect(events[0].result.task.id).toBe(id);
    },
  },
  {
    name: `${STREAM} test_tasks_subscribe_nonexistent`,
    run: (sut) => expectError(callSut(sut, 'SubscribeToTask', { id: NONE }), -32001),
  },
  {
    name: `${STREAM} test_sse_header_compliance`,
    run: async (sut) => {
      const { response } = await eventsOf(sut, 'SendStreamingMessage', { message: messageOf('Headers') }, 1);
      expect(response.headers.get('content-type')).toStartWith('text/event-stream');
      expect(response.headers.get('cache-control')).toContain('no-store');
    },
  },
  {
    name: `${STREAM} test_sse_event_format_compliance`,
    run: async (sut) => {
      const { events } = await eventsOf(sut, 'SendStreamingMessage', { message: messageOf('Format') }, 1);
      expect(events[0]).toMatchObject({ jsonrpc: '2.0', id: 1, result: {} });
    },
  },
  {
    name: `${STREAM} test_streaming_connection_resilience`,
    reason: 'The kit skips it always; streams.test.ts cuts a stream and goes on.',
  },
];

const CARD = 'optional/capabilities/test_agent_card_optional.py';
const EXTENSIONS = 'optional/capabilities/test_agent_extensions.py';
const AUTH = 'optional/capabilities/test_authentication.py';
const AUTH_030 = 'optional/capabilities/test_a2a_v030_authentication.py';
const FEATURES = 'optional/capabilities/test_transport_specific_features.py';
const METHODS = 'optional/capabilities/test_a2a_v030_method_enhancements.py';

async function cardOf(sut: Sut) {
  return (await sut.t.call('GET', `/a2a/agents/${sut.handle}/.well-known/agent-card.json`)).body;
}

const refused = (key: string | null) => async (sut: Sut) => {
  expect((await callSut(sut, 'GetTask', { id: NONE }, key)).status).toBe(401);
};

const cards: readonly TckCase[] = [
  {
    name: `${CARD} test_capabilities_structure`,
    run: async (sut) => expect((await cardOf(sut)).capabilities.streaming).toBe(true),
  },
  {
    name: `${CARD} test_authentication_structure`,
    run: async (sut) => expect(Object.keys((await cardOf(sut)).securitySchemes)).toContain('bearer'),
  },
  {
    name: `${CARD} test_agent_interfaces_structure`,
    run: async (sut) => {
      for (const { url, protocolBinding } of (await cardOf(sut)).supportedInterfaces) {
        expect([URL.canParse(url), ['JSONRPC', 'HTTP+JSON'].includes(protocolBinding)]).toEqual([true, true]);
      }
    },
  },
  ...[
    `${CARD} test_agent_extensions_structure`,
    `${EXTENSIONS} test_extension_uri_format`,
    `${EXTENSIONS} test_required_extensions_declaration`,
    `${EXTENSIONS} test_extension_parameters_structure`,
    `${EXTENSIONS} test_extension_descriptions`,
    `${EXTENSIONS} test_client_extension_compatibility_warning`,
  ].map(
    (name): TckCase => ({
      name,
      run: async (sut) => {
        for (const { uri, description, required = false, params } of (await cardOf(sut)).capabilities.extensions) {
          expect([URL.canParse(uri), typeof description, required, typeof params]).toEqual([
            true,
            'string',
            false,
            'object',
          ]);
        }
      },
    }),
  ),
];

const entry: readonly TckCase[] = [
  {
    name: `${AUTH} test_auth_schemes_available`,
    run: async (sut) => expect(Object.keys((await cardOf(sut)).securitySchemes).length).toBeGreaterThan(0),
  },
  { name: `${AUTH} test_missing_authentication`, run: refused(null) },
  { name: `${AUTH} test_invalid_authentication`, run: refused('mesh_live_invalid') },
  ...[
    'test_security_scheme_structure_compliance',
    'test_oauth2_metadata_url_support',
    'test_security_scheme_negotiation',
  ].map(
    (name): TckCase => ({
      name: `${AUTH_030} ${name}`,
      run: async (sut) =>
        expect((await cardOf(sut)).securitySchemes.oauth2.oauth2MetadataUrl).toEndWith(
          '/.well-known/oauth-authorization-server',
        ),
    }),
  ),
  ...[
    'test_authentication_transport_independence',
    'test_authentication_error_codes',
    'test_invalid_credentials_handling',
  ].map(
    (name): TckCase => ({
      name: `${AUTH_030} ${name}`,
      run: refused('mesh_live_invalid'),
    }),
  ),
  ...['test_mutual_tls_scheme_support', 'test_in_task_authentication_flow'].map(
    (name): TckCase => ({
      name: `${AUTH_030} ${name}`,
      reason: 'Neither mutual TLS nor credentials of single tasks are declared.',
    }),
  ),
  ...[
    'test_a2a_v030_authentication.py test_transport_security_requirements',
    ...['test_sut_uses_https', 'test_http_to_https_redirect', 'test_https_url_in_agent_card', 'test_tls_version'].map(
      (name) => `test_transport_security.py ${name}`,
    ),
    ...[
      'test_https_enforcement',
      'test_tls_version_compliance',
      'test_certificate_validation',
      'test_json_rpc_security_headers',
      'test_grpc_tls_configuration',
      'test_rest_api_security',
      'test_enterprise_security_practices',
    ].map((name) => `test_transport_security_v030.py ${name}`),
  ].map(
    (name): TckCase => ({
      name: `optional/capabilities/${name}`,
      reason: 'TLS is the business of the proxy in front of the service.',
    }),
  ),
];

const others: readonly TckCase[] = [
  {
    name: `${FEATURES} test_json_rpc_batch_requests`,
    reason: 'Batches are refused (rules.md 10); bad-input.test.ts says how.',
  },
  {
    name: `${FEATURES} test_json_rpc_notification_requests`,
    reason: 'A call without an id is refused, since each is answered; bad-input.test.ts says how.',
  },
  {
    name: `${FEATURES} test_json_rpc_error_extensions`,
    run: async (sut) =>
      expect((await callSut(sut, 'GetTask', { id: NONE })).body.error.data[0]).toHaveProperty(['@type']),
  },
  ...[
    'grpc_bidirectional_streaming',
    'grpc_metadata_handling',
    'grpc_compression_support',
    'rest_http_verb_mapping',
    'rest_pagination_support',
    'rest_content_negotiation',
  ].map((name): TckCase => ({ name: `${FEATURES} test_${name}`, reason: 'Of another transport.' })),
  {
    name: `${FEATURES} test_sse_connection_management`,
    reason: 'Of the HTTP binding; streams.test.ts tests its streams.',
  },
  { name: `${METHODS} test_message_send_enhanced_parts_support`, run: takes({ text: 'Text' }, DATA_PART) },
  {
    name: `${METHODS} test_tasks_get_enhanced_parameters`,
    run: async (sut) => {
      const { id } = await makeTask(sut, 'x');
      expect((await callSut(sut, 'GetTask', { id, historyLength: 5 })).body.result).toMatchObject({ id, status: {} });
    },
  },
  {
    name: `${METHODS} test_authenticated_extended_card_comprehensive`,
    run: async (sut) => expect((await callSut(sut, 'GetExtendedAgentCard')).body.result.name.length).toBeGreaterThan(0),
  },
  {
    name: `${METHODS} test_method_parameter_validation_enhancements`,
    run: (sut) => expectError(callSut(sut, 'SendMessage', { message: { role: 'invalid_role', parts: [] } }), -32602),
  },
  {
    name: `${METHODS} test_error_response_enhancements`,
    run: (sut) => expectError(callSut(sut, 'GetTask', { id: NONE }), -32001),
  },
  {
    name: `${METHODS} test_json_rpc_method_extensions`,
    run: async (sut) => expect((await callSut(sut, 'ListTasks')).body.result.tasks).toBeArray(),
  },
  ...['test_grpc_method_optimizations', 'test_rest_api_method_mappings'].map(
    (name): TckCase => ({ name: `${METHODS} ${name}`, reason: 'Of another transport.' }),
  ),
  {
    name: `${METHODS} test_concurrent_method_calls`,
    run: async (sut) => {
      const made = await Promise.all([1, 2, 3].map((n) => makeTask(sut, `At once ${n}`)));
      expect(new Set(made.map(({ id }) => id)).size).toBe(3);
    },
  },
  { name: `${METHODS} test_method_response_times`, reason: 'Times answers by the wall clock.' },
];

export const CAPABILITIES: readonly TckCase[] = [...parts, ...push, ...streams, ...cards, ...entry, ...others];
