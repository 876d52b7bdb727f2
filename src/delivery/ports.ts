// The ports of the delivery ladder: outgoing calls, and what it needs of the service.
import type { Clock } from '../../actors/clock.ts';
import type { Read } from '../../db/store.ts';
import type { LoadPorts } from '../contract/ports.ts';
import type { StepForm } from '../domain/next-step.ts';
import type { RemoteSpeech } from '../domain/task/remote.ts';
import type { SafeHttp } from '../outbound/safe-http/safe-http.ts';
import type { Tracer } from '../outbound/traces.ts';

export interface DeliveryPorts extends Pick<LoadPorts, 'presenceWith' | 'restored'> {
  /** Committed state. */
  readonly read: Read;
  readonly http: Pick<SafeHttp, 'request' | 'check'>;
  /** Null when traces are not collected. */
  readonly tracer: Pick<Tracer, 'note'> | null;
  readonly clock: Pick<Clock, 'now'>;
  /** Calls other agents' endpoints. */
  readonly speech: RemoteSpeech;
  /** How a push names the service's calls. */
  readonly addresses: StepForm;
  /** Whether a stream of an agent is open in this process; needs no read. */
  isStreaming(agent_id: string): boolean;
  /** A new UUID version 7. */
  id(): string;
}
