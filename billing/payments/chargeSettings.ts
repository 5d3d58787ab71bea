import { isCountry } from '../country.ts';
import { MOST_PERCENT } from './convenienceFee.ts';
import { isStatementDescriptor } from './shownCharge.ts';

/** The settings of an account for its charges. */
export interface ChargeSettings {
  convenience_fee_percent: number;
  convenience_fee_places: string[];
  statement_descriptor: string;
}

/** Whether it is the code of a country, such as DE, or of a state as addresses name it, such as US-TX. */
const isPlace = (value: unknown): boolean => {
  const [, country = ''] = (typeof value === 'string' && /^([a-z]{2})(-\S(.{0,253}\S)?)?$/i.exec(value)) || [];
  return isCountry(country.toUpperCase());
};

const MOST_PLACES = 500;

/** Their defaults and accepted values, in the form of `settingsTable`. */
export const chargeSettings = {
  convenience_fee_percent: {
    initial: (): ChargeSettings['convenience_fee_percent'] => 0,
    meaning:
      'Highest convenience fee of a charge, in percent of the rest of its amount; 0: none. The caps of card brands bind as well: Visa 3, Mastercard, American Express and Discover 4',
    bounds: `a number from 0 to ${MOST_PERCENT} with at most 2 decimals`,
    accepts: (value: unknown) =>
      typeof value === 'number' && value >= 0 && value <= MOST_PERCENT && /^\d(\.\d{1,2})?$/.test(String(value)),
    isDecimal: true as const,
  },
  convenience_fee_places: {
    initial: (): ChargeSettings['convenience_fee_places'] => [],
    meaning:
      'Countries and states whose customers can pay a convenience fee. Perennial does not know which laws forbid one',
    bounds: `at most ${MOST_PLACES} codes of countries, such as DE, or of states as addresses name them, such as US-TX`,
    accepts: (value: unknown) => Array.isArray(value) && value.length <= MOST_PLACES && value.every(isPlace),
  },
  statement_descriptor: {
    initial: (): ChargeSettings['statement_descriptor'] => '',
    meaning:
      'Text on the bank statements of payers, for accounts at Stripe. Cards show its first 10 characters after the prefix that is set at Stripe. Empty: what is set at Stripe',
    bounds: 'empty, or 5 to 22 Latin letters, digits and marks, with at least one letter and none of < > \\ \' " *',
    accepts: (value: unknown) => value === '' || (typeof value === 'string' && isStatementDescriptor(value)),
  },
};
