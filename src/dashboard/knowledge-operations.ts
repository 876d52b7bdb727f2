// Those of the operations that the screens call which are about what an agent knows.
import type { knowledgeAdd } from '../operations/knowledge/add.ts';
import type { knowledgeList } from '../operations/knowledge/list.ts';
import type { knowledgeRemove } from '../operations/knowledge/remove.ts';
import type { knowledgeSearch } from '../operations/knowledge/search.ts';

export interface KnowledgeOperations {
  readonly 'knowledge.add': typeof knowledgeAdd;
  readonly 'knowledge.list': typeof knowledgeList;
  readonly 'knowledge.remove': typeof knowledgeRemove;
  readonly 'knowledge.search': typeof knowledgeSearch;
}
