import type { PresentPayer } from '../../../billing/payments/presentPayer.ts';
import type { ShownCharge } from '../../../billing/payments/shownCharge.ts';

/** Names of the metadata that the adapter writes on objects at Stripe. */
const DEPLOYMENT = 'perennial';
const KEY = 'perennial_key';
const ACCOUNT = 'perennial_account';
const CUSTOMER = 'perennial_customer';
const SOURCE = 'perennial_source';
const TOKEN = 'perennial_token';
const RETURN_URL = 'perennial_return_url';
const IP = 'perennial_ip';
const USER_AGENT = 'perennial_user_agent';
const INVOICE = 'invoice_number';
const CUSTOMER_NUMBER = 'customer_number';

/** Longest value of metadata that Stripe takes. */
const LONGEST = 500;

type Metadata = Readonly<Record<string, string>>;

/** Our facts about an operation, as its object at Stripe has them. */
export interface Mark {
  key: string;
  accountId: number;
  customerId: number;
}

/** A customer of a deployment. */
export interface Owner {
  deployment: string;
  accountId: number;
  customerId: number;
}

/** The metadata of objects at Stripe that belong to a customer. */
export function ownerMark({ deployment, accountId, customerId }: Owner): Record<string, string> {
  return { [DEPLOYMENT]: deployment, [ACCOUNT]: `${accountId}`, [CUSTOMER]: `${customerId}` };
}

/** The metadata by which an object at Stripe is known to be that of an operation of this deployment. */
export function markOf(owner: Owner, key: string): Record<string, string> {
  return { ...ownerMark(owner), [KEY]: key };
}

/** The numbers by which the merchant knows a charge. */
export function numberMark({ documentNumber, customerNumber }: ShownCharge): Record<string, string> {
  const invoice = documentNumber ? { [INVOICE]: documentNumber.slice(0, LONGEST) } : null;
  return { ...invoice, ...(customerNumber ? { [CUSTOMER_NUMBER]: customerNumber } : null) };
}

/** The metadata of a refund. Its charge says whose it is. */
export const keyMark = (key: string): Record<string, string> => ({ [KEY]: key });

/** Keys are UUIDs. Anybody with the account at Stripe can write something else. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ID = /^[1-9]\d{0,8}$/;

/** The key of the operation that made an object. Null: none did. */
export function keyIn(metadata: Metadata | null): string | null {
  const key = metadata?.[KEY];
  return key && UUID.test(key) ? key : null;
}

/** The instrument of an operation, as its confirmation needs it. `id`: that of a PaymentMethod or a ConfirmationToken. */
export interface Given {
  id: string;
  /** Whether it was stored before. */
  isStored: boolean;
  /** Null: nobody waits for the answer. */
  payer: PresentPayer | null;
}

export function givenMark({ id, isStored, payer }: Given): Record<string, string> {
  const instrument = { [isStored ? SOURCE : TOKEN]: id };
  if (!payer) return instrument;
  const { returnUrl, ip, userAgent } = payer;
  return { ...instrument, [RETURN_URL]: returnUrl, [IP]: ip, [USER_AGENT]: userAgent.slice(0, LONGEST) };
}

export function readGiven(metadata: Metadata | null): Given {
  const { [SOURCE]: source, [TOKEN]: token = '', [RETURN_URL]: returnUrl, [IP]: ip = '' } = metadata ?? {};
  const payer = returnUrl ? { returnUrl, ip, userAgent: metadata?.[USER_AGENT] ?? '' } : null;
  return { id: source ?? token, isStored: source !== undefined, payer };
}

/** Reads a mark. Null: the object is not of this deployment. */
export function readMark(deployment: string, metadata: Metadata | null): Mark | null {
  if (metadata?.[DEPLOYMENT] !== deployment) return null;
  const { [ACCOUNT]: account = '', [CUSTOMER]: customer = '' } = metadata;
  const key = keyIn(metadata);
  if (!key || !ID.test(account) || !ID.test(customer)) return null;
  return { key, accountId: Number(account), customerId: Number(customer) };
}
