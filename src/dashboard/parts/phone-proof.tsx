// Proving a phone: the number, then the code that was texted to it.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { COUNTRIES } from '../../domain/place/country-names.ts';
import { type Act, useAct } from '../resource.ts';
import { locale, words } from '../words/words.ts';
import { Button } from './button.tsx';
import { Choice, Field, Form } from './field.tsx';
import { Failure, KeptNote } from './states.tsx';

const NAMES = new Intl.DisplayNames(locale, { type: 'region' });

/** All countries by their names in the reader's language. */
const CHOICES = COUNTRIES.map((code) => [code, NAMES.of(code) ?? code] as const).toSorted(([, a], [, b]) =>
  a.localeCompare(b, locale),
);

/** Where the reader's language is mostly spoken, unless the browser says where it is. */
function ownCountry(): string {
  const { region = '' } = new Intl.Locale(navigator.language || locale).maximize();
  return COUNTRIES.includes(region) ? region : 'US';
}

/** The number, as it is dialled in its country. */
function NumberFields({ onSent, act }: { onSent: (phone: string) => void; act: Act<'phone.send'> }): JSX.Element {
  const { onboarding } = words;
  const [country, setCountry] = useState(ownCountry);
  const [phone, setPhone] = useState('');
  const { error } = act;
  // Said at the field; anything else below it.
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

/** The proof; `onProved` is called once the number is proven. */
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
