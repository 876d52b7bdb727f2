// Screens that a first page does not need: each is loaded when somebody goes there, and all of them once the first page stands.
import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { online } from './live.ts';
import { Failure, Skeleton } from './parts/states.tsx';
import { errorOf } from './resource.ts';
import { words } from './words/words.ts';

/** What a screen is given: the parts of its address. */
export interface ScreenProps {
  params: Readonly<Record<string, string | undefined>>;
}

/** Counts the screens that came where they were waited for: what looks at the heading of a page looks again. */
export const arrived = signal(0);

const loaders: (() => Promise<unknown>)[] = [];

/** A screen that is loaded when it is first shown, by its name in the file. */
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

/** By then the first screen has its data, also on a slow line. */
const FIRST_SCREEN_MS = 2_000;

/** Loads all screens once the first one is there, so that going to one shows it at once. One that fails is asked for again when it is shown. */
export function loadAll(): void {
  setTimeout(() => void Promise.allSettled(loaders.map((each) => each())), FIRST_SCREEN_MS);
}
