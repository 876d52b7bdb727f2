// How a refusal over HTTP tells a client where it gets the credential that it lacks (RFC 6750, 3; RFC 9728, 5.1). One text
// for all doors, each of which names its own resource.
import type { Fault } from '../domain/fault.ts';
import { METADATA_PATH } from '../domain/identity/resource.ts';
import type { Credentials } from '../pipeline/call.ts';

/** Where a request went, and whether it showed a credential at all. */
export interface Asked {
  readonly base_url: string;
  /** The path of the resource under the base, as its metadata name it: '' for the service, '/mcp' for the tool server. */
  readonly resource: string;
  readonly shown: boolean;
}

/** Whether a request brought a key or a token. Only then is it told that what it brought is wrong (RFC 6750, 3.1). */
export function showsCredential({ key, bearer }: Credentials): boolean {
  return key !== null || bearer !== null;
}

/** `WWW-Authenticate` of a refusal, and nothing for one that no other credential would mend. `scope` is what a door asks
 * for beside the right that is missing, so that the next token does no less than this one. */
export function challengeOf(
  { fault, data }: Pick<Fault, 'fault' | 'data'>,
  { base_url, resource, shown }: Asked,
  scope: readonly string[] = [],
): Readonly<Record<string, string>> {
  const metadata = `resource_metadata="${base_url}${METADATA_PATH}${resource}"`;
  if (fault === 'unauthorized' || fault === 'conflicting_credentials' || fault === 'invalid_client') {
    const error = shown && fault !== 'invalid_client' ? ', error="invalid_token"' : '';
    return { 'WWW-Authenticate': `Bearer realm="meshwork"${error}, ${metadata}` };
  }
  if (fault !== 'insufficient_scope') return {};
  const wanted = [...new Set([...scope, String(data['required_scope'] ?? '')])].filter(Boolean).join(' ');
  return { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${wanted}", ${metadata}` };
}
