// Registers the service worker; its URL passes through a Trusted Types policy that admits no other.
import { base } from './session.ts';

const ADDRESS = `${base}worker.js`;

/** Trusted Types, where the browser has them; TypeScript's library lacks the type. */
interface Factory {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): {
    createScriptURL(url: string): string;
  };
}

function trusted(): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: Factory };
  const createScriptURL = (url: string): string => {
    if (url !== ADDRESS) throw new TypeError('this is no address of the app’s worker');
    return url;
  };
  return trustedTypes?.createPolicy('meshwork', { createScriptURL }).createScriptURL(ADDRESS) ?? ADDRESS;
}

/** Registers it where supported; without one the app only needs the network to open. */
export function startWorker(): void {
  const scope = base === '/' ? '/' : base.replace(/\/$/, '');
  navigator.serviceWorker?.register(trusted(), { scope }).catch(() => {
    // Private windows and pages without TLS refuse it.
  });
}
