// The app's service worker, begun: browsers take its address only from a policy that lets no other through.
import { base } from './session.ts';

const ADDRESS = `${base}worker.js`;

/** As far as this browser knows it; TypeScript's library does not, yet. */
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

/** Begins it where the browser has any; without one the app is the same, and only needs the network to open. */
export function startWorker(): void {
  const scope = base === '/' ? '/' : base.replace(/\/$/, '');
  navigator.serviceWorker?.register(trusted(), { scope }).catch(() => {
    // Private windows refuse, and so do pages that came without TLS.
  });
}
