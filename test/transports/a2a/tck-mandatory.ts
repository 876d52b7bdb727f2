// The mandatory cases of the kit.
import { expect } from 'bun:test';
import {
  callSut,
  expectError,
  makeTask,
  messageOf,
  type Sut,
  sendMessage,
  sendRaw,
  TASK_STATES,
  type TckCase,
} from './tck.ts';

const NONE = 'nonexistent-task-id';
const request = (more: object) => ({ jsonrpc: '2.0', id: 'x', method: 'SendMessage', params: {}, ...more });
const raw = (body: unknown, code: number) => async (sut: Sut) => {
  const answer = await sendRaw(sut, body);
  expect(answer.status).toBe(200);
  expect(answer.body.error.code).toBe(code);
};

const JSONRPC = 'mandatory/jsonrpc/test_json_rpc_compliance.py';
const VIOLATIONS = 'mandatory/jsonrpc/test_protocol_violations.py';
const CODES = 'mandatory/jsonrpc/test_a2a_error_codes.py';
const ENHANCED = 'mandatory/jsonrpc/test_a2a_error_codes_enhanced.py';

const unsupportedOutput = async (sut: Sut) => {
  const configuration = { acceptedOutputModes: ['application/x-completely-unsupported-output-format'] };
  await expectError(sendMessage(sut, messageOf('x'), configuration), -32005);
};

const jsonRpc: readonly TckCase[] = [
  {
    name: `${JSONRPC} test_rejects_malformed_json`,
    run: raw('{"jsonrpc": "2.0", "method": "SendMessage", "params": {"foo": "bar"}', -32700),
  },
  {
    name: `${JSONRPC} test_rejects_invalid_json_rpc_requests[missing jsonrpc]`,
    run: raw({ jsonrpc: 'aaa', method: 'SendMessage', params: {} }, -32600),
  },
  {
    name: `${JSONRPC} test_rejects_invalid_json_rpc_requests[missing method]`,
    run: raw({ jsonrpc: '2.0', params: {} }, -32600),
  },
  {
    name: `${JSONRPC} test_rejects_invalid_json_rpc_requests[wrong method]`,
    run: raw(request({ method: 'SendMessageXXX' }), -32601),
  },
  {
    name: `${JSONRPC} test_rejects_invalid_json_rpc_requests[invalid id type]`,
    run: raw(request({ id: { bad: 'type' } }), -32600),
  },
  {
    name: `${JSONRPC} test_rejects_invalid_json_rpc_requests[invalid params type]`,
    run: raw(request({ params: { '': 'not_a_dict' } }), -32602),
  },
  {
    name: `${JSONRPC} test_rejects_unknown_method`,
    run: (sut) => expectError(callSut(sut, 'nonexistent/method'), -32601),
  },
  {
    name: `${JSONRPC} test_rejects_invalid_params`,
    run: (sut) => expectError(callSut(sut, 'SendMessage', { message: { parts: 'invalid' } }), -32602),
  },
  {
    name: `${VIOLATIONS} test_duplicate_request_ids`,
    run: async (sut) => {
      for (const text of ['first', 'second']) {
        const params = { message: messageOf(text), configuration: { returnImmediately: true } };
        const { body } = await sendRaw(sut, request({ id: 'duplicate', params }));
        expect(body).toMatchObject({ jsonrpc: '2.0', id: 'duplicate', result: {} });
      }
    },
  },
  { name: `${VIOLATIONS} test_invalid_jsonrpc_version`, run: raw(request({ jsonrpc: '1.0' }), -32600) },
  { name: `${VIOLATIONS} test_missing_method_field`, run: raw(request({ method: undefined }), -32600) },
  {
    name: `${VIOLATIONS} test_raw_invalid_json`,
    run: raw('{"jsonrpc": "2.0", "params": {"unclosed_object": true', -32700),
  },
  ...[CODES, ENHANCED].flatMap((file): TckCase[] => {
    const suffix = file === ENHANCED ? '_enhanced' : '';
    return [
      {
        name: `${file} test_push_notification_not_supported_error_32003${suffix}`,
        reason: 'Push notifications are declared, and the kit skips the case then.',
      },
      {
        name: `${file} test_unsupported_operation_error_32004${suffix}`,
        only: 'platform',
        run: async (sut) => {
          const { id } = await makeTask(sut, 'x');
          await expectError(callSut(sut, 'SubscribeToTask', { id }), -32004);
        },
      },
      { name: `${file} test_content_type_not_supported_error_32005${suffix}`, run: unsupportedOutput },
      {
        name: `${file} test_invalid_agent_response_error_32006${suffix}`,
        reason: 'The kit only writes it down: what an agent answers is made here, and cannot be malformed.',
      },
      {
        name: `${file} ${suffix ? 'test_a2a_error_code_coverage_enhanced' : 'test_a2a_error_code_coverage_summary'}`,
        reason: 'A summary of the cases before it, which asserts nothing.',
      },
    ];
  }),
];

