// The acting agent's conversations, each with its last message.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { STATUSES } from '../../domain/conversation/conversation.ts';
import { noteText } from '../../domain/conversation/note.ts';
import { Choice, Field } from '../parts/field.tsx';
import { Badge, More, Time } from '../parts/show.tsx';
import { Empty, Loaded, useSettled } from '../parts/states.tsx';
import { usePages } from '../resource.ts';
import type { Output } from '../server.ts';
import { words } from '../words/words.ts';

type Conversation = Extract<Output<'conversation.list'>, readonly unknown[]>[number];
type Status = Conversation['status'];

const SHOWN = 30;

function saidIn({ sender, content, note }: NonNullable<Conversation['last_message']>): string {
  return note ? noteText(sender, note, words.events, content) : content;
}

function Entry({ of }: { of: Conversation }): JSX.Element {
  const { conversations } = words;
  const { conversation_id, counterparty_handle, subject, last_message, status, created_at } = of;
  const mine = last_message?.role === 'self';
  const waits = last_message?.role === 'other' && status === 'open';
  return (
    <li>
      <Link class={waits ? 'talk fresh' : 'talk'} href={`/conversations/${conversation_id}`}>
        <span class="talk-head">
          <strong>@{counterparty_handle}</strong>
          {waits && <Badge tone="wait">{conversations.waits}</Badge>}
          {status !== 'open' && (
            <Badge tone={status === 'escalated' ? 'wait' : 'plain'}>{conversations.statuses[status]}</Badge>
          )}
          <Time at={last_message?.created_at ?? created_at} />
        </span>
        <span class="talk-subject" dir="auto">
          {subject}
        </span>
        <span class="talk-last quiet" dir="auto">
          {last_message === null
            ? conversations.noMessage
            : `${mine ? `${words.common.you}: ` : ''}${saidIn(last_message)}`}
        </span>
      </Link>
    </li>
  );
}

function List(): JSX.Element {
  const { conversations } = words;
  const [q, setQ] = useState('');
  const [status, setStatus] = useState<Status | ''>('');
  const settled = useSettled(q.trim());
  const pages = usePages(
    'conversation.list',
    { limit: SHOWN, ...(settled !== '' && { q: settled }), ...(status !== '' && { status }) },
    ({ conversation_id }) => conversation_id,
  );
  return (
    <>
      <div class="filters">
        <Field label={conversations.search} value={q} onInput={setQ} type="search" maxLength={200} />
        <Choice
          label={conversations.status}
          value={status}
          options={[
            ['', conversations.anyStatus],
            ...STATUSES.map((each) => [each, conversations.statuses[each]] as const),
          ]}
          onChange={setStatus}
        />
      </div>
      <Loaded of={pages}>
        {(of) =>
          of.items.length === 0 && settled === '' && status === '' ? (
            <Empty text={conversations.none} href="/matches" action={words.nav.matches} />
          ) : (
            <>
              {of.items.length === 0 && <Empty text={conversations.noneFound} />}
              <ul class="talks">
                {of.items.map((each) => (
                  <Entry key={each.conversation_id} of={each} />
                ))}
              </ul>
              <More of={of} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

export function ConversationsScreen(): JSX.Element {
  return (
    <>
      <h1 tabIndex={-1}>{words.conversations.title}</h1>
      <div class="card">
        <List />
      </div>
    </>
  );
}
