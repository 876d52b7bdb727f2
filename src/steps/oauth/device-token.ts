// The form face of the sign-in by code (RFC 8628, 3.4): the same poll as the one in JSON, told as OAuth has it. What a program gets is
// the API key that its person let it have, which is taken wherever an access token is.
import type { Outcome } from '../../../db/store.ts';
import type { FlowCtx } from '../../contract/context.ts';
import { invalid, isFault } from '../../domain/fault.ts';
import type { TokenAnswer, TokenAsked } from '../../schemas/oauth.ts';
import { decidePoll, type PollRefusal, readPolled } from '../device/grant.ts';

/** Its `grant_type`. */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** The key of a grant that a person approved. */
export async function tokenForDevice({ device_code }: TokenAsked, ctx: FlowCtx): Promise<Outcome<TokenAnswer>> {
  if (device_code === undefined) return invalid({ path: 'device_code', message: 'is needed' });
  return ctx.turn<TokenAnswer, PollRefusal['fault']>({
    attempt: async (read) => {
      const polled = decidePoll(await readPolled(read, device_code), ctx);
      if (isFault(polled)) return polled;
      const { api_key, row } = polled.key;
      const expires_in = Math.floor((row.expires_at - ctx.now_ms) / 1000);
      const reply = { access_token: api_key, token_type: 'Bearer' as const, expires_in, scope: row.scopes.join(' ') };
      return { reply, effects: polled.effects };
    },
  });
}
