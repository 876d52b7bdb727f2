// Phone verification: the number, then the code from the text message.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { COUNTRIES } from '../../domain/place/country-names.ts';
import { type Act, useAct } from '../resource.ts';
import { locale, words } from '../words/words.ts';
import { Button } from './button.tsx';
import { Choice, Field, Form } from './field.tsx';
import { Failure, KeptNote } from './states.tsx';

const NAMES = new Intl.DisplayNames(locale, { type: 'region' });

/** All countries, named in the reader's language. */
const CHOICES = COUNTRIES.map((code) => [code, NAMES.of(code) ?? code] as const).toSorted(([, a], [, b]) =>
  a.localeCompare(b, locale),
);

/** The region of the browser's language tag, or the likely one when the tag has none. */
function ownCountry(): string {
  const { region = '' } = new Intl.Locale(navigator.language || locale).maximize();
  return COUNTRIES.includes(region) ? region : 'US';
}

/** The number in national format. */
function NumberFields({ onSent, act }: { onSent: (phone: string) => void; act: Act<'phone.send'> }): JSX.Element {
  const { onboarding } = words;
  const [country, setCountry] = useState(ownCountry);
  const [phone, setPhone] = useState('');
  const { error } = act;
  // Displayed at the field; other errors below it.
  const isNumber = error?.code === 'invalid_phone';
  const text = async (): Promise<void> => {
    const sent = await act.run({ phone: phone.trim(), country });
    if (sent) onSent(sent.phone);
  };
  return (
    <Form onSubmit={text}>
      <Choice label={onboarding.country} value={country} options={CHOICES} onChange={setCountry} />
      <Field
        label={onboarding.phone}
        hint={onboarding.phoneHint}
        name="phone"
        value={phone}
        onInput={setPhone}
        error={error}
        problem={isNumber ? onboarding.phoneWrong : null}
        type="tel"
        complete="tel"
        maxLength={30}
        required
      />
      <Button main submit busy={act.busy}>
        {onboarding.sendCode}
      </Button>
      {error && !isNumber && <Failure error={error} />}
    </Form>
  );
}

/** The form; `onProved` is called after verification. */
export function PhoneProof({ onProved }: { onProved?: () => unknown }): JSX.Element {
  const { onboarding } = words;
  const send = useAct('phone.send', { quiet: true });
  const verify = useAct('phone.verify');
  const [code, setCode] = useState('');
  const [sent_to, setSentTo] = useState<string | null>(null);
  const prove = async (): Promise<void> => {
    if (await verify.run({ code: code.trim() })) onProved?.();
  };
  return (
    <>
      <p>{onboarding.proof}</p>
      {sent_to === null ? (
        <NumberFields onSent={setSentTo} act={send} />
      ) : (
        <Form onSubmit={prove}>
          <p role="status">{onboarding.codeSent(sent_to)}</p>
          <KeptNote what="text" to={[sent_to]} />
          <Field
            label={onboarding.code}
            name="code"
            value={code}
            onInput={setCode}
            error={verify.error}
            mode="numeric"
            complete="one-time-code"
            maxLength={6}
            required
          />
          <div class="buttons">
            <Button main submit busy={verify.busy}>
              {onboarding.prove}
            </Button>
            <Button onClick={() => setSentTo(null)}>{onboarding.otherNumber}</Button>
          </div>
          {verify.error && <Failure error={verify.error} />}
        </Form>
      )}
    </>
  );
}
