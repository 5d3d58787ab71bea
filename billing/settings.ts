import { keepsDocuments, type LateFeeDocument } from './collection/lateFee.ts';
import { type WriteOffSettings, writeOffSettings } from './collection/writeOff.ts';
import { type InvoiceMailing, invoiceMailings } from './documents/invoice.ts';
import { type StatementType, statementTypes } from './documents/statement.ts';
import { readStatementDay, statementDaysInWords } from './documents/statementSchedule.ts';
import type { Environment } from './environments.ts';
import { EMAIL } from './mail/mailSender.ts';
import { type ChargeSettings, chargeSettings } from './payments/chargeSettings.ts';
import { type PortalSettings, portalSettings } from './people/portalSettings.ts';
import { type SelfServiceSettings, selfServiceSettings } from './selfServiceSettings.ts';
import { parseTerms, storedTerms, termsText } from './time/terms.ts';

export type FinalAction = 'leave' | 'pause' | 'cancel';

/** Renewals that are announced by mail. `yearly`: those of plans that bill once a year or less often. */
export type RenewalNotices = 'yearly' | 'all' | 'none';

/** All settings of an account. */
export interface Settings extends ChargeSettings, PortalSettings, SelfServiceSettings, WriteOffSettings {
  autopay_delay_days: number;
  autopay_minimum_delay: number;
  autopay_notice: boolean;
  autopay_retry_days: number[];
  autopay_final_action: FinalAction;
  card_expiry_notice_days: number;
  chasing_days: 'working' | 'every';
  apply_credits_at_issue: boolean;
  auto_apply_matches: boolean;
  partial_payments: boolean;
  payment_terms: string;
  require_second_factor: boolean;
  alert_digest: boolean;
  alert_disputes: boolean;
  alert_problems: boolean;
  alert_recipients: string[];
  digest_hour: number;
  email_new_invoices: InvoiceMailing;
  email_open_tracking: boolean;
  renewal_notices: RenewalNotices;
  contract_notice_days: number;
  late_fee_document: LateFeeDocument;
  lock_documents: 'sent' | 'paid';
  statement_day: string;
  statement_hour: number;
  statement_type: StatementType;
  webhook_shards: number;
  rate_limit: number;
  rate_limit_burst: number;
}

interface Setting<Value> {
  initial: (holder: Pick<SettingsHolder, 'environment' | 'country'>) => Value;
  /** Its description in the reference. */
  meaning: string;
  /** Description of the accepted values. */
  bounds: string;
  accepts: (value: unknown) => boolean;
  /** The form in which an accepted value is stored; absent: as it is. */
  stored?: (value: unknown) => unknown;
  /** Whether its numbers can have decimals. */
  isDecimal?: true;
  /** Only the operator may change it, because it limits the keys and tokens that could otherwise change it. */
  isProtected?: true;
  /** It counts for both environments, and is set on the live account. */
  isOfBoth?: true;
}

const whole = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;

const MOST_RECIPIENTS = 20;

function areAddresses(values: readonly unknown[]): boolean {
  const keys = values.map((value) => (typeof value === 'string' && value.length <= 255 ? value.toLowerCase() : ''));
  return keys.every((key, index) => EMAIL.test(key) && keys.indexOf(key) === index);
}