const SEND = 'mandatory/protocol/test_message_send_method.py';
const GET = 'mandatory/protocol/test_tasks_get_method.py';
const CANCEL = 'mandatory/protocol/test_tasks_cancel_method.py';

const protocol: readonly TckCase[] = [
  {
    name: `${SEND} test_message_send_valid_text`,
    run: async (sut) => expect(TASK_STATES).toContain((await makeTask(sut, 'Hello from TCK!')).status.state),
  },
  {
    name: `${SEND} test_message_send_invalid_params`,
    run: (sut) => expectError(callSut(sut, 'SendMessage', { message: { kind: 'message' } }), -32602),
  },
  {
    name: `${SEND} test_message_send_continue_task`,
    only: 'ordinary',
    run: async (sut) => {
      const task = await makeTask(sut, 'first');
      const again = await makeTask(sut, 'Follow-up message for the existing task', { taskId: task.id });
      expect(again.id).toBe(task.id);
      expect(TASK_STATES).toContain(again.status.state);
    },
  },
  {
    name: `${GET} test_tasks_get_valid`,
    run: async (sut) => {
      const { id } = await makeTask(sut, 'Task for get test');
      const { body } = await callSut(sut, 'GetTask', { id });
      expect([body.result.id, typeof body.result.status.state]).toEqual([id, 'string']);
    },
  },
  {
    name: `${GET} test_tasks_get_with_history_length`,
    run: async (sut) => {
      const { id } = await makeTask(sut, 'Task for get test');
      expect((await callSut(sut, 'GetTask', { id, historyLength: 1 })).body.result.history).toHaveLength(1);
    },
  },
  {
    name: `${GET} test_tasks_get_nonexistent`,
    run: (sut) => expectError(callSut(sut, 'GetTask', { id: NONE }), -32001),
  },
  {
    name: `${CANCEL} test_tasks_cancel_valid`,
    only: 'ordinary',
    run: async (sut) => {
      const { id } = await makeTask(sut, 'Task for cancel test');
      const { body } = await callSut(sut, 'CancelTask', { id });
      expect(body.result).toMatchObject({ id, status: { state: 'TASK_STATE_CANCELED' } });
    },
  },
  {
    name: `${CANCEL} test_tasks_cancel_nonexistent`,
    run: (sut) => expectError(callSut(sut, 'CancelTask', { id: NONE }), -32001),
  },
  {
    name: 'mandatory/protocol/test_state_transitions.py test_task_history_length',
    only: 'ordinary',
    run: async (sut) => {
      const { id } = await makeTask(sut, 'one');
      for (const text of ['two', 'three']) await makeTask(sut, text, { taskId: id });
      const full = (await callSut(sut, 'GetTask', { id })).body.result.history;
      const limited = (await callSut(sut, 'GetTask', { id, historyLength: 2 })).body.result.history;
      expect([full.length, limited.length]).toEqual([3, 2]);
    },
  },
  {
    name: 'mandatory/protocol/test_a2a_v030_new_methods.py test_core_method_mapping_compliance',
    run: async (sut) => {
      for (const method of ['SendMessage', 'GetTask', 'CancelTask', 'ListTasks', 'GetExtendedAgentCard']) {
        expect((await callSut(sut, method)).body.error?.code).not.toBe(-32601);
      }
    },
  },
  ...[
    'test_extended_agent_card_method_exists',
    'test_transport_specific_method_naming',
    'test_jsonrpc_specific_features',
  ].map(
    (name): TckCase => ({
      name: `mandatory/protocol/test_a2a_v030_new_methods.py ${name}`,
      run: async (sut) =>
        expect((await callSut(sut, 'GetExtendedAgentCard')).body.result.name.length).toBeGreaterThan(0),
    }),
  ),
  {
    name: 'mandatory/protocol/test_a2a_v030_new_methods.py test_tasks_list_with_existing_tasks',
    run: async (sut) => {
      const { id } = await makeTask(sut, 'listed');
      const { tasks } = (await callSut(sut, 'ListTasks')).body.result;
      expect(tasks.map((task: { id: string }) => task.id)).toContain(id);
    },
  },
  ...['test_grpc_specific_features', 'test_rest_specific_features'].map(
    (name): TckCase => ({
      name: `mandatory/protocol/test_a2a_v030_new_methods.py ${name}`,
      reason: 'Of another transport; over HTTP the official client is tested.',
    }),
  ),
  {
    name: 'mandatory/protocol/test_extended_agent_card.py test_extended_agent_card_authentication_required',
    run: (sut) => expectError(callSut(sut, 'GetExtendedAgentCard', {}, null), -31401),
  },
  {
    name: 'mandatory/protocol/test_extended_agent_card.py test_extended_agent_card_invalid_authentication',
    run: (sut) => expectError(callSut(sut, 'GetExtendedAgentCard', {}, 'mesh_live_invalid'), -31401),
  },
  {
    name: 'mandatory/protocol/test_extended_agent_card.py test_extended_agent_card_response_format',
    run: async (sut) => {
      const card = (await callSut(sut, 'GetExtendedAgentCard')).body.result;
      const fields = ['name', 'description', 'version', 'capabilities', 'skills', 'supportedInterfaces'];
      for (const field of [...fields, 'defaultInputModes', 'defaultOutputModes']) expect(card).toHaveProperty([field]);
      expect(Array.isArray(card.skills)).toBe(true);
    },
  },
  ...[
    'test_transport_compliance_validation',
    'test_required_method_availability',
    'test_transport_specific_features',
  ].map(
    (name): TckCase => ({
      name: `mandatory/protocol/test_a2a_v030_transport_compliance.py ${name}`,
      run: async (sut) => {
        for (const method of ['SendMessage', 'GetTask', 'CancelTask']) {
          expect((await callSut(sut, method)).body.error.code).toBe(-32602);
        }
      },
    }),
  ),
  ...['test_multi_transport_method_mapping', 'test_comprehensive_a2a_v030_compliance'].map(
    (name): TckCase => ({
      name: `mandatory/protocol/test_a2a_v030_transport_compliance.py ${name}`,
      reason: 'Compares transports; the official client does the same job over both (official-client.test.ts).',
    }),
  ),
];

