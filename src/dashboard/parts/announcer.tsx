// Says politely what has just come, to those who see the page and those who hear it.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { actAs } from '../acting.ts';
import { latest } from '../live.ts';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { pathOf } from './path.ts';

const SHOWN_MS = 12_000;

/** The last news, for some seconds; none of a page that one is at, which shows it itself. */
export function Announcer(): JSX.Element {
  const news = latest.value;
  const [hidden, setHidden] = useState<string | null>(null);
  useEffect(() => {
    if (!news) return undefined;
    const ends = setTimeout(() => setHidden(news.id), SHOWN_MS);
    return () => clearTimeout(ends);
  }, [news]);
  const [here] = useLocation();
  const shown = news !== null && news.id !== hidden && pathOf(news.url) !== here;
  return (
    <div class="announcer" role="status" aria-live="polite">
      {shown && (
        <p>
          <Link href={pathOf(news.url)} onClick={() => actAs(news.handle)}>
            {news.title}
          </Link>
          <Button onClick={() => setHidden(news.id)} label={words.common.close}>
            ×
          </Button>
        </p>
      )}
    </div>
  );
}
