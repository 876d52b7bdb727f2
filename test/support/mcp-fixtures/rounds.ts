// Tools and a prompt that take several rounds with the client before they answer (MCP 2026-07-28, multi round-trip requests).
import type { ClientRequest } from '../../../src/transports/mcp/rounds.ts';
import { type FixtureTool, form, type Json, plainTool, sample, says } from './fixture.ts';

const nameForm = form('What is your name?', { name: { type: 'string' } }, ['name']);
const confirm = form('Please confirm', { ok: { type: 'boolean' } }, ['ok']);
const ROOTS: ClientRequest = { method: 'roots/list', params: {} };

const PREFIX = 'test_input_required_result';

/** The fields of an accepted form. */
const given = (response: Json | undefined): Json | undefined => response?.content;

/** All tools of the suite that ask in rounds. */
export const ROUND_TOOLS: readonly FixtureTool[] = [
  plainTool(`${PREFIX}_elicitation`, 'Asks for a name', (_args, { responses: { user_name } }) =>
    given(user_name) ? says(`Hello, ${given(user_name)?.name}!`) : { needs: { user_name: nameForm } },
  ),
  plainTool(`${PREFIX}_sampling`, "Asks the client's model", (_args, { responses: { sampled } }) =>
    sampled
      ? says(`Sampling result: ${sampled.content?.text}`)
      : { needs: { sampled: sample('What is the capital of France?') } },
  ),
  plainTool(`${PREFIX}_list_roots`, "Asks for the client's folders", (_args, { responses: { roots } }) =>
    roots ? says(`Found ${roots.roots?.length} root(s)`) : { needs: { roots: ROOTS } },
  ),
  plainTool(`${PREFIX}_request_state`, 'Remembers something', (_args, { responses, state }) =>
    responses.confirm && state === 'asked' ? says('state-ok') : { needs: { confirm }, state: 'asked' },
  ),
  plainTool(`${PREFIX}_multiple_inputs`, 'Asks for three things', (_args, { responses, state }) => {
    const { user_name, greeting, client_roots } = responses;
    if (state === 'asked' && user_name && greeting && client_roots) return says('all three are here');
    return { needs: { user_name: nameForm, greeting: sample('Greet', 50), client_roots: ROOTS }, state: 'asked' };
  }),
  plainTool(`${PREFIX}_multi_round`, 'Asks twice', (_args, { responses: { step1, step2 }, state }) => {
    if (step2 && state === 2) return says('done after two rounds');
    if (step1 && state === 1) return { needs: { step2: form('Step 2', { color: { type: 'string' } }) }, state: 2 };
    return { needs: { step1: form('Step 1', { name: { type: 'string' } }) }, state: 1 };
  }),
  plainTool(`${PREFIX}_tampered_state`, 'Remembers what nobody may change', (_args, { responses, state }) =>
    responses.confirm && state === 'sealed' ? says('integrity-ok') : { needs: { confirm }, state: 'sealed' },
  ),
  plainTool(`${PREFIX}_capabilities`, 'Asks for what the client has', (_args, { responses, capabilities }) => {
    if (Object.keys(responses).length > 0) return says('capabilities-ok');
    const needs: Record<string, ClientRequest> = {};
    if (capabilities?.elicitation) needs.elicited = nameForm;
    if (capabilities?.sampling) needs.sampled = sample('Sample request', 50);
    return { needs };
  }),
];