const CARD = 'mandatory/protocol/test_agent_card.py';
const CARD_FIELDS = 'mandatory/protocol/test_agent_card_mandatory.py';

async function cardOf(sut: Sut) {
  return (await sut.t.call('GET', `/a2a/agents/${sut.handle}/.well-known/agent-card.json`)).body;
}

const cards: readonly TckCase[] = [
  {
    name: `${CARD} test_agent_card_available`,
    run: async (sut) => expect((await cardOf(sut)).name.length).toBeGreaterThan(0),
  },
  ...[
    `${CARD} test_mandatory_fields_present`,
    `${CARD} test_mandatory_field_types`,
    `${CARD_FIELDS} test_agent_card_mandatory_fields`,
  ].map(
    (name): TckCase => ({
      name,
      run: async (sut) => {
        const card = await cardOf(sut);
        for (const field of ['name', 'description', 'version']) expect(typeof card[field]).toBe('string');
        for (const field of ['supportedInterfaces', 'skills', 'defaultInputModes'])
          expect(Array.isArray(card[field])).toBe(true);
      },
    }),
  ),
  {
    name: `${CARD_FIELDS} test_agent_card_capabilities_mandatory`,
    run: async (sut) =>
      expect((await cardOf(sut)).capabilities).toMatchObject({ streaming: true, pushNotifications: true }),
  },
  {
    name: `${CARD_FIELDS} test_agent_card_skills_mandatory`,
    run: async (sut) => {
      const { skills } = await cardOf(sut);
      expect(skills.length).toBeGreaterThan(0);
      for (const skill of skills)
        for (const field of ['id', 'name', 'description', 'tags']) expect(skill).toHaveProperty([field]);
    },
  },
  {
    name: `${CARD_FIELDS} test_agent_card_input_output_modes_mandatory`,
    run: async (sut) => expect((await cardOf(sut)).defaultOutputModes).toContain('text/plain'),
  },
  {
    name: `${CARD_FIELDS} test_agent_card_basic_info_mandatory`,
    run: async (sut) => expect((await cardOf(sut)).description.length).toBeGreaterThan(0),
  },
];

