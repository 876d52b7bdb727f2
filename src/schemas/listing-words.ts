// The words of a fixed list that describe a listing, the same wherever one is written or shown.
import { Type } from 'typebox';
import { CARD_TYPES, DIRECTIONS } from '../domain/listing/listing.ts';
import { BILLINGS, PRICE_PERIODS } from '../domain/listing/price.ts';
import { LISTING_STATUSES } from '../domain/listing/state.ts';
import { named } from './named.ts';

export const CardType = named('CardType', Type.Enum([...CARD_TYPES]));
export const Direction = named('Direction', Type.Enum([...DIRECTIONS]));
export const PricePeriod = named('PricePeriod', Type.Enum([...PRICE_PERIODS]));
export const Billing = named('Billing', Type.Enum([...BILLINGS]));
export const ListingStatus = named('ListingStatus', Type.Enum([...LISTING_STATUSES]));
