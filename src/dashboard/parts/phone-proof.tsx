// Proving a phone: the number, then the code that was texted to it.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { plainPhone } from '../../domain/identity/code.ts';
import { useAct } from '../resource.ts';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { Field, Form } from './field.tsx';
import { Failure, KeptNote } from './states.tsx';

export function PhoneProof(): JSX.Element {
  const { onboarding } = words;
  const send = useAct('phone.send', { quiet: true });
  const verify = useAct('phone.verify');
  const [phone, setPhone] = useState('');
  const [code, setCode] = useState('');
  const [sent, setSent] = useState(false);
  const text = async (): Promise<void> => setSent((await send.run({ phone: phone.trim() })) !== null);
  return (
    <>
      <p>{onboarding.proof}</p>
      {sent ? (
        <Form onSubmit={() => verify.run({ phone: phone.trim(), code: code.trim() })}>
          <p role="status">{onboarding.codeSent(phone.trim())}</p>
          <KeptNote what="text" to={[plainPhone(phone)]} />
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
            <Button main submit busy={verify.busy} disabled={code.trim().length < 6}>
              {onboarding.prove}
            </Button>
            <Button onClick={() => setSent(false)}>{onboarding.otherNumber}</Button>
          </div>
          {verify.error && <Failure error={verify.error} />}
        </Form>
      ) : (
        <Form onSubmit={text}>
          <Field
            label={onboarding.phone}
            hint={onboarding.phoneHint}
            name="phone"
            value={phone}
            onInput={setPhone}
            error={send.error}
            type="tel"
            complete="tel"
            maxLength={30}
            required
          />
          <Button main submit busy={send.busy} disabled={phone.trim() === ''}>
            {onboarding.sendCode}
          </Button>
          {send.error && <Failure error={send.error} />}
        </Form>
      )}
    </>
  );
}
