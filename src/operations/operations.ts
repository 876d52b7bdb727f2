// The list of operations, noun by noun. What is not here does not exist for any door.
import type { AnyOperation } from './operation.ts';
import { agentCreate } from './agent/create.ts';
import { agentList } from './agent/list.ts';
import { agentRead } from './agent/read.ts';
import { signupStart } from './signup/start.ts';
import { signupVerify } from './signup/verify.ts';

export const OPERATIONS: readonly AnyOperation[] = [
  agentCreate,
  agentList,
  agentRead,
  signupStart,
  signupVerify,
];
