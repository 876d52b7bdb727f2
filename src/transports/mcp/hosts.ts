// From which pages and under which names the door may be called. A page of a stranger can make a browser call a server that only
// the browser reaches: by its own name, which it lets point there (DNS rebinding), or across origins. The page's name stands
// in Host or in Origin then.
import { type Fault, fault } from '../../domain/fault.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
/** An address, or a name that only a private network has: no stranger can make a browser take these for his own. */
const NO_PUBLIC_NAME = /^(?:\[[\da-f:.]+\]|\d{1,3}(?:\.\d{1,3}){3}|[\w-]+|[\w-]+\.localhost)$/;

const FOREIGN_PAGE =
  'Pages of that Origin may not call tools here; those of BASE_URL, of APP_URL and of this machine may, and programs that send none.';

function hostOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).hostname.toLowerCase() : null;
}

/** What tells a request by a stranger's page, for a service with these addresses of its own. */
export function foreignCheck(own: readonly string[]): (headers: Headers) => Fault | null {
  const names = new Set(own.map(hostOf));
  const origins = new Set(own.map((address) => new URL(address).origin));
  return (headers) => {
    const origin = headers.get('origin');
    if (origin !== null && !origins.has(origin) && !LOOPBACK.test(hostOf(origin) ?? '')) {
      return fault('foreign_origin', FOREIGN_PAGE);
    }
    const host = hostOf(`http://${headers.get('host') ?? 'localhost'}`) ?? '';
    if (names.has(host) || NO_PUBLIC_NAME.test(host)) return null;
    return fault('foreign_origin', 'This service is not known by that Host; call it by the host of its BASE_URL.');
  };
}
