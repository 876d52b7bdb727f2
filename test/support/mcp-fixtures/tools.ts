// The tools that the conformance suite calls: contents of each kind, messages on the way, and what asks the client first.
import { type FixtureTool, form, type Json, PNG, plainTool, sample, says, WAV } from './fixture.ts';

const TEXT = { type: 'string' };

const CONTENTS: readonly FixtureTool[] = [
  plainTool('test_simple_text', 'Answers a text', () => says('This is a simple text response for testing.')),
  plainTool('test_image_content', 'Answers a picture', () => ({
    content: [{ type: 'image', data: PNG, mimeType: 'image/png' }],
  })),
  plainTool('test_audio_content', 'Answers a sound', () => ({
    content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  })),
  plainTool('test_embedded_resource', 'Answers a resource', () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  })),
  plainTool('test_multiple_content_types', 'Answers a text, a picture and a resource', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: PNG, mimeType: 'image/png' },
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  })),
  plainTool('test_error_handling', 'Fails', () => ({
    ...says('This tool intentionally returns an error for testing'),
    isError: true,
  })),
];

const ON_THE_WAY: readonly FixtureTool[] = [
  plainTool('test_tool_with_logging', 'Logs three times', (_args, call) => {
    for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      call.log('info', line);
    }
    return says('Tool with logging executed successfully');
  }),
  plainTool('test_logging_tool', 'Logs once', (_args, call) => {
    call.log('error', 'nobody asked for this');
    return says('done');
  }),
  plainTool('test_tool_with_progress', 'Tells how far it is', (_args, call) => {
    for (const progress of [0, 50, 100]) call.progress(progress, 100);
    return says('Tool with progress executed successfully');
  }),
];

const ENUMS: Json = {
  untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
  titledSingle: {
    type: 'string',
    oneOf: [
      { const: 'value1', title: 'First Option' },
      { const: 'value2', title: 'Second Option' },
      { const: 'value3', title: 'Third Option' },
    ],
  },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { type: 'string', enum: ['option1', 'option2'] } },
  titledMulti: {
    type: 'array',
    minItems: 1,
    maxItems: 3,
    items: {
      anyOf: [
        { const: 'value1', title: 'First Choice' },
        { const: 'value2', title: 'Second Choice' },
      ],
    },
  },
};

const DEFAULTS: Json = {
  name: { type: 'string', description: 'User name', default: 'John Doe' },
  age: { type: 'integer', description: 'User age', default: 30 },
  score: { type: 'number', description: 'User score', default: 95.5 },
  status: { type: 'string', description: 'Status', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', description: 'Verification status', default: true },
};

function answered(response: Json): Json {
  return says(`User response: action=${response.action}, content=${JSON.stringify(response.content ?? {})}`);
}

const ASKING: readonly FixtureTool[] = [
  {
    name: 'test_sampling',
    description: "Asks the client's model",
    inputSchema: { type: 'object', properties: { prompt: TEXT }, required: ['prompt'] },
    run: ({ prompt }, { responses: { reply } }) =>
      reply ? says(`LLM response: ${reply.content?.text}`) : { needs: { reply: sample(prompt) } },
  },
  {
    name: 'test_elicitation',
    description: 'Asks the person at the client',
    inputSchema: { type: 'object', properties: { message: TEXT }, required: ['message'] },
    run: ({ message }, { responses: { user } }) =>
      user
        ? answered(user)
        : { needs: { user: form(message, { username: TEXT, email: TEXT }, ['username', 'email']) } },
  },
  plainTool('test_elicitation_sep1034_defaults', 'Asks with defaults', (_args, { responses: { user } }) =>
    user ? answered(user) : { needs: { user: form('Please review the fields', DEFAULTS) } },
  ),
  plainTool('test_elicitation_sep1330_enums', 'Asks with choices', (_args, { responses: { user } }) =>
    user ? answered(user) : { needs: { user: form('Please select options', ENUMS) } },
  ),
  plainTool('test_missing_capability', 'Needs a model at the client', (_args, { responses: { reply } }) =>
    reply ? says('Success') : { needs: { reply: sample('Are you there?') } },
  ),
  plainTool('test_streaming_elicitation', 'Asks after a word on the way', (_args, call) => {
    call.progress(50, 100);
    return call.responses.user ? says('done') : { needs: { user: form('Go on?', { ok: { type: 'boolean' } }) } };
  }),
];

/** All tools of the suite, but those that ask in rounds. */
export const PLAIN_TOOLS: readonly FixtureTool[] = [...CONTENTS, ...ON_THE_WAY, ...ASKING];
