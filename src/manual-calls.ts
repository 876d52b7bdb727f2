// Calls as the documents write them, `POST /api/messages/{conversation_id} {content}`, in the words of each door. A document stays as
// people read it; who asks by tools is told of tools. What no tool does keeps its address.
import type { DoorWord, NextOperation, NextStep, StepForm } from './domain/next-step.ts';
import type { AnyOperation } from './operations/operation.ts';

/** A call with what is sent along, in braces of one level. */
const CALL = /\b(GET|POST|PATCH|PUT|DELETE) (\/[\w./{}-]+)(?:\?(\w+)=(\w+))?(?: \{([^{}]{1,200})\})?/g;
const PARAMETER = /\{(\w+)\}/g;

const shapeOf = (method: string, path: string): string => `${method} ${path.replaceAll(PARAMETER, '{}')}`;

/** Fields in braces: what is known of them, and what the caller fills in. */
function fieldsOf(braces: string): { input: Record<string, unknown>; fill: string[] } {
  const input: Record<string, unknown> = {};
  const fill: string[] = [];
  for (const field of braces.split(',')) {
    const [name = '', value] = field.split(':').map((part) => part.trim());
    if (value === undefined) fill.push(name.replace('?', ''));
    else input[name] = value === 'true' || value === 'false' ? value === 'true' : value.replaceAll('"', '');
  }
  return { input, fill: fill.filter((name) => name !== '' && name !== '…') };
}

/** The tools that do a call of an operation; none where it takes an address. */
function toolTexts(
  { name, tools = [] }: AnyOperation,
  form: StepForm,
  input: object,
  fill: readonly string[],
): string[] {
  // The name is an operation's; the list of next steps has those alone that code names.
  const step = (more: object): NextStep => ({ operation: name as NextOperation, input: { ...input, ...more }, fill });
  const texts = (steps: readonly NextStep[]): string[] =>
    steps.filter((one) => 'tool' in form.fields(one)).map((one) => form.text(one));
  const plain = texts([step({})]);
  if (plain.length > 0) return plain;
  // One that several tools share is told by all of them.
  const several = tools.map(({ fixed = {} }) => ({
    ...step(fixed),
    fill: fill.filter((field) => !(field in fixed)),
  }));
  return [...new Set(texts(several))];
}

/** What puts the calls of operations into the words of each door. */
export function callsInText(
  operations: readonly AnyOperation[],
  tools: StepForm,
): {
  readonly ofText: (text: string) => DoorWord;
  /** The call itself; null for what no door calls. */
  readonly ofOperation: (operation: AnyOperation) => DoorWord | null;
} {
  const byShape = new Map<string, AnyOperation>();
  for (const operation of operations) {
    for (const { method, path } of operation.rest) byShape.set(shapeOf(method, path), operation);
  }
  const toolCall = (method: string, path: string, given: string): string | null => {
    const operation = byShape.get(shapeOf(method, path));
    if (!operation) return null;
    const { input, fill } = fieldsOf(given);
    const params = [...path.matchAll(PARAMETER)].map(([, name = '']) => name);
    const texts = toolTexts(operation, tools, input, [...params, ...fill]);
    return texts.length > 0 ? texts.join(' or ') : null;
  };
  return {
    ofText: (text) => ({
      http: text,
      tools: text.replaceAll(CALL, (call, method: string, path: string, name?: string, value?: string, braces = '') => {
        const given = name === undefined ? braces : `${name}: ${value}, ${braces}`;
        return toolCall(method, path, given) ?? call;
      }),
    }),
    ofOperation: (operation) => {
      const { rest, tools: bindings = [] } = operation;
      const address = rest.find(({ alias }) => !alias);
      const texts = toolTexts(operation, tools, {}, []);
      if (!address) return texts[0] === undefined ? null : { http: texts[0], tools: texts.join(' or ') };
      const http = `${address.method} ${address.path}`;
      if (texts.length > 0) return { http, tools: texts.join(' or ') };
      return { http, tools: bindings.length > 0 ? bindings.map((tool) => tool.name).join(' or ') : http };
    },
  };
}
