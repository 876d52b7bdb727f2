// What may be said of a webhook when it is made or edited.
import { Type } from 'typebox';

export const WEBHOOK_INPUT = {
  url: Type.String({ minLength: 1, maxLength: 2_000, description: 'a public https address' }),
  events: Type.Array(Type.String({ maxLength: 60 }), {
    minItems: 1,
    maxItems: 100,
    description: 'event names; * for all of them',
  }),
};
