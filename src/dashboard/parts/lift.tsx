// From a refusal to the page on which a person lifts it, and back.
import type { JSX } from 'preact';
import { Link, useLocation, useSearchParams } from 'wouter-preact';
import { base } from '../session.ts';
import { words } from '../words/words.ts';

/** Survives the way over the payment processor's page, which leads back to the wallet. */
const KEPT = 'meshwork-back';

/** A link to the page of this app that `url` names; nothing where it is no page of it, or the one that is shown. */
export function Lifting({ url }: { url: string }): JSX.Element | null {
  const [here] = useLocation();
  const there = new URL(url, location.href);
  if (!there.pathname.startsWith(base) || there.pathname === base) return null;
  const page = `/${there.pathname.slice(base.length)}`;
  if (page === here) return null;
  there.searchParams.set('back', here + location.search);
  return (
    <p>
      <Link class="button" href={`${page}${there.search}`}>
        {words.failed.lift}
      </Link>
    </p>
  );
}

/** The way back for whoever came from a refusal. */
export function Back(): JSX.Element | null {
  const [asked] = useSearchParams();
  const said = asked.get('back');
  if (said?.startsWith('/') && !said.startsWith('//')) sessionStorage.setItem(KEPT, said);
  const back = sessionStorage.getItem(KEPT);
  if (back === null) return null;
  return (
    <p>
      <Link href={back} onClick={() => sessionStorage.removeItem(KEPT)}>
        {words.failed.back}
      </Link>
    </p>
  );
}
