// The service put together, as doors and main hold it.

import type { Directory } from '../actors/directory.ts';
import type { Dispatcher } from '../actors/dispatcher.ts';
import type { EventDelivery } from '../actors/event-delivery.ts';
import type { Supervisor } from '../actors/supervisor.ts';
import type { Delivered } from './delivery/channel.ts';
import type { AnyOperation } from './operations/operation.ts';
import type { Pipeline } from './pipeline/pipeline.ts';
import type { DoorPorts } from './transports/door-ports.ts';
import type { World } from './world.ts';

export interface Assembled {
  readonly world: World;
  /** What of it the doors get. */
  readonly doors: DoorPorts;
  readonly operations: readonly AnyOperation[];
  readonly pipeline: Pipeline;
  readonly supervisor: Supervisor;
  readonly dispatcher: Dispatcher;
  readonly delivery: EventDelivery<Delivered>;
  readonly directory: Directory;
  /** Puts into the database what the doors count on, the platform's agent; asked before they open. Throws `UnusableSetting`
   * when its handle is another agent's. */
  prepare(): Promise<void>;
  /** Writes down what is gathered in memory: presence, and when keys were last used. */
  flush(): Promise<void>;
  /** Stops the loops, finishes what runs, closes the store. */
  stop(): Promise<void>;
}
