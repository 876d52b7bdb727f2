// The resources of access tokens: the service, or one of its transports (RFC 8707). A token is valid at its own address and
// below it, and nowhere else.

/** The prefix of metadata addresses, followed by the path of the resource (RFC 9728, 3.1). */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** The transports with an address of their own, as paths under the base. */
export const RESOURCES = { service: '', tools: '/mcp', agents: '/a2a/rpc' } as const;

/** The older form of the tool server. Its clients compare this address with the given one; its tokens are those of the tool server. */
export const TOOL_STREAM = '/mcp/sse';

const AGENT = /^\/a2a\/agents\/([a-z0-9_]{3,30})$/;

/** The address of one agent in the agent-to-agent protocol. */
export function agentResource(handle: string): string {
  return `/a2a/agents/${handle}/`;
}

/** The path of the resource at an address, in the spelling of its metadata; null for other addresses. */
export function resourceAt(address: string, base_url: string): string | null {
  if (!address.startsWith(base_url)) return null;
  // A trailing slash names the same resource.
  const path = address.slice(base_url.length).replace(/\/$/, '');
  if (path === TOOL_STREAM) return RESOURCES.tools;
  const [, handle] = AGENT.exec(path) ?? [];
  if (handle !== undefined) return agentResource(handle);
  return Object.values(RESOURCES).find((own) => own === path) ?? null;
}

/** Whether a token for a resource is valid at a path: there and below. */
export function opens(resource: string, path: string): boolean {
  const own = resource.replace(/\/$/, '');
  return path === own || path.startsWith(`${own}/`);
}
