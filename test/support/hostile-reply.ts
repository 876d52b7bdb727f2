// Replies as a service might give them to which only hostile people have written: made from the schema of what an operation answers,
// so that every field is there, with a text in it that breaks naive code wherever somebody's words may stand.
import type { TSchema } from 'typebox';
import { naughtyStrings } from './corpus.ts';

/** Begins every hostile text, so that a test sees whether one was shown. */
export const HOSTILE = 'hostile:';
const LONGEST = 300;
/** How many items a list has: each takes another of the forms that its schema allows. */
const ITEMS = 3;
const TIME = '2026-03-04T05:06:07.000Z';

const OWN = [
  `"><script>document.title='ran'</script><img src=x onerror="document.title='ran'">`,
  `'><svg/onload=document.title='ran'><iframe srcdoc="<script>parent.document.title='ran'</script>">`,
  '</textarea></title></script><base href="https://evil.example/"><form action="https://evil.example/">',
  '\u202e<a href="javascript:document.title=\'ran\'">x</a>{{7*7}}',
  // Wider than a narrow window, without a place to break it.
  'Wx<b>'.repeat(40),
];
const TEXTS = [
  ...OWN,
  ...naughtyStrings().filter((text) => text.length < LONGEST && /[<>"'`{]|javascript|on\w+=/i.test(text)),
];
const LINK = `javascript:document.title='ran'//`;

/** A schema as this file reads it. */
interface Node {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Node[];
  readonly allOf?: readonly Node[];
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly patternProperties?: Readonly<Record<string, Node>>;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
}

/** Of texts that have to match something: what the service itself would put there. */
const FITTING = ['10:00', '2026-03-04', '123456', 'abcdef', '2026', 'a', '1'];

let used = 0;

function textOf({ format, pattern }: Node, name: string, at: number): string {
  if (format === 'uuid' || /(^|_)id$/.test(name)) return `01890000-0000-7000-8000-00000000000${at}`;
  if (format === 'date-time' || /_at$/.test(name)) return TIME;
  if (/handle/.test(name)) return 'hostile_bob';
  if (name === 'currency') return 'USD';
  if (format === 'uri' || /url$/.test(name)) return LINK;
  used += 1;
  const text = `${HOSTILE} ${TEXTS[used % TEXTS.length]}`;
  if (pattern === undefined || new RegExp(pattern, 'u').test(text)) return text;
  return FITTING.find((each) => new RegExp(pattern, 'u').test(each)) ?? text;
}

function objectOf(node: Node, name: string, at: number): Readonly<Record<string, unknown>> {
  const fields = Object.entries(node.properties ?? {}).map(([field, each]) => [field, valued(each, field, at)]);
  const open = Object.values(node.patternProperties ?? {}).map((each) => {
    return [`${HOSTILE} ${OWN[0]}`, valued(each, name.endsWith('links') ? 'url' : '', at)];
  });
  return Object.fromEntries([...open, ...fields]);
}

function valued(node: Node, name: string, at: number): unknown {
  if (node.const !== undefined) return node.const;
  if (node.enum) return node.enum[at % node.enum.length];
  if (node.anyOf) {
    const forms = node.anyOf.filter(({ type }) => type !== 'null');
    const form = forms[at % forms.length];
    return form ? valued(form, name, at) : null;
  }
  if (node.allOf) return Object.assign({}, ...node.allOf.map((each) => valued(each, name, at)));
  if (node.type === 'array') return Array.from({ length: ITEMS }, (_, i) => valued(node.items ?? {}, name, i));
  if (node.type === 'object') return objectOf(node, name, at);
  if (node.type === 'integer' || node.type === 'number') return Math.max(node.minimum ?? 1, 1);
  if (node.type === 'boolean') return at % 2 === 0;
  return node.type === 'null' ? null : textOf(node, name, at);
}

/** The same reply for the same number, in whichever order replies are asked for. */
export function hostileReply(schema: TSchema, number: number): unknown {
  used = number;
  return valued(schema as Node, '', 0);
}
