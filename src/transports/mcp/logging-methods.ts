// From which level on a client of the older revisions is told of what happens while its calls run. Newer ones say it in each call.
import { invalid } from '../../domain/fault.ts';
import type { StepForm } from '../../domain/next-step.ts';
import { type ClientSide, callerName } from './client-side.ts';
import { type Exchange, type Methods, type Outcome, refusalError } from './exchange.ts';
import { isLevel, LEVELS } from './remembered.ts';

function setLevel({ remembered }: ClientSide, form: StepForm, exchange: Exchange): Outcome {
  const { level } = exchange.params;
  if (isLevel(level)) {
    remembered.setLevel(callerName(exchange), level);
    return { result: '{}' };
  }
  const refusal = invalid({ path: 'level', message: `must be one of ${LEVELS.join(', ')}` });
  return { ...refusalError(refusal, form, exchange.request_id), status: 200 };
}

export function loggingMethods(side: ClientSide, form: StepForm): Methods {
  return new Map([
    ['logging/setLevel', { eras: ['handshake' as const], run: (exchange: Exchange) => setLevel(side, form, exchange) }],
  ]);
}