export const settingsTable: { [Name in keyof Settings]: Setting<Settings[Name]> } = {
  ...chargeSettings,
  ...selfServiceSettings,
  ...portalSettings,
  ...writeOffSettings,
  autopay_delay_days: {
    initial: () => 0,
    meaning: 'Days from the date or issue of an invoice, whichever is later, to its first automatic charge',
    bounds: 'a whole number of days from 0 to 365',
    accepts: (value) => whole(value, 0, 365),
  },
  autopay_minimum_delay: {
    initial: ({ environment }) => (environment === 'live' ? 3600 : 0),
    meaning: 'Minimum delay in seconds from issue to the first automatic charge',
    bounds: 'a whole number of seconds from 0 to 86400',
    accepts: (value) => whole(value, 0, 86_400),
  },
  autopay_notice: {
    initial: () => false,
    meaning:
      'Whether invoices that AutoPay charges are mailed when they are issued, ahead of the charge, as far as `email_new_invoices` mails invoices',
    bounds: 'true or false',
    accepts: (value) => typeof value === 'boolean',
  },
  autopay_retry_days: {
    initial: () => [3, 5, 7],
    meaning: 'Days from each declined automatic charge to the next one, in order',
    bounds: 'at most 8 whole numbers of days from 1 to 90',
    accepts: (value) => Array.isArray(value) && value.length <= 8 && value.every((days) => whole(days, 1, 90)),
  },
  autopay_final_action: {
    initial: () => 'leave',
    meaning: 'Action on the subscription when automatic charges of its invoice stop after a decline',
    bounds: 'leave, pause or cancel',
    accepts: (value) => value === 'leave' || value === 'pause' || value === 'cancel',
  },
  card_expiry_notice_days: {
    initial: () => 30,
    meaning: 'Days before a card that AutoPay charges expires at which card_expiring_email announces it; 0: never',
    bounds: 'a whole number of days from 0 to 90',
    accepts: (value) => whole(value, 0, 90),
  },
  chasing_days: {
    initial: () => 'working',
    meaning:
      'Days on which cadences ask customers: `working` leaves out weekends and public holidays of the country of the customer',
    bounds: 'working or every',
    accepts: (value) => value === 'working' || value === 'every',
  },
  auto_apply_matches: {
    initial: () => false,
    meaning:
      'Whether received payments are applied by themselves where it is certain: they name their invoices by number, and their amount is the sum of the balances',
    bounds: 'true or false',
    accepts: (value) => typeof value === 'boolean',
  },
  apply_credits_at_issue: {
    initial: () => true,
    meaning: 'Whether credit of the customer pays invoices when they are issued',
    bounds: 'true or false',
    accepts: (value) => typeof value === 'boolean',
  },
  partial_payments: {
    initial: () => false,
    meaning: 'Whether the pages on which invoices are paid take a part of what is open',
    bounds: 'true or false',
    accepts: (value) => typeof value === 'boolean',
  },
  payment_terms: {
    initial: () => 'NET 30',
    meaning: 'Payment terms of invoices that are not charged automatically, unless the customer has its own',
    bounds: 'NET <days>, <percent>% <days> NET <days> or Due on receipt',
    accepts: (value) => typeof value === 'string' && ['net', 'due_on_receipt'].includes(storedTerms(value)?.kind ?? ''),
    stored: (value) => termsText(parseTerms(String(value))),
  },
  require_second_factor: {
    initial: () => false,
    meaning:
      'Whether members must prove a second factor at their sign-in to use the account; it counts for both environments, and is set in live',
    bounds: 'true or false',
    accepts: (value) => typeof value === 'boolean',
    isOfBoth: true,
  },
  alert_digest: {
    initial: () => true,
    meaning: 'Whether `alert_recipients` get a digest of the day before each morning',
    bounds: 'true or false',
    accepts: (value) => typeof value === 'boolean',
  },
  alert_disputes: {
    initial: () => true,
    meaning: 'Whether a new dispute is mailed to `alert_recipients` at once',
    bounds: 'true or false',
    accepts: (value) => typeof value === 'boolean',
  },
  alert_problems: {
    initial: () => true,
    meaning:
      'Whether problems are mailed to `alert_recipients` at once: those that keep money from being billed or collected, a mail sender that is lost, and an address of the team that gets no mail any more; at most three mails an hour about problems of one type of object',
    bounds: 'true or false',
    accepts: (value) => typeof value === 'boolean',
  },
  alert_recipients: {
    initial: () => [],
    meaning: 'Addresses of your team that get mails about disputes and problems, and the digest',
    bounds: `at most ${MOST_RECIPIENTS} different email addresses`,
    accepts: (value) => Array.isArray(value) && value.length <= MOST_RECIPIENTS && areAddresses(value),
  },
  digest_hour: {
    initial: () => 7,
    meaning: 'Hour of the day in the time zone of the account at which the digest is sent',
    bounds: 'a whole number from 0 to 23',
    accepts: (value) => whole(value, 0, 23),
  },
  email_new_invoices: {
    initial: () => 'subscriptions',
    meaning:
      'Invoices that are mailed once when they are issued, unless the customer has a value of its own: `none`; `subscriptions`: those of subscriptions; `all`: also those that requests issue. AutoPay, zero, paid, backfilled, imported and consolidated invoices are not mailed',
    bounds: `${invoiceMailings.slice(0, -1).join(', ')} or ${invoiceMailings.at(-1)}`,
    accepts: (value) => invoiceMailings.some((mailing) => mailing === value),
  },
  email_open_tracking: {
    initial: () => true,
    meaning: 'Whether emails have a tracking image that records openings',
    bounds: 'true or false',
    accepts: (value) => typeof value === 'boolean',
  },
  renewal_notices: {
    initial: () => 'yearly',
    meaning:
      'Renewals that subscription_renews_soon_email announces three days ahead: `yearly`: those of plans that bill once a year or less often, and the ends of all trials; `all`: every renewal and end of a trial; `none`: nothing',
    bounds: 'yearly, all or none',
    accepts: (value) => value === 'yearly' || value === 'all' || value === 'none',
  },
  contract_notice_days: {
    initial: () => 0,
    meaning: 'Days before the end of a contract at which contract_ending_email announces it; 0: never',
    bounds: 'a whole number of days from 0 to 365',
    accepts: (value) => whole(value, 0, 365),
  },
  late_fee_document: {
    initial: ({ country }) => (country && keepsDocuments.has(country) ? 'invoice' : 'line'),
    meaning:
      'Place of late fees: `line`: on a line of the overdue invoice; `invoice`: on an invoice of their own. By default on invoices of their own if the account is in the EU, the United Kingdom or Switzerland, where issued documents never change',
    bounds: 'line or invoice',
    accepts: (value) => value === 'line' || value === 'invoice',
  },
  lock_documents: {
    initial: () => 'paid',
    meaning: 'Event that locks amounts, number and date of a document: it was sent, or something was applied to it',
    bounds: 'sent or paid',
    accepts: (value) => value === 'sent' || value === 'paid',
  },
  statement_day: {
    initial: () => 'off',
    meaning:
      'Day of each month on which customers get their account statement by mail, unless they have a day of their own: `off`: none, `last`: the last day of the month',
    bounds: statementDaysInWords,
    accepts: (value) => readStatementDay(value) !== null,
    stored: readStatementDay,
  },
  statement_hour: {
    initial: () => 8,
    meaning: 'Hour of the day in the time zone of the account at which these statements are made',
    bounds: 'a whole number from 0 to 23',
    accepts: (value) => whole(value, 0, 23),
  },
  statement_type: {
    initial: () => 'balance_forward',
    meaning: 'Kind of these statements: `balance_forward`: the movements of a month; `open_item`: all that is open',
    bounds: statementTypes.join(' or '),
    accepts: (value) => statementTypes.some((type) => type === value),
  },
  webhook_shards: {
    initial: () => 4,
    meaning: 'Number of pumps that deliver to one webhook endpoint in parallel',
    bounds: 'a whole number from 1 to 16',
    accepts: (value) => whole(value, 1, 16),
  },
  rate_limit: {
    initial: () => 100,
    meaning: 'Rate limit in requests per second of each API key and access token',
    bounds: 'a whole number of requests per second from 1 to 100000',
    accepts: (value) => whole(value, 1, 100_000),
    isProtected: true,
  },
  rate_limit_burst: {
    initial: () => 200,
    meaning: 'Requests that each API key and access token may send at once after a pause',
    bounds: 'a whole number of requests from 1 to 100000',
    accepts: (value) => whole(value, 1, 100_000),
    isProtected: true,
  },
};

export interface SettingsHolder {
  environment: Environment;
  country?: string | null | undefined;
  settings: Partial<Settings>;
}

/** A setting of an account: its own value, else the default of its environment. */
export function setting<Name extends keyof Settings>(account: SettingsHolder, name: Name): Settings[Name] {
  const own: Settings[Name] | undefined = account.settings[name];
  return own === undefined ? settingsTable[name].initial(account) : own;
}

export const isSetting = (name: string): name is keyof Settings => Object.hasOwn(settingsTable, name);

export const settingNames = Object.keys(settingsTable).filter(isSetting);
