// Screens outside the first load: each is loaded on navigation, and all of them after the first page is displayed.
import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { online } from './live.ts';
import { Failure, Skeleton } from './parts/states.tsx';
import { errorOf } from './resource.ts';
import { words } from './words/words.ts';

/** A screen's props: the parameters of its path. */
export interface ScreenProps {
  params: Readonly<Record<string, string | undefined>>;
}

/** Counts awaited screens that have loaded, so that code that reads the page's heading runs again. */
export const arrived = signal(0);

const loaders: (() => Promise<unknown>)[] = [];

/** A screen loaded when first displayed, by its export name. */
export function later<N extends string>(
  load: () => Promise<{ readonly [name in N]: FunctionComponent<ScreenProps> }>,
  name: N,
): FunctionComponent<ScreenProps> {
  let screen: FunctionComponent<ScreenProps> | null = null;
  let asked: Promise<void> | null = null;
  const fetchScreen = (): Promise<void> => {
    asked ??= load().then(
      (found) => {
        screen = found[name];
      },
      (error) => {
        asked = null;
        throw error;
      },
    );
    return asked;
  };
  loaders.push(fetchScreen);
  return (props) => {
    const [error, setError] = useState<unknown>(null);
    const [Screen, setScreen] = useState(() => screen);
    const reachable = online.value;
    useEffect(() => {
      if (Screen !== null) return;
      const show = (): void => {
        setScreen(() => screen);
        arrived.value += 1;
      };
      void fetchScreen().then(show, setError);
    }, [reachable]);
    if (Screen !== null) return <Screen {...props} />;
    if (error === null) return <Skeleton />;
    return (
      <>
        <h1 tabIndex={-1}>{words.failed.title}</h1>
        <Failure error={errorOf(error)} retry={() => location.reload()} />
      </>
    );
  };
}

/** Enough for the first screen's data, also on a slow connection. */
const FIRST_SCREEN_MS = 2_000;

/** Preloads all screens after the first one, so that navigation is immediate. A failed load is retried when its screen is opened. */
export function loadAll(): void {
  setTimeout(() => void Promise.allSettled(loaders.map((each) => each())), FIRST_SCREEN_MS);
}
