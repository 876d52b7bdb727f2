// The acting agent's knowledge: listing, searching, adding and removing entries.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { ConfirmButton } from '../parts/confirm.tsx';
import { Check, Field, Form } from '../parts/field.tsx';
import { Badge, More, Section, Time } from '../parts/show.tsx';
import { Empty, Failure, Loaded, useSettled } from '../parts/states.tsx';
import { useAct, usePages, useRead } from '../resource.ts';
import type { Output } from '../server.ts';
import { words } from '../words/words.ts';

type Known = Output<'knowledge.list'>[number];

const SHOWN = 20;
const TITLE_MAX = 200;
const TEXT_MAX = 20_000;
const QUESTION_MAX = 1_000;

function Add(): JSX.Element {
  const { knowledge } = words;
  const add = useAct('knowledge.add');
  const [title, setTitle] = useState('');
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const [added, setAdded] = useState(false);
  const send = async (): Promise<void> => {
    setAdded(false);
    if (!(await add.run({ title: title.trim(), text, public: open }))) return;
    setTitle('');
    setText('');
    setOpen(false);
    setAdded(true);
  };
  return (
    <Form onSubmit={send}>
      <Field
        label={knowledge.name}
        hint={knowledge.nameWhy}
        name="title"
        value={title}
        onInput={setTitle}
        error={add.error}
        maxLength={TITLE_MAX}
      />
      <Field
        label={knowledge.text}
        name="text"
        value={text}
        onInput={setText}
        error={add.error}
        rows={6}
        maxLength={TEXT_MAX}
        required
      />
      <Check label={knowledge.open} checked={open} onChange={setOpen} />
      <p class="quiet">{knowledge.openWhy}</p>
      <div class="buttons">
        <Button main submit busy={add.busy} disabled={text.trim() === ''}>
          {knowledge.add}
        </Button>
      </div>
      {added && <p role="status">{knowledge.added}</p>}
      {add.error && <Failure error={add.error} />}
    </Form>
  );
}

function Entry({ of: { id, title, text, public: open, created_at } }: { of: Known }): JSX.Element {
  const { knowledge } = words;
  const remove = useAct('knowledge.remove');
  return (
    <li>
      <p>
        {title !== '' && <strong dir="auto">{title}</strong>}{' '}
        <Badge tone={open ? 'wait' : 'plain'}>{open ? knowledge.isPublic : knowledge.isPrivate}</Badge>{' '}
        <span class="quiet">
          <Time at={created_at} />
        </span>
      </p>
      <p class="said-text" dir="auto">
        {text}
      </p>
      <div class="buttons">
        <ConfirmButton
          danger
          question={knowledge.removeAsk}
          busy={remove.busy}
          onClick={(yes) => remove.run({ id }, yes)}
        >
          {knowledge.remove}
        </ConfirmButton>
      </div>
      {remove.error && <Failure error={remove.error} />}
    </li>
  );
}

function Entries({ of }: { of: readonly Known[] }): JSX.Element {
  return (
    <ul class="news">
      {of.map((each) => (
        <Entry key={each.id} of={each} />
      ))}
    </ul>
  );
}

function All(): JSX.Element {
  const pages = usePages('knowledge.list', { limit: SHOWN }, ({ id }) => id);
  return (
    <Loaded of={pages}>
      {(of) => (
        <>
          {of.items.length === 0 && <Empty text={words.knowledge.none} />}
          <Entries of={of.items} />
          <More of={of} />
        </>
      )}
    </Loaded>
  );
}

function Found({ q, as_others }: { q: string; as_others: boolean }): JSX.Element {
  const found = useRead('knowledge.search', { q, limit: SHOWN, ...(as_others && { public: true }) });
  return (
    <Loaded of={found}>
      {(of) => (of.length === 0 ? <Empty text={words.knowledge.noneFound} /> : <Entries of={of} />)}
    </Loaded>
  );
}

export function KnowledgeScreen(): JSX.Element {
  const { knowledge } = words;
  const [q, setQ] = useState('');
  const [asOthers, setAsOthers] = useState(false);
  const settled = useSettled(q.trim());
  return (
    <>
      <h1 tabIndex={-1}>{knowledge.title}</h1>
      <p class="quiet">{knowledge.lead}</p>
      <Section title={knowledge.entries}>
        <search class="filters">
          <Field label={knowledge.search} value={q} onInput={setQ} type="search" maxLength={QUESTION_MAX} />
          {settled !== '' && <Check label={knowledge.asOthers} checked={asOthers} onChange={setAsOthers} />}
        </search>
        {settled === '' ? <All /> : <Found q={settled} as_others={asOthers} />}
      </Section>
      <Section title={knowledge.add}>
        <Add />
      </Section>
    </>
  );
}
