export type FinalAction = 'leave' | 'pause' | 'cancel';

/** All settings of an account, with their values. */
export interface Settings {
  /** Days from an invoice's date to its first automatic charge. */
  autopay_delay_days: number;
  /** Minimum number of seconds from issue to the first automatic charge. */
  autopay_minimum_delay: number;
  /** Days from each failed automatic charge to the next. */
  autopay_retry_days: number[];
  /** Action on the subscription after the last automatic charge has failed. */
  autopay_final_action: FinalAction;
  /** Whether credits of the customer pay an invoice when it is issued. */
  apply_credits_at_issue: boolean;
  /** Payment terms of invoices without AutoPay, unless the customer has its own terms. */
  payment_terms: string;
  /** Whether emails have a tracking image that records when they are opened. */
  email_open_tracking: boolean;
  /** The event that locks amounts, number and date of a document. `sent`: it was sent; `paid`: a payment or credit was applied to it. */
  lock_documents: 'sent' | 'paid';
  /** Number of pumps that deliver to one endpoint in parallel. */
  webhook_shards: number;
  /** Requests per second of one key or token. */
  rate_limit: number;
  /** Requests that one key or token may send at once after a pause. */
  rate_limit_burst: number;
}

type Environment = 'live' | 'sandbox';

interface Setting<Value> {
  initial: (environment: Environment) => Value;
  /** Description of the accepted values. */
  bounds: string;
  accepts: (value: unknown) => boolean;
  /** Only the operator may change it, because it limits the keys and tokens that could otherwise change it. */
  isProtected?: true;
}

const whole = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;

export const settingsTable: { [Name in keyof Settings]: Setting<Settings[Name]> } = {
  autopay_delay_days: {
    initial: () => 0,
    bounds: 'a whole number from 0 to 365',
    accepts: (value) => whole(value, 0, 365),
  },
  autopay_minimum_delay: {
    initial: (environment) => (environment === 'live' ? 3600 : 0),
    bounds: 'seconds, a whole number from 0 to 86400',
    accepts: (value) => whole(value, 0, 86_400),
  },
  autopay_retry_days: {
    initial: () => [3, 5, 7],
    bounds: 'at most 8 whole numbers from 1 to 90',
    accepts: (value) => Array.isArray(value) && value.length <= 8 && value.every((days) => whole(days, 1, 90)),
  },
  autopay_final_action: {
    initial: () => 'leave',
    bounds: 'leave, pause or cancel',
    accepts: (value) => value === 'leave' || value === 'pause' || value === 'cancel',
  },
  apply_credits_at_issue: {
    initial: () => true,
    bounds: 'true or false',
    accepts: (value) => typeof value === 'boolean',
  },
  payment_terms: {
    initial: () => 'NET 30',
    bounds: 'NET <days> or Due on receipt',
    accepts: (value) => typeof value === 'string' && /^(NET \d{1,3}|Due on receipt)$/i.test(value),
  },
  email_open_tracking: {
    initial: () => true,
    bounds: 'true or false',
    accepts: (value) => typeof value === 'boolean',
  },
  lock_documents: {
    initial: () => 'paid',
    bounds: 'sent or paid',
    accepts: (value) => value === 'sent' || value === 'paid',
  },
  webhook_shards: {
    initial: () => 4,
    bounds: 'a whole number from 1 to 16',
    accepts: (value) => whole(value, 1, 16),
  },
  rate_limit: {
    initial: () => 100,
    bounds: 'requests a second, a whole number from 1 to 100000',
    accepts: (value) => whole(value, 1, 100_000),
    isProtected: true,
  },
  rate_limit_burst: {
    initial: () => 200,
    bounds: 'requests, a whole number from 1 to 100000',
    accepts: (value) => whole(value, 1, 100_000),
    isProtected: true,
  },
};

export interface SettingsHolder {
  environment: Environment;
  settings: Partial<Settings>;
}

/** A setting of an account: its own value, else the default of its environment. */
export function setting<Name extends keyof Settings>(account: SettingsHolder, name: Name): Settings[Name] {
  const own: Settings[Name] | undefined = account.settings[name];
  return own === undefined ? settingsTable[name].initial(account.environment) : own;
}

export const isSetting = (name: string): name is keyof Settings => Object.hasOwn(settingsTable, name);

export const settingNames = Object.keys(settingsTable).filter(isSetting);
