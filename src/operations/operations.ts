// The list of operations, noun by noun. What is not here does not exist for any door.
import type { AnyOperation } from './operation.ts';
import { signupStart } from './signup/start.ts';
import { signupVerify } from './signup/verify.ts';

export const OPERATIONS: readonly AnyOperation[] = [signupStart, signupVerify];
