/** Ways in which customers may cancel in the portal. `now`: at once or at the end of the period. */
export const portalCancels = ['none', 'period_end', 'now'] as const;
export type PortalCancel = (typeof portalCancels)[number];

/** The settings of an account for what its customers change in the portal without anybody's help. */
export interface SelfServiceSettings {
  portal_cancel: PortalCancel;
  portal_pause: boolean;
  portal_plans: boolean;
  portal_people: boolean;
  portal_children: boolean;
  portal_promise_days: number;
  portal_disputes: boolean;
  dispute_hold_days: number;
}

const whole = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;

const isBoolean = (value: unknown): boolean => typeof value === 'boolean';

/** Their defaults and accepted values, in the form of `settingsTable`. */
export const selfServiceSettings = {
  portal_cancel: {
    initial: (): PortalCancel => 'none',
    meaning:
      'Whether customers cancel their subscriptions in the portal: `period_end`: at the end of the period, in a contract at its end; `now`: also at once, without a contract',
    bounds: 'none, period_end or now',
    accepts: (value: unknown) => portalCancels.some((one) => one === value),
  },
  portal_pause: {
    initial: () => false,
    meaning:
      'Whether customers pause their subscriptions without a contract in the portal, and resume what they paused',
    bounds: 'true or false',
    accepts: isBoolean,
  },
  portal_plans: {
    initial: () => true,
    meaning: 'Whether customers find the payment plans that wait for their approval in the portal',
    bounds: 'true or false',
    accepts: isBoolean,
  },
  portal_people: {
    initial: () => true,
    meaning: 'Whether customers choose in the portal which of their people may sign in to it',
    bounds: 'true or false',
    accepts: isBoolean,
  },
  portal_children: {
    initial: () => false,
    meaning: 'Whether a parent customer sees the documents of its child customers in the portal',
    bounds: 'true or false',
    accepts: isBoolean,
  },
  portal_promise_days: {
    initial: () => 0,
    meaning: 'Days ahead within which customers promise in the portal to pay an invoice; 0: they cannot',
    bounds: 'a whole number of days from 0 to 366',
    accepts: (value: unknown) => whole(value, 0, 366),
  },
  portal_disputes: {
    initial: () => false,
    meaning: 'Whether customers dispute lines of their invoices in the portal',
    bounds: 'true or false',
    accepts: isBoolean,
  },
  dispute_hold_days: {
    initial: () => 14,
    meaning:
      'Days for which nobody asks for an invoice after its customer has disputed a line, and after which the task to answer is due',
    bounds: 'a whole number of days from 1 to 365',
    accepts: (value: unknown) => whole(value, 1, 365),
  },
};
