// Addresses that the service tells, as paths within the app.
import { base } from '../session.ts';

/** The path of one of the app's own addresses; the start page for any other. */
export function pathOf(url: string): string {
  const { origin, pathname, search, hash } = new URL(url, location.origin);
  const own = origin === location.origin && `${pathname}/`.startsWith(base);
  return own ? `/${pathname.slice(base.length)}${search}${hash}` : '/';
}
