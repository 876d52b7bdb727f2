// Turns that the service takes for the agent: requesting one, and the explanation of one.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Button } from '../../parts/button.tsx';
import { Field, Form } from '../../parts/field.tsx';
import { clock, count, money } from '../../parts/format.ts';
import { Facts } from '../../parts/show.tsx';
import { Failure, Loaded } from '../../parts/states.tsx';
import { useAct, useRead } from '../../resource.ts';
import type { Output } from '../../server.ts';
import { agent } from '../../session.ts';
import { words } from '../../words/words.ts';
import { AUTOPILOT_PLACE } from '../agent/own.ts';
import { PilotMark } from '../agents.tsx';

type Taken = Output<'conversation.advance'>;
type Reasons = Output<'conversation.why'>;

const INSTRUCTION_MAX = 500;

function Came({ of: { action, reason, deal_id, escrow_id } }: { of: Taken }): JSX.Element {
  const { turns, approvals } = words;
  return (
    <div class={action === 'wait' ? 'notice' : 'notice good'} role="status">
      <p>
        <strong>{turns.actions[action] ?? action}</strong> {turns.rules[reason] ?? reason}
      </p>
      {deal_id !== null && (
        <p>
          <Link href={escrow_id === null ? '/deals' : `/escrows/${escrow_id}`}>
            {escrow_id === null ? approvals.toDeals : approvals.toEscrow}
          </Link>
        </p>
      )}
    </div>
  );
}

/** Whether the acting agent is on autopilot; false until known. */
function usePilot(): boolean {
  const handle = agent.value;
  const own = useRead('agent.read', handle === undefined ? null : { handle });
  return own.state === 'ready' && 'autopilot' in own.value && own.value.autopilot;
}

/** Lets the agent take its turn. */
export function Advance({ id }: { id: string }): JSX.Element {
  const { turns, autopilot } = words;
  const flies = usePilot();
  const { run, busy, error } = useAct('conversation.advance');
  const [instruction, setInstruction] = useState('');
  const [taken, setTaken] = useState<Taken | null>(null);
  const go = async (): Promise<void> => {
    const said = instruction.trim();
    const came = await run({ conversation_id: id, ...(said !== '' && { instruction: said }) });
    setTaken(came);
    if (came) setInstruction('');
  };
  return (
    <details class="card">
      <summary>
        {turns.title} <PilotMark on={flies} />
      </summary>
      {flies && (
        <p class="quiet">
          {autopilot.hint} <Link href={`/agents/${agent.value}#${AUTOPILOT_PLACE}`}>{autopilot.settings}</Link>
        </p>
      )}
      <Form onSubmit={go}>
        <p class="quiet">{turns.lead}</p>
        <Field
          label={turns.instruction}
          hint={turns.hint}
          name="instruction"
          value={instruction}
          onInput={setInstruction}
          rows={2}
          maxLength={INSTRUCTION_MAX}
          error={error}
        />
        <Button main submit busy={busy}>
          {turns.go}
        </Button>
      </Form>
      {taken && <Came of={taken} />}
      {error?.code === 'not_your_turn' && (
        <p class="notice" role="status">
          {turns.notYours}
        </p>
      )}
      {error && error.code !== 'not_your_turn' && <Failure error={error} />}
    </details>
  );
}

/** A turn's input as text for people. */
function inputText(name: string, value: Reasons['inputs'][string]): ComponentChildren {
  const { common, turns } = words;
  if (value === null) return common.none;
  if (typeof value === 'boolean') return value ? common.yes : common.no;
  if (typeof value === 'number') return name.endsWith('_cents') ? money(value) : count(value);
  return <span dir="auto">{name === 'model_outcome' ? (turns.outcomes[value] ?? value) : value}</span>;
}

function distanceText(cents: number | null): string {
  const { turns } = words;
  if (cents === null) return turns.distanceNone;
  if (cents === 0) return turns.onIt;
  return cents > 0 ? turns.inside(money(cents)) : turns.outside(money(-cents));
}

/** A collapsed long text. */
function Folded({ title, text }: { title: string; text: string }): JSX.Element {
  return (
    <details>
      <summary>{title}</summary>
      <p class="said-plain" dir="auto">
        {text}
      </p>
    </details>
  );
}

/** A model's prompt, response and cost; kept for thirty days. */
function Model({ of: { model, prompt, answer, cost_cents } }: { of: Reasons }): JSX.Element | null {
  const { turns } = words;
  if (prompt === null && model === null) return null;
  if (prompt === null) return <p class="quiet">{turns.promptGone}</p>;
  return (
    <>
      <Facts of={[[turns.cost, cost_cents === null ? turns.costUnknown : turns.costAtMost(money(cost_cents))]]} />
      <Folded title={turns.prompt} text={prompt} />
      {answer === null ? <p class="quiet">{turns.answerNone}</p> : <Folded title={turns.answer} text={answer} />}
    </>
  );
}

function Told({ of: { rule, inputs, bound_distance_cents, model } }: { of: Reasons }): JSX.Element {
  const { turns } = words;
  return (
    <Facts
      of={[
        [turns.rule, turns.rules[rule] ?? rule],
        [turns.distance, distanceText(bound_distance_cents)],
        [turns.model, model ?? turns.rulesOnly],
        ...Object.entries(inputs).map(
          ([name, value]) => [turns.inputs[name] ?? name.replaceAll('_', ' '), inputText(name, value)] as const,
        ),
      ]}
    />
  );
}

function Reading({ id, message_id }: { id: string; message_id: string }): JSX.Element {
  const read = useRead('conversation.why', { conversation_id: id, message_id });
  const place = useRef<HTMLDivElement>(null);
  // At the end of the messages it would open outside the view.
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), [read.state]);
  return (
    <div class="reasons" ref={place}>
      <Loaded of={read}>
        {(of) => (
          <>
            <Told of={of} />
            <Model of={of} />
          </>
        )}
      </Loaded>
    </div>
  );
}

interface WhyProps {
  id: string;
  message_id: string;
  created_at: string;
}

/** The explanation of a message that a turn wrote, loaded on demand. */
export function Why({ id, message_id, created_at }: WhyProps): JSX.Element {
  const { turns } = words;
  const [open, setOpen] = useState(false);
  return (
    <div class="turn-why">
      <button
        type="button"
        aria-expanded={open}
        aria-label={turns.whyOf(clock(created_at))}
        onClick={() => setOpen(!open)}
      >
        {turns.why}
      </button>
      {open && <Reading id={id} message_id={message_id} />}
    </div>
  );
}
