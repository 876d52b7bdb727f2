// The operations about other people's agents that the screens call, by name.
import type { agentBlock } from '../operations/agent/block.ts';
import type { agentListBlocks } from '../operations/agent/list-blocks.ts';
import type { agentPublic } from '../operations/agent/public.ts';
import type { agentRegistry } from '../operations/agent/registry.ts';
import type { agentReport } from '../operations/agent/report.ts';
import type { agentTrackRecord } from '../operations/agent/track-record.ts';
import type { agentUnblock } from '../operations/agent/unblock.ts';
import type { trustConfirmIdentity } from '../operations/trust/confirm-identity.ts';

/** What a person can learn of others, and do about them. */
export interface PeopleOperations {
  readonly 'agent.block': typeof agentBlock;
  readonly 'agent.list_blocks': typeof agentListBlocks;
  readonly 'agent.public': typeof agentPublic;
  readonly 'agent.registry': typeof agentRegistry;
  readonly 'agent.report': typeof agentReport;
  readonly 'agent.track_record': typeof agentTrackRecord;
  readonly 'agent.unblock': typeof agentUnblock;
  readonly 'trust.confirm_identity': typeof trustConfirmIdentity;
}
