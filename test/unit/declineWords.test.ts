import { expect, test } from '@jest/globals';
import { declineCodes } from '../../adapters/gateways/stripe/declines.ts';
import { declineCodes as ownCodes } from '../../billing/payments/declines.ts';
import { declineInWords, paymentFailedEmail } from '../../present/emails/paymentFailed.ts';
import { spokenLanguages } from '../../words/languages.ts';
import { payingWordsOf } from '../../words/paying/words.ts';

const MESSAGE = 'Words of the gateway.';

/** Codes whose cause is in the request or the account of the business. Only the words of the gateway say which. */
const withoutReason =
  `amount_too_large amount_too_small amount_unsupported duplicate_transaction invalid_amount charge_unknown
  live_mode_test_card resource_missing testmode_decline verification_unknown`.split(/\s+/);

/** Codes of the test gateway and of returned debits. */
const otherCodes = [
  'lost_card',
  'uncollected_funds',
  'account_closed',
  'debit_not_authorized',
  'authentication_failed',
];

/** The text of the mail about a charge that was declined with a code, and the words of the gateway. */
function mailAbout(language: string, code: string): string {
  const invoice = {
    number: 'INV-7',
    currency: 'usd',
    timeZone: 'UTC',
    date: new Date('2027-01-05'),
    balance: '60.00',
  };
  return paymentFailedEmail({
    seller: { name: 'Acme', language, country: 'US', timeZone: 'UTC', environment: 'sandbox' } as never,
    customer: { name: 'Ada', number: 'CUST-1', language, country: null } as never,
    invoice: invoice as never,
    source: null,
    fallback: null,
    decline: { code, message: MESSAGE },
    needsCustomer: false,
    links: { source: 'https://b.example/source', pay: 'https://b.example/pay' },
  }).text;
}

test.each(spokenLanguages)(
  'in %s, the mail about a failed payment says the reason of each known code, and the words of the gateway only for others',
  (language) => {
    const { declines } = payingWordsOf(language);
    const words = Object.values(declines);
    expect(new Set(words).size).toBe(Object.keys(ownCodes).length);
    const told = [...declineCodes, ...otherCodes].filter((code) => {
      const said = declineInWords(language, { code, message: MESSAGE });
      if (said !== MESSAGE) expect(words).toContain(said);
      return said === MESSAGE;
    });
    expect(told).toEqual(withoutReason);
    const poor = mailAbout(language, 'insufficient_funds');
    expect(poor).toContain(declines.insufficient_funds);
    expect(poor).not.toContain(MESSAGE);
    expect(mailAbout(language, 'new_code')).toContain(MESSAGE);
    expect(declineInWords(language, { code: 'new_code', message: null })).toBe(declines.generic_decline);
    if (language !== 'en')
      expect(words).not.toEqual(expect.arrayContaining([payingWordsOf('en').declines.insufficient_funds]));
  },
);
