// Results of tools as the protocol has them. One JSON text is both the structured content and what a model reads: it is made
// once, and put into its place.
import { FAULTS, type Fault } from '../../domain/fault.ts';
import type { StepForm } from '../../domain/next-step.ts';
import { shownFault } from '../../schemas/next-step.ts';
import { errorBody } from '../wire.ts';
import type { Exchange, RpcResult } from './exchange.ts';

/** A block of text that a model reads. */
interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

interface Ended {
  /** JSON of an object. */
  readonly json: string;
  readonly content?: readonly TextBlock[];
  readonly isError?: boolean;
  readonly meta?: object;
}

/** Who is answered: by its revision and by what it chose. */
type Reading = Pick<Exchange, 'revision' | 'choice'>;

/** What stands in the place of the text for a client that takes the structured content. */
const ELSEWHERE: readonly TextBlock[] = [{ type: 'text', text: 'The answer is the structured content.' }];

/** The result of a tool. What went wrong is no structured content: clients compare that with the tool's output schema. Who asked for
 * these schemas takes the structured content, and is not told the same again as text; others are told both, as the protocol has it. */
export function toolResult(
  { json, content = [{ type: 'text', text: json }], isError = false, meta }: Ended,
  { revision, choice }: Reading,
  operation?: string,
): RpcResult {
  const structured = revision.structured && !isError;
  const parts = [`"content":${JSON.stringify(structured && choice.schemas ? ELSEWHERE : content)}`];
  if (structured) parts.push(`"structuredContent":${json}`);
  if (isError) parts.push('"isError":true');
  if (meta) parts.push(`"_meta":${JSON.stringify(meta)}`);
  return { result: `{${parts.join(',')}}`, ...(operation !== undefined && { operation }) };
}

/** A refusal as the result of a tool, for the model to mend what is wrong. */
export function refusalResult(
  refusal: Fault,
  form: StepForm,
  request_id: string,
  reading: Reading,
  operation?: string,
): RpcResult {
  const json = JSON.stringify(errorBody(shownFault(refusal, form), request_id));
  return toolResult({ json, isError: true }, reading, operation);
}

/** Whether a refusal is of the credential or the request's pace, and not of what the tool was asked for. */
export function isOfTransport({ fault }: Fault): boolean {
  const { status } = FAULTS[fault];
  return status === 401 || fault === 'rate_limited';
}
