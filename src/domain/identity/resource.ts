// What access tokens can be made out for: the service, or one of its doors (RFC 8707). The rule kept here is that a token
// works at its own address and below it, and nowhere else.

/** Where the metadata of a protected resource stand; its path follows (RFC 9728, 3.1). */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** The doors that have an address of their own, as paths under the base. */
export const RESOURCES = { service: '', tools: '/mcp', agents: '/a2a/rpc' } as const;

/** The older form of the tool server, whose clients compare this address with what they were given; its tokens are the tool server's. */
export const TOOL_STREAM = '/mcp/sse';

const AGENT = /^\/a2a\/agents\/([a-z0-9_]{3,30})$/;

/** The address of one agent at the door of the agent-to-agent protocol. */
export function agentResource(handle: string): string {
  return `/a2a/agents/${handle}/`;
}

/** The path of the resource that an address names, spelled as its metadata spell it; null for what is none of ours. */
export function resourceAt(address: string, base_url: string): string | null {
  if (!address.startsWith(base_url)) return null;
  // A slash at the end makes no other resource of it.
  const path = address.slice(base_url.length).replace(/\/$/, '');
  if (path === TOOL_STREAM) return RESOURCES.tools;
  const [, handle] = AGENT.exec(path) ?? [];
  if (handle !== undefined) return agentResource(handle);
  return Object.values(RESOURCES).find((own) => own === path) ?? null;
}

/** Whether a token for a resource works at a path: there, and at all that stands below. */
export function opens(resource: string, path: string): boolean {
  const own = resource.replace(/\/$/, '');
  return path === own || path.startsWith(`${own}/`);
}
