// The input of an intake (interface.md, Intake body), and checks beyond its schema.
import { type Static, Type } from 'typebox';
import { MAX_LABELS } from '../domain/listing/label.ts';
import { DisplayName, PROFILE_INPUT, WakeInput } from './agent.ts';
import { HEADLINE_MAX, LabelText, LISTING_INPUT } from './listing-input.ts';
import { namedObject } from './named.ts';
import { visibleText } from './wire.ts';

/** For each side in one intake; a larger catalogue is created as single listings. */
export const INTAKE_ITEMS_MAX = 20;

const { direction: _direction, active: _active, headline: _headline, labels: _labels, ...REST } = LISTING_INPUT;

const Item = namedObject('IntakeItem', 'an offer or a seek', {
  ...REST,
  headline: visibleText(HEADLINE_MAX),
  labels: Type.Array(LabelText, { minItems: 1, maxItems: MAX_LABELS }),
});

export const Intake = namedObject('IntakeInput', 'profile, offers and seeks of an agent', {
  display_name: Type.Optional(DisplayName),
  headline: PROFILE_INPUT.headline,
  offers: Type.Array(Item, {
    minItems: 1,
    maxItems: INTAKE_ITEMS_MAX,
    description: 'what you offer; each becomes a listing',
  }),
  seeks: Type.Array(Item, {
    minItems: 1,
    maxItems: INTAKE_ITEMS_MAX,
    description: 'what you seek; each becomes a listing',
  }),
  geo: PROFILE_INPUT.geo,
  industry: PROFILE_INPUT.industry,
  verification: Type.Optional(
    Type.Array(Type.String({ maxLength: 60 }), { maxItems: 20, description: 'preferred ways to verify' }),
  ),
  webhook_url: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000, description: 'a public https address' })),
  wake: Type.Optional(WakeInput),
});

export type IntakeInput = Static<typeof Intake>;
export type IntakeItem = Static<typeof Item>;
