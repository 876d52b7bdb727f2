// What a message of the revision without sessions says of itself by headers where it goes over HTTP, made of its body (MCP
// 2026-07-28, Transports). Older messages say nothing so.

type Message = Readonly<Record<string, unknown>>;

const VERSION = 'io.modelcontextprotocol/protocolVersion';
/** A name that a header carries as it is; whatever else is sent in Base64. */
const PLAIN = /^(?!=\?base64\?)[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
/** By which field of its parameters a method names what it is about. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

function objectAt(value: unknown, key: string): Message {
  const found = typeof value === 'object' && value !== null ? (value as Message)[key] : undefined;
  return typeof found === 'object' && found !== null ? (found as Message) : {};
}

/** The revision that a request claims for itself; null where it is of a session's. */
export function claimedVersion(message: Message): string | null {
  const version = objectAt(objectAt(message, 'params'), '_meta')[VERSION];
  return typeof version === 'string' && PLAIN.test(version) ? version : null;
}

function headerText(text: string): string {
  return PLAIN.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

export function httpHeaders(message: Message): readonly (readonly [string, string])[] {
  const version = claimedVersion(message);
  const { method } = message;
  if (version === null || typeof method !== 'string') return [];
  const name = objectAt(message, 'params')[NAMED_BY[method] ?? ''];
  return [
    ['MCP-Protocol-Version', version],
    ['Mcp-Method', headerText(method)],
    ...(typeof name === 'string' ? [['Mcp-Name', headerText(name)] as const] : []),
  ];
}
