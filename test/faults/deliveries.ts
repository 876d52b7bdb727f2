// Faults in what somebody follows and in what is carried out: seqs, cursors, pages, read marks, streams, event delivery.
import type { Fault } from './fault.ts';

const STREAM = 'actors/stream.ts';

/** Faults in what somebody follows. */
export const DELIVERIES: readonly Fault[] = [
  {
    name: 'a stream that is live one event early',
    file: STREAM,
    find: 'page.length < PAGE && this.#head <= this.#last;',
    replace: 'page.length < PAGE && this.#head <= this.#last + 1;',
    tests: ['test/actors/stream.test.ts'],
  },
  {
    name: 'a stream that is live although it was woken while it read',
    file: STREAM,
    find: 'if (!this.#woken && (told || nothing)) {',
    replace: 'if (told || nothing) {',
    tests: ['test/actors/stream.test.ts'],
  },
  {
    name: 'a stream that passes on what came before its neighbour',
    file: STREAM,
    find: 'if (seq === this.#last + 1) {',
    replace: 'if (seq > this.#last) {',
    tests: ['test/actors/stream.test.ts'],
  },
  {
    name: 'a pull whose cursor is one too far',
    file: 'src/steps/inbox.ts',
    find: 'const cursor = last?.seq ?? after;',
    replace: 'const cursor = last ? last.seq + 1 : after;',
    tests: ['test/operations/inbox.test.ts'],
  },
  {
    name: 'a pull that says there is no more',
    file: 'src/steps/inbox.ts',
    find: 'has_more: cursor < state.head,',
    replace: 'has_more: cursor + 1 < state.head,',
    tests: ['test/operations/inbox.test.ts'],
  },
  {
    name: 'a person who looks in takes events from the agent',
    file: 'src/steps/inbox.ts',
    find: "const mark = !again && !peek && ctx.principal.kind === 'key';",
    replace: "const mark = !again && !peek && ctx.principal.kind !== 'none';",
    tests: ['test/operations/inbox.test.ts'],
  },
  {
    name: 'read marks that join over a gap',
    file: 'src/domain/inbox/inbox.ts',
    find: 'range[0] <= last[1] + 1',
    replace: 'range[0] <= last[1] + 2',
    tests: ['test/domain/inbox/inbox.test.ts'],
  },
  {
    name: 'a page of listings that hides its last',
    file: 'src/steps/page.ts',
    find: 'rows.length > limit ? shown.at(-1) : undefined',
    replace: 'rows.length > limit ? rows.at(-1) : undefined',
    tests: ['test/operations/listing-create.test.ts', 'test/operations/listing-edit.test.ts'],
  },
  {
    name: 'a thread that is followed by ids, which are made before the commit',
    file: 'db/queries/conversation.ts',
    find: "gt(t.messages.n, positionOf(db, t, 'after', 0)),",
    replace: "gt(t.messages.id, arg('after')),",
    tests: ['test/operations/thread-positions.test.ts'],
  },
  {
    name: 'a search that says there is no more where its last slice was full',
    file: 'src/steps/page.ts',
    find: 'if (rows.length < slice)',
    replace: 'if (rows.length <= slice)',
    tests: ['test/operations/sifted-page.test.ts'],
  },
  {
    name: 'a search without an end',
    file: 'src/steps/page.ts',
    find: 'while (rows_read < ROWS_MAX && chars_read < CHARS_MAX) {',
    replace: 'while (rows_read < Number.MAX_SAFE_INTEGER) {',
    tests: ['test/operations/sifted-page.test.ts'],
  },
  {
    name: 'a digest that passes what is committed late',
    file: 'src/operations/notification/digest.ts',
    find: '{ digested_until: until }',
    replace: '{ digested_until: ctx.now_ms }',
    tests: ['test/operations/notification.test.ts'],
  },
  {
    name: 'a message that came in since is marked as seen',
    file: 'src/steps/conversation.ts',
    find: '{ opener_seen: Math.max(now.opener_seen, other_sent) }',
    replace: '{ opener_seen: Math.max(now.opener_seen, now.other_sent) }',
    tests: ['test/operations/same-moment.test.ts'],
  },
  {
    name: 'event delivery that rests one event early',
    file: 'actors/event-delivery.ts',
    find: 'if (inbox.seq < inbox.head || inbox.more)',
    replace: 'if (inbox.seq + 1 < inbox.head || inbox.more)',
    tests: ['test/actors/event-delivery.test.ts'],
  },
  {
    name: 'event delivery that pushes without a lease',
    file: 'actors/event-delivery.ts',
    find: 'if (!claimed) return false;',
    replace: 'if (!claimed) return true;',
    tests: ['test/db/event-delivery-nodes.test.ts'],
  },
  {
    name: 'a letter of what was read',
    file: 'src/operations/mail/notify.ts',
    find: 'over.has(seq) || hasRead.person(seq)',
    replace: 'over.has(seq)',
    tests: ['test/operations/mail-notify.test.ts'],
  },
  {
    name: 'an agent that hides stays in the registry',
    file: 'db/queries/registry.ts',
    find: "eq(t.agents.visibility, 'listed'),",
    replace: '',
    tests: ['test/operations/registry.test.ts'],
  },
  {
    name: 'a page that is told as news what it has read',
    file: 'src/operations/session/refresh.ts',
    find: 'writeCursor(new Map(heads))',
    replace: 'writeCursor(new Map())',
    tests: ['test/operations/notification-stream.test.ts'],
  },
];
