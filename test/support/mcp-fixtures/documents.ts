// The resources and prompts that the conformance suite reads.
import type { InputNeeded } from '../../../src/transports/mcp/rounds.ts';
import { type FixtureCall, form, type Json, PNG } from './fixture.ts';

const WATCHED = 'test://watched-resource';

/** As `resources/list` shows them. */
export const RESOURCES: readonly Json[] = [
  { uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png' },
  { uri: WATCHED, name: 'watched-resource', mimeType: 'text/plain' },
];

/** As `resources/templates/list` shows it. */
export const TEMPLATE: Json = {
  uriTemplate: 'test://template/{id}/data',
  name: 'template',
  mimeType: 'application/json',
};

/** What stands at an address of the suite; null where nothing does. */
export function readFixture(uri: string): Json | null {
  if (uri === 'test://static-binary') return { uri, mimeType: 'image/png', blob: PNG };
  if (uri === 'test://static-text') {
    return { uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' };
  }
  if (uri === WATCHED) return { uri, mimeType: 'text/plain', text: 'Watched resource content' };
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id === undefined) return null;
  const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
  return { uri, mimeType: 'application/json', text };
}

/** Whether the suite subscribes to it. */
export function isFixtureUri(uri: unknown): uri is string {
  return typeof uri === 'string' && uri.startsWith('test://') && readFixture(uri) !== null;
}

export interface FixturePrompt {
  readonly name: string;
  readonly description: string;
  readonly arguments?: readonly Json[];
  get(args: Json, call: FixtureCall): Json | InputNeeded;
}

const user = (content: Json): Json => ({ role: 'user', content });
const textOf = (text: string): Json => user({ type: 'text', text });
const required = (name: string): Json => ({ name, description: name, required: true });

export const PROMPTS: readonly FixturePrompt[] = [
  {
    name: 'test_simple_prompt',
    description: 'A prompt without arguments',
    get: () => ({ messages: [textOf('This is a simple prompt for testing.')] }),
  },
  {
    name: 'test_prompt_with_arguments',
    description: 'A prompt with arguments',
    arguments: [required('arg1'), required('arg2')],
    get: ({ arg1, arg2 }) => ({ messages: [textOf(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'A prompt that holds a resource',
    arguments: [required('resourceUri')],
    get: ({ resourceUri: uri }) => ({
      messages: [
        user({ type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content.' } }),
        textOf('Please process the embedded resource above.'),
      ],
    }),
  },
  {
    name: 'test_prompt_with_image',
    description: 'A prompt that holds a picture',
    get: () => ({
      messages: [user({ type: 'image', data: PNG, mimeType: 'image/png' }), textOf('Please analyze the image above.')],
    }),
  },
  {
    name: 'test_input_required_result_prompt',
    description: 'A prompt that asks first',
    get: (_args, { responses: { user_context } }) =>
      user_context
        ? { messages: [textOf(`Prompt with context: ${user_context.content?.context}`)] }
        : { needs: { user_context: form('What context?', { context: { type: 'string' } }, ['context']) } },
  },
];
