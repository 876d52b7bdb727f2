// How a deal stands, in a word.
import type { JSX } from 'preact';
import type { DealStatus } from '../../../domain/deal/deal.ts';
import { Badge } from '../../parts/show.tsx';
import { useRead } from '../../resource.ts';
import { words } from '../../words/words.ts';

const TONES = {
  agreed: 'wait',
  funded: 'plain',
  disputed: 'wait',
  completed: 'good',
  refunded: 'bad',
  cancelled: 'plain',
} as const;

export function DealState({ status }: { status: DealStatus }): JSX.Element {
  return <Badge tone={TONES[status]}>{words.deals.statuses[status]}</Badge>;
}

/** Reads the deal first, and shows nothing until then. */
export function DealStateOf({ deal_id }: { deal_id: string }): JSX.Element | null {
  const deal = useRead('deal.read', { deal_id });
  return deal.state === 'ready' ? <DealState status={deal.value.status} /> : null;
}
