/** Texts of sign-up pages and payment links, in one language. Names in braces are placeholders. */
export interface SellingWords {
  /** The choice of a plan, and its quantity. */
  plan: string;
  quantityHint: string;
  addons: string;
  coupon: string;
  /** What a visitor tells about itself. */
  details: string;
  name: string;
  email: string;
  address1: string;
  address2: string;
  city: string;
  state: string;
  postalCode: string;
  country: string;
  chooseCountry: string;
  taxId: string;
  taxIdHint: string;
  phone: string;
  optional: string;
  /** The step that shows the price. */
  next: string;
  change: string;
  review: string;
  dueNow: string;
  dueLater: string;
  /** How long a discount counts that ends. */
  discountLasts: string;
  howPaid: string;
  /** A visitor accepts the terms. `{link}` is their address. */
  terms: string;
  termsOf: string;
  subscribe: string;
  subscribePay: string;
  startTrial: string;
  trialDays: string;
  forCustomer: string;
  /** The page is closed. */
  closedTitle: string;
  closedWhy: string;
  nothingPaid: string;
  /** The outcome. */
  doneTitle: string;
  doneWhy: string;
  trialTitle: string;
  pendingWhy: string;
  toSeller: string;
  viewSubscription: string;
  declinedWhy: string;
  unpaidWhy: string;
  useAnother: string;
  payOnce: string;
  givenUpTitle: string;
  givenUpWhy: string;
  refusedTitle: string;
  notKept: string;
  tryAgain: string;
  /** The end of a payment link. */
  backHere: string;
  /** Faults of a form. */
  errors: Readonly<Record<SellingError, string>>;
}

export const sellingErrors = [
  'plan',
  'quantity',
  'addons',
  'coupon',
  'name',
  'email',
  'address',
  'country',
  'taxId',
  'trial',
  'again',
  'tries',
  'seen',
  'terms',
  'consent',
  'token',
  'method',
  'amount',
  'field',
  'customer',
  'form',
] as const;
export type SellingError = (typeof sellingErrors)[number];
