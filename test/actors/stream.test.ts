// One reader's way from what is stored to what is committed now: each seq once, in order, and none that waits for the next
// one. Commits are put into the very moments in which a page is being read.
import { expect, test } from 'bun:test';
import { AgentActor } from '../../actors/agent-actor.ts';
import { type Encoded, follow, type StreamReader, watch } from '../../actors/stream.ts';

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** Everything that promises alone can do has been done. */
const rested = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** An inbox as the store has it, its actor, and a reader that keeps what it was given. */
class Scene {
  readonly actor = new AgentActor('ada', () => {});
  readonly got: number[] = [];
  /** Called in each read of a page, between the look into the store and the answer. */
  during: () => void = () => {};
  reads = 0;
  #stored: number;
  #close = (): void => {};

  constructor(stored: number) {
    this.#stored = stored;
  }

  /** Commits so many events in this process. */
  commit(count = 1): void {
    for (const seq of range(this.#stored + 1, this.#stored + count)) {
      this.#stored = seq;
      this.actor.publish(seq, () => `event ${seq}`);
    }
  }

  /** Commits so many on another node, of which this one only hears that there is something. */
  commitElsewhere(count = 1): void {
    this.#stored += count;
    this.actor.wake();
  }

  /** Commits so many on another node, of which this one hears nothing. */
  commitUnheard(count = 1): void {
    this.#stored += count;
  }

  readonly replay = async (after: number, limit: number): Promise<Encoded[]> => {
    this.reads += 1;
    const seqs = range(after + 1, Math.min(this.#stored, after + limit));
    this.during();
    return seqs.map((seq) => ({ seq, encoded: `event ${seq}` }));
  };

  readonly reader: StreamReader = {
    write: (encoded, seq) => {
      expect(encoded).toBe(`event ${seq}`);
      this.got.push(seq);
      return true;
    },
    waitForDrain: async () => {},
    close: () => this.#close(),
    onClose: (listener) => {
      this.#close = listener;
    },
  };

  /** Does something while the next page is being read, once. */
  once(work: () => void): void {
    this.during = () => {
      this.during = () => {};
      work();
    };
  }
}

/** Page sizes of stream.ts lie between these, so every remainder of a page occurs. */
const STORED = range(0, 45);

test.each(['this', 'another'])(
  'what is committed on %s node while the last page is read leaves with it',
  async (node) => {
    for (const open of [follow, watch]) {
      for (const stored of STORED) {
        const scene = new Scene(stored);
        scene.once(() => (node === 'this' ? scene.commit() : scene.commitElsewhere()));
        open(scene.actor, scene.reader, scene.replay, 0);
        await rested();
        expect(scene.got).toEqual(range(1, stored + 1));
      }
    }
  },
);

test('a seq that the store does not have holds nothing up', async () => {
  const scene = new Scene(2);
  scene.once(() => scene.actor.publish(9, () => 'event 9'));
  follow(scene.actor, scene.reader, scene.replay, 0);
  await rested();
  const { reads } = scene;
  await rested();
  expect([scene.got, scene.reads]).toEqual([[1, 2], reads]);
});

test('commits in every read of a long replay come once, in order, and none is left over', async () => {
  const scene = new Scene(100);
  let left = 30;
  scene.during = () => {
    if (left-- > 0) scene.commit(1 + (left % 3));
  };
  follow(scene.actor, scene.reader, scene.replay, 10);
  await rested();
  expect(left).toBeLessThan(0);
  expect(scene.got).toEqual(range(11, scene.got.length + 10));
  expect(scene.got.length).toBe(150);
});

test('a reader that is live is given each event without a look into the store', async () => {
  const scene = new Scene(3);
  follow(scene.actor, scene.reader, scene.replay, 3);
  await rested();
  const { reads } = scene;
  scene.commit(5);
  expect(scene.got).toEqual(range(4, 8));
  expect(scene.reads).toBe(reads);
});

test('an event that came before its neighbour makes both be read in order', async () => {
  const scene = new Scene(3);
  follow(scene.actor, scene.reader, scene.replay, 0);
  await rested();
  scene.commitUnheard(2);
  scene.commit();
  expect(scene.got).toEqual(range(1, 3));
  await rested();
  scene.commit();
  expect(scene.got).toEqual(range(1, 7));
});

test('a reader that has left is given nothing more', async () => {
  const scene = new Scene(30);
  scene.once(() => scene.reader.close());
  follow(scene.actor, scene.reader, scene.replay, 0);
  await rested();
  scene.commit();
  await rested();
  expect(scene.got).toEqual([]);
  expect(scene.actor.listened).toBe(false);
});
