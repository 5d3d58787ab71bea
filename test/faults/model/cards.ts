/** Cards and bank accounts of the test gateway, the usual ones several times. */

const GOOD = '4242424242424242';

export const cards: readonly string[] = [
  ...Array.from({ length: 7 }, () => GOOD),
  '4000000000000069', // declined, soft
  '4000000000000002', // declined, hard
  '4000000000000259', // disputed: lost
  '4000000000000259',
  '4000000000002685', // disputed: won
  '4000000000001976', // disputed: withdrawn
  '4000000000000275', // disputed: half is lost
  '4000000000000119', // no answer: taken
  '4000000000000101', // no answer: not taken
  '4000000000007726', // a refund is pending, then succeeds
  '4000000000005126', // a refund is pending, then fails
  '4000000000000333', // a refund is refused
  '4000000000000416', // no answer to a refund: given back
  '4000000000000424', // no answer to a refund: not given back
];

export const TO_VERIFY = '110000000_000123456789';

export const accounts: readonly string[] = [
  '110000000_123456789',
  '123123123_123123893', // pending, then succeeds
  '123123123_000222222227', // pending, then fails
  '110000000_000111111116', // returned: it can be debited again
  '110000000_000111111113', // returned: it cannot be charged any more
  TO_VERIFY,
];
