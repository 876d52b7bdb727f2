// What administrators see: what waits for their decision, whether the ledger holds, who owes, people's accounts, and what they did.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Segments } from '../../parts/segments.tsx';
import { words } from '../../words/words.ts';
import { AuditPart } from './audit.tsx';
import { DisputesPart } from './disputes.tsx';
import { LedgerPart } from './ledger.tsx';
import { PeoplePart } from './people.tsx';
import { ReviewsPart } from './reviews.tsx';

const PARTS = {
  reviews: ReviewsPart,
  disputes: DisputesPart,
  ledger: LedgerPart,
  people: PeoplePart,
  audit: AuditPart,
} as const;
type Part = keyof typeof PARTS;

export function AdminScreen(): JSX.Element {
  const { admin } = words;
  const [part, setPart] = useState<Part>('reviews');
  const Shown = PARTS[part];
  return (
    <>
      <h1 tabIndex={-1}>{admin.title}</h1>
      <Segments
        label={admin.title}
        value={part}
        options={(Object.keys(PARTS) as Part[]).map((each) => [each, admin[each]])}
        onChange={setPart}
      />
      <Shown />
    </>
  );
}
