// Results of tools as the protocol has them. One JSON text is both the structured content and what a model reads: it is made
// once, and put into its place.
import { FAULTS, type Fault } from '../../domain/fault.ts';
import type { StepForm } from '../../domain/next-step.ts';
import { shownFault } from '../../schemas/next-step.ts';
import { errorBody } from '../wire.ts';
import type { RpcResult } from './exchange.ts';
import type { Revision } from './revisions.ts';

/** A block of text that a model reads. */
interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

/** What a tool ended with. */
interface Ended {
  /** JSON of an object. */
  readonly json: string;
  readonly content?: readonly TextBlock[];
  readonly isError?: boolean;
  readonly meta?: object;
}

/** The result of a tool. What went wrong is no structured content: clients compare that with the tool's output schema. */
export function toolResult(
  { json, content = [{ type: 'text', text: json }], isError = false, meta }: Ended,
  { structured }: Revision,
  operation?: string,
): RpcResult {
  const parts = [`"content":${JSON.stringify(content)}`];
  if (structured && !isError) parts.push(`"structuredContent":${json}`);
  if (isError) parts.push('"isError":true');
  if (meta) parts.push(`"_meta":${JSON.stringify(meta)}`);
  return { result: `{${parts.join(',')}}`, ...(operation !== undefined && { operation }) };
}

/** A refusal as the result of a tool, for the model to mend what is wrong. */
export function refusalResult(
  refusal: Fault,
  form: StepForm,
  request_id: string,
  revision: Revision,
  operation?: string,
): RpcResult {
  const json = JSON.stringify(errorBody(shownFault(refusal, form), request_id));
  return toolResult({ json, isError: true }, revision, operation);
}

/** Whether a refusal is of the credential or the request's pace, and not of what the tool was asked for. */
export function isOfTransport({ fault }: Fault): boolean {
  const { status } = FAULTS[fault];
  return status === 401 || fault === 'rate_limited';
}
