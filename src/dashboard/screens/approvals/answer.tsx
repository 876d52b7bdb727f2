// Accepts or rejects a proposal: once, and only the displayed one.
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { PROPOSAL_REASONS } from '../../../domain/negotiation/proposal.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { money } from '../../parts/format.ts';
import { Chips } from '../../parts/show.tsx';
import { Failure } from '../../parts/states.tsx';
import { useAct } from '../../resource.ts';
import { touch } from '../../touched.ts';
import { words } from '../../words/words.ts';
import type { Told } from './outcome.tsx';
import { otherOf, type Proposal } from './proposal.ts';

type Reason = (typeof PROPOSAL_REASONS)[number];

/** A concurrent change by another party: displayed with the current state, not as a failure. */
function isLate(code: string): code is keyof typeof words.approvals.late & string {
  return code in words.approvals.late;
}

function Reject({
  busy,
  go,
  back,
}: {
  busy: boolean;
  go: (reason: Reason | null) => unknown;
  back: () => void;
}): JSX.Element {
  const { approvals, common } = words;
  const id = useId();
  const [reason, setReason] = useState<Reason | ''>('');
  return (
    <fieldset class="asked" aria-describedby={id}>
      <legend>{approvals.why}</legend>
      <Chips
        label={approvals.why}
        value={reason}
        options={PROPOSAL_REASONS.map((each) => [each, approvals.reasons[each]] as const)}
        onChange={(chosen) => setReason(chosen === reason ? '' : chosen)}
      />
      <p id={id} class="quiet">
        {approvals.whyKept}
      </p>
      <div class="buttons">
        <Button danger busy={busy} onClick={() => go(reason === '' ? null : reason)}>
          {approvals.rejectGo}
        </Button>
        <Button disabled={busy} onClick={back}>
          {common.cancel}
        </Button>
      </div>
    </fieldset>
  );
}

/** The two buttons. Their outcome is displayed outside the card, which disappears with the proposal. */
export function Decide({ of, tell }: { of: Proposal; tell: (told: Told) => void }): JSX.Element {
  const { approvals } = words;
  const { run, busy, error } = useAct('proposal.approve', {
    onRefused: ({ code, body }) => {
      if (!isLate(code)) return;
      tell({ kind: 'late', of, code, current: (body['proposal'] as Proposal | null | undefined) ?? null });
      touch('all');
    },
  });
  const [asking, setAsking] = useState(false);
  const [done, setDone] = useState(false);
  const say = async (decision: 'approve' | 'reject', reason: Reason | null = null): Promise<void> => {
    const { conversation_id, id: proposal_id, version } = of;
    const given = { conversation_id, proposal_id, version, decision, ...(reason !== null && { reason }) };
    const answer = await run(given);
    if (!answer) return;
    setDone(true);
    tell({ kind: 'answered', of, decision, answer });
  };
  const pending = busy || done;
  const { amount_cents, fee_cents, net_cents } = of;
  return (
    <>
      {asking ? (
        <Reject busy={pending} go={(reason) => say('reject', reason)} back={() => setAsking(false)} />
      ) : (
        <div class="buttons">
          {of.your_side === 'buyer' ? (
            <ConfirmButton
              main
              shortcut="a"
              busy={pending}
              question={approvals.approveAsk(money(amount_cents))}
              sum={{ amount_cents, fee_cents, net_cents, to: otherOf(of) }}
              onClick={() => say('approve')}
            >
              {approvals.approve}
            </ConfirmButton>
          ) : (
            <Button main shortcut="a" busy={pending} onClick={() => say('approve')}>
              {approvals.approve}
            </Button>
          )}
          <Button danger shortcut="x" disabled={pending} onClick={() => setAsking(true)}>
            {approvals.reject}
          </Button>
        </div>
      )}
      {error && !isLate(error.code) && <Failure error={error} />}
    </>
  );
}
