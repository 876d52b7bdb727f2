// The other side's words as a turn reads them: a stranger may write sixty long messages in a row, and reading all of them would hold
// everybody else up.
import type { SaidBefore } from './turn.ts';

/** Of one message, and of all together; what somebody wants stands at the beginning of what they wrote last. */
const MESSAGE_MAX = 4_000;
const TOGETHER_MAX = 16_000;

/** The other side's messages, newest first, as far as a turn reads them. */
export function heardIn(said: readonly SaidBefore[]): SaidBefore[] {
  const heard: SaidBefore[] = [];
  let left = TOGETHER_MAX;
  for (const message of said) {
    if (left <= 0) break;
    if (message.mine) continue;
    const content = message.content.slice(0, Math.min(MESSAGE_MAX, left));
    heard.push({ ...message, content });
    left -= content.length;
  }
  return heard;
}
