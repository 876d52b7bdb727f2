// Who is at the page that news lead to has noticed them: they are not counted as unread any more.
import { useEffect } from 'preact/hooks';
import { pulse } from '../live.ts';
import { useRead } from '../resource.ts';
import { ask } from '../server.ts';
import { pathOf } from './path.ts';

const LOOKED_AT = 50;

/** Marks the latest news that lead to this page as read. */
export function useNoticed(path: string): void {
  const news = useRead('notification.list', { limit: LOOKED_AT });
  const items = news.state === 'ready' ? news.value : [];
  const unread = items.filter(({ read, url }) => !read && pathOf(url) === path).map(({ id }) => id);
  useEffect(() => {
    if (unread.length === 0) return;
    const marks = unread.map((id) => ask('notification.read', { id }));
    // What could not be marked stays unread, which harms nobody.
    void Promise.allSettled(marks).then(() => {
      pulse.value += 1;
    });
  }, [unread.join()]);
}