const AUTH = 'mandatory/authentication/test_auth_enforcement.py';
const AUTH_030 = 'mandatory/authentication/test_auth_compliance_v030.py';

const refusedAs = (key: string | null) => async (sut: Sut) => {
  const answer = await callSut(sut, 'GetTask', { id: NONE }, key);
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toStartWith('Bearer ');
};

const authentication: readonly TckCase[] = [
  { name: `${AUTH} test_authentication_required_when_declared`, run: refusedAs(null) },
  { name: `${AUTH} test_invalid_credentials_rejected`, run: refusedAs('mesh_live_invalid') },
  ...[
    `${AUTH} test_authentication_scheme_consistency`,
    `${AUTH_030} test_security_scheme_structure_compliance`,
    `${AUTH_030} test_oauth2_metadata_url_validation`,
  ].map(
    (name): TckCase => ({
      name,
      run: async (sut) => {
        const { securitySchemes, securityRequirements } = await cardOf(sut);
        for (const { schemes } of securityRequirements) {
          for (const scheme of Object.keys(schemes)) expect(securitySchemes).toHaveProperty([scheme]);
        }
        for (const scheme of Object.values<{ type: string }>(securitySchemes))
          expect(scheme.type.length).toBeGreaterThan(0);
      },
    }),
  ),
  { name: `${AUTH_030} test_security_error_response_compliance`, run: refusedAs(null) },
  {
    name: `${AUTH_030} test_authentication_transport_consistency`,
    run: async (sut) => expect((await sut.t.call('GET', `/a2a/agents/${sut.handle}/tasks`)).status).toBe(401),
  },
  {
    name: `${AUTH_030} test_mutual_tls_scheme_declaration`,
    reason: 'No mutual TLS is declared, and the kit skips the case then.',
  },
];

const QUALITY = 'mandatory/quality/test_error_validation_enhanced.py';

const quality: readonly TckCase[] = [
  {
    name: `${QUALITY} test_invalid_method_error_validation`,
    run: (sut) => expectError(callSut(sut, 'invalid/method'), -32601),
  },
  {
    name: `${QUALITY} test_invalid_params_error_validation`,
    run: (sut) => expectError(callSut(sut, 'GetTask', {}), -32602),
  },
  {
    name: `${QUALITY} test_nonexistent_resource_error_validation`,
    run: (sut) => expectError(callSut(sut, 'GetTask', { id: NONE }), -32001),
  },
  {
    name: `${QUALITY} test_error_consistency_across_methods`,
    run: async (sut) => {
      for (const method of ['GetTask', 'CancelTask', 'SubscribeToTask'])
        await expectError(callSut(sut, method, { id: NONE }), -32001);
    },
  },
  {
    name: `${QUALITY} test_error_response_completeness`,
    run: async (sut) => {
      const { body } = await callSut(sut, 'GetTask', { id: NONE });
      expect(Object.keys(body).sort()).toEqual(['error', 'id', 'jsonrpc']);
    },
  },
];

const SECURITY = 'mandatory/security/test_agent_card_security.py';
const IN_TASK = 'mandatory/security/test_in_task_authentication.py';

