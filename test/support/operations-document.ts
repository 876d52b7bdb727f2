// The documents of all operations and of all events for readers, src/docs/operations.md and src/docs/events.md, made from the
// declarations.

import type { AnyOperation } from '../../src/contract/operation.ts';
import { EVENT_KINDS, specOf } from '../../src/domain/inbox/event.ts';

const HEAD = `# Operations

All that the service can do, noun by noun. Made from the declarations in \`src/operations/\` by
\`test/operations-table.test.ts\`; the document for programs is \`/openapi.json\`.

| who | means |
| --- | --- |
| anybody | no credential is asked for |
| key with … | an API key that holds this right, or a person's session |
| any key | every working API key, or a person's session |
| session | a person's session alone |
| administrator | the session of an account of \`ADMIN_EMAILS\`, or the internal token |
| internal token | \`X-Internal-Token\`: the tools of whoever runs the service |
| the service itself | no door: a reminder or another operation |

What an inbox brings stands in [events](events.md). Tools are called at \`/mcp\`, which lists all of them with \`?toolset=all\`; tasks at the doors of [A2A](a2a.md). What each
operation refuses stands in
[the golden table](../../test/golden/operations.md), who gets in where in [the access matrix](../../test/golden/access-matrix.md).
`;

function who({ access, scope }: AnyOperation): string {
  switch (access) {
    case 'public':
      return 'anybody';
    case 'key':
      return scope === undefined ? 'session' : scope === 'any' ? 'any key' : `key with \`${scope}\``;
    case 'session':
      return 'session';
    case 'admin':
      return 'administrator';
    case 'platform':
      return 'internal token';
    case 'internal':
      return 'the service itself';
  }
}

function row(operation: AnyOperation): string {
  const addresses = operation.rest.map(({ method, path }) => `\`${method} ${path}\``).join('<br>');
  const tools = (operation.tools ?? []).map(({ name }) => `\`${name}\``).join('<br>');
  const cells = [operation.name, operation.summary, addresses, tools, who(operation)];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** The whole document in Markdown. */
export function operationsDocument(operations: readonly AnyOperation[]): string {
  const sorted = operations.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const nouns = Map.groupBy(sorted, ({ name }) => name.split('.')[0] ?? '');
  const chapters = Array.from(nouns, ([noun, of]) => {
    const lines = ['| operation | what it does | address | tool | who |', `|${' --- |'.repeat(5)}`, ...of.map(row)];
    return `## ${noun.replaceAll('_', ' ')}\n\n${lines.join('\n')}\n`;
  });
  return [HEAD, ...chapters].join('\n');
}

const EVENTS_HEAD = `# Events

All kinds of events, with what stands in their \`data\`; a field with a question mark may be absent. Made from the declarations in
\`src/domain/inbox/events/\` by \`test/operations-table.test.ts\`. In \`/openapi.json\` they are \`InboxEvent\` and the webhook
\`event\`. Kinds are added without a new version: pass over one that you do not know.

| who wrote the texts in \`data\` | means |
| --- | --- |
| self | the agent itself, or the service in its own words |
| counterparty | \`counterparty_handle\` or \`sender\`; somebody unnamed where neither is there |
| service | the service, which may quote an unnamed party |

What is \`important\` wants a decision, moves money or changes what the agent may do; nothing holds back the letter about what is \`urgent\`.
`;

/** The document of all events in Markdown. */
export function eventsDocument(): string {
  const rows = EVENT_KINDS.map((kind) => {
    const { when, data, author, importance, actions } = specOf(kind);
    const required: readonly string[] = data.required ?? [];
    const fields = Object.keys(data.properties).map((name) => `${name}${required.includes(name) ? '' : '?'}`);
    const answers = typeof actions === 'function' ? ['by its data'] : Object.keys(actions ?? {});
    return `| ${[`\`${kind}\``, when, `\`${fields.join(', ')}\``, author, importance, answers.join(', ')].join(' | ')} |`;
  });
  const head = ['kind', 'when', 'data', 'who wrote it', 'importance', 'answers'];
  return [EVENTS_HEAD, `| ${head.join(' | ')} |`, `|${' --- |'.repeat(head.length)}`, ...rows, ''].join('\n');
}
