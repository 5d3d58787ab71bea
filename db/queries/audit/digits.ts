import { MINOR_UNITS } from '../../../billing/money.ts';

/** SQL: the number of decimals of a currency. */
export const digitsOf = (currency: string): string =>
  `case ${currency} ${[...MINOR_UNITS].map(([code, digits]) => `when '${code}' then ${digits}`).join(' ')} else 2 end`;
