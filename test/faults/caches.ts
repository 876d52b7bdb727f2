// Faults in what is kept of what was read: caches that a commit has to empty, and streams that a credential's end has to end.
import type { Fault } from './fault.ts';

const CACHE = 'db/commit-cache.ts';
const STREAMS = 'src/pipeline/open-streams.ts';
const CONTRACT = ['test/db/effects.test.ts'];
const ENDS = ['test/operations/stream-ends.test.ts'];

/** Faults in what outlives its change. */
export const CACHES: readonly Fault[] = [
  {
    name: 'a value that was being read when its row changed is kept',
    file: CACHE,
    find: '(this.#changed.get(nameOf(row)) ?? 0) > began',
    replace: '(this.#changed.get(nameOf(row)) ?? 0) < 0',
    tests: CONTRACT,
  },
  {
    name: 'a value that was being read when everything was forgotten is kept',
    file: CACHE,
    find: 'const stale = began < this.#floor ||',
    replace: 'const stale =',
    tests: CONTRACT,
  },
  {
    name: 'who asks after a change is given what was being read before it',
    file: CACHE,
    find: 'this.#loading.clear();',
    replace: '',
    tests: CONTRACT,
  },
  {
    name: 'a new row that may belong to any value forgets none',
    file: CACHE,
    find: 'else if (this.#lists.has(row.table) && !this.#elsewhere.has(name)) {',
    replace: 'else if (this.#lists.has(row.table) && this.#elsewhere.has(name)) {',
    tests: CONTRACT,
  },
  {
    name: 'a cache that believes for ever what other nodes may have changed',
    file: CACHE,
    find: 'options.store.shared ? SHARED_MS : Number.POSITIVE_INFINITY',
    replace: 'Number.POSITIVE_INFINITY',
    tests: ['test/db/postgres.test.ts'],
  },
  {
    name: 'a cache without a bound',
    file: CACHE,
    find: 'if (this.#entries.size < max) return;',
    replace: 'if (this.#entries.size < Number.MAX_SAFE_INTEGER) return;',
    tests: CONTRACT,
  },
  {
    name: 'new rows of which nobody is told',
    file: 'db/run-effects.ts',
    find: 'if (isTold(what, table))',
    replace: "if (what === 'changed' && isTold(what, table))",
    tests: CONTRACT,
  },
  {
    name: 'a stream whose credential ended while it was opened',
    file: STREAMS,
    find: 'if (changes !== this.#changes) this.#recheck(watched);',
    replace: '',
    tests: ENDS,
  },
  {
    name: 'a stream that goes on after its session was ended',
    file: STREAMS,
    find: 'session && session.ended_at === null ?',
    replace: 'session ?',
    tests: ENDS,
  },
  {
    name: 'a stream that writes after its end',
    file: STREAMS,
    find: 'if (this.#core.clock.now() < watched.ends_at) return sink.write(chunk);',
    replace: 'if (watched.open) return sink.write(chunk);',
    tests: ENDS,
  },
  {
    name: 'a stream of an agent that is gone',
    file: STREAMS,
    find: 'now.deactivated_at !== null ||',
    replace: '',
    tests: ENDS,
  },
  {
    name: 'a stream that is counted only when it has begun',
    file: STREAMS,
    find: 'held: false };\n    this.#hold(slot);',
    replace: 'held: false };',
    tests: ['test/security.test.ts'],
  },
  {
    name: 'a late tab that is given a cookie which was replaced since',
    file: 'src/steps/session/open.ts',
    find: 'if (sameSecret(session.refresh_hash, refresh_hash)) return token;',
    replace: 'if (refresh_hash) return token;',
    tests: ['test/operations/session.test.ts'],
  },
];
