// Screens that a first page does not need: each is loaded when somebody goes there, and all of them once the first page stands.
import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Failure, Skeleton } from './parts/states.tsx';
import { errorOf } from './resource.ts';
import { words } from './words/words.ts';

/** What a screen is given: the parts of its address. */
export interface ScreenProps {
  params: Readonly<Record<string, string | undefined>>;
}

/** Counts the screens that have come, for what looks at a screen's heading. */
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
    asked ??= load().then((found) => {
      screen = found[name];
      arrived.value += 1;
    });
    return asked;
  };
  loaders.push(fetchScreen);
  return (props) => {
    const [error, setError] = useState<unknown>(null);
    const Screen = screen;
    useEffect(() => {
      if (Screen === null) void fetchScreen().catch(setError);
    }, []);
    // Read, so that the screen is shown once it has come.
    void arrived.value;
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

/** Loads all screens, so that going there shows them at once. What cannot be loaded now is asked for again by a page anew. */
export function loadAll(): void {
  requestIdleCallback(() => void Promise.allSettled(loaders.map((each) => each())));
}