const security: readonly TckCase[] = [
  {
    name: `${SECURITY} test_public_agent_card_access_control`,
    run: async (sut) => expect((await cardOf(sut)).name.length).toBeGreaterThan(0),
  },
  {
    name: `${SECURITY} test_extended_card_access_controls`,
    run: (sut) => expectError(callSut(sut, 'GetExtendedAgentCard', {}, null), -31401),
  },
  { name: `${SECURITY} test_authentication_scheme_validation`, run: refusedAs(null) },
  {
    name: `${SECURITY} test_sensitive_information_protection`,
    run: async (sut) => expect(JSON.stringify(await cardOf(sut))).not.toMatch(/mesh_live_|@example\.org|"password"/),
  },
  {
    name: `${SECURITY} test_security_scheme_consistency`,
    run: async (sut) => expect(Object.keys((await cardOf(sut)).securitySchemes).length).toBeGreaterThan(0),
  },
  ...['test_auth_required_state_support', 'test_in_task_authentication_workflow', 'test_auth_state_transitions'].map(
    (name): TckCase => ({
      name: `${IN_TASK} ${name}`,
      reason: 'No task here asks for a credential of its own: TASK_STATE_AUTH_REQUIRED is never produced.',
    }),
  ),
  { name: `${IN_TASK} test_authentication_challenge_headers`, run: refusedAs(null) },
  { name: `${IN_TASK} test_invalid_authentication_handling`, run: refusedAs('mesh_live_invalid') },
  ...[
    'test_certificate_validation.py test_certificate_chain_trust_validation',
    'test_certificate_validation.py test_hostname_verification',
    'test_certificate_validation.py test_certificate_revocation_status',
    'test_certificate_validation.py test_invalid_certificate_rejection',
    'test_certificate_validation.py test_certificate_security_headers',
    'test_transport_security.py test_https_required_production',
    'test_transport_security.py test_tls_certificate_validation',
    'test_transport_security.py test_tls_configuration_security',
    'test_transport_security.py test_http_to_https_redirect',
    'test_tls_configuration_enhanced.py test_tls_protocol_version_security',
    'test_tls_configuration_enhanced.py test_cipher_suite_security_analysis',
    'test_tls_configuration_enhanced.py test_certificate_chain_validation',
    'test_tls_configuration_enhanced.py test_tls_security_features',
    'test_tls_configuration_enhanced.py test_tls_implementation_best_practices',
  ].map(
    (name): TckCase => ({
      name: `mandatory/security/${name}`,
      reason: 'TLS is the business of the proxy in front of the service.',
    }),
  ),
];

const EQUIVALENCE = 'mandatory/transport/test_multi_transport_equivalence.py';

const transports: readonly TckCase[] = [
  {
    name: `${EQUIVALENCE} test_task_retrieval_equivalence`,
    run: async (sut) => {
      const { id } = await makeTask(sut, 'Both ways');
      const rpc = (await callSut(sut, 'GetTask', { id })).body.result;
      expect((await sut.t.call('GET', `/a2a/agents/${sut.handle}/tasks/${id}`, { key: sut.key })).body).toEqual(rpc);
    },
  },
  {
    name: `${EQUIVALENCE} test_message_sending_equivalence`,
    run: async (sut) => {
      const body = { message: messageOf('By HTTP'), configuration: { returnImmediately: true } };
      const answer = await sut.t.call('POST', `/a2a/agents/${sut.handle}/message:send`, { key: sut.key, body });
      expect(TASK_STATES).toContain(answer.body.task.status.state);
    },
  },
  {
    name: `${EQUIVALENCE} test_agent_card_access_equivalence`,
    run: async (sut) => {
      const rpc = (await callSut(sut, 'GetExtendedAgentCard')).body.result;
      expect((await sut.t.call('GET', `/a2a/agents/${sut.handle}/extendedAgentCard`, { key: sut.key })).body).toEqual(
        rpc,
      );
    },
  },
  {
    name: `${EQUIVALENCE} test_error_handling_equivalence`,
    run: async (sut) => {
      const { status, body } = await sut.t.call('GET', `/a2a/agents/${sut.handle}/tasks/${NONE}`, { key: sut.key });
      expect([status, body.error.details[0].reason]).toEqual([404, 'TASK_NOT_FOUND']);
    },
  },
  { name: `${EQUIVALENCE} test_performance_equivalence`, reason: 'Times answers by the wall clock.' },
  {
    name: `${EQUIVALENCE} test_concurrent_operation_equivalence`,
    run: async (sut) => {
      const made = await Promise.all([1, 2, 3].map((n) => makeTask(sut, `At once ${n}`)));
      expect(new Set(made.map(({ id }) => id)).size).toBe(3);
    },
  },
];

/** The mandatory cases but those of lists, which are a table of their own. */
export const MANDATORY: readonly TckCase[] = [
  ...jsonRpc,
  ...protocol,
  ...cards,
  ...authentication,
  ...quality,
  ...security,
  ...transports,
];
