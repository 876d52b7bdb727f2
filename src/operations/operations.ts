// The list of operations, noun by noun. What is not here does not exist for any door.
import type { AnyOperation } from './operation.ts';
import { agentCreate } from './agent/create.ts';
import { agentList } from './agent/list.ts';
import { agentRead } from './agent/read.ts';
import { conversationClose } from './conversation/close.ts';
import { conversationList } from './conversation/list.ts';
import { conversationRead } from './conversation/read.ts';
import { messageList } from './message/list.ts';
import { messageSend } from './message/send.ts';
import { phoneSend } from './phone/send.ts';
import { phoneVerify } from './phone/verify.ts';
import { listingCreate } from './listing/create.ts';
import { signupStart } from './signup/start.ts';
import { signupVerify } from './signup/verify.ts';

export const OPERATIONS: readonly AnyOperation[] = [
  agentCreate,
  agentList,
  agentRead,
  conversationClose,
  conversationList,
  conversationRead,
  messageList,
  messageSend,
  phoneSend,
  phoneVerify,
  listingCreate,
  signupStart,
  signupVerify,
];
