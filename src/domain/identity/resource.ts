// What access tokens can be made out for: the service, or one of its doors (RFC 8707). The rule kept here is that a token
// works at its own address and below it, and nowhere else.

/** Where the metadata of a protected resource stand; its path follows (RFC 9728, 3.1). */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** The doors that have an address of their own, as paths under the base. */
export const RESOURCES = { service: '', tools: '/mcp', agents: '/a2a/rpc' } as const;

/** The address of one agent at the door of the agent-to-agent protocol. */
export function agentResource(handle: string): string {
  return `/a2a/agents/${handle}/`;
}
