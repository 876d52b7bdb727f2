// Chooses the negotiator by the settings.
import type { Config } from '../../config.ts';
import type { Log } from '../../log.ts';
import type { Dns } from '../dns.ts';
import { createSafeHttp } from '../safe-http/safe-http.ts';
import { createEndpointNegotiator } from './endpoint.ts';
import type { Negotiator } from './negotiator.ts';

/** The model of LLM_URL; null where the built-in rules take all turns. */
export function openNegotiator(config: Config, dns: Dns, log: Log): Negotiator | null {
  const { llmUrl: url, llmModel: model = 'default', llmKey: key, llmPricePerMtok: cents_per_mtok = null } = config;
  if (url === undefined) return null;
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const own = { host, port: Number(port || (protocol === 'https:' ? 443 : 80)) };
  // The operator may run the model next door; addresses that strangers name must not lead there for that, so it is a client of its own.
  const http = createSafeHttp({ dns, allow: [own] });
  return createEndpointNegotiator({ url, model, key, cents_per_mtok, http, log });
}
