import type { Json, Presented } from './values.ts';

/** In place of a name that has to be there. */
export const ANONYMOUS = 'Anonymized';

/** Personal fields of each kind of object, and what is left of them. */
const personal: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  customer: {
    ...{ name: ANONYMOUS, email: null, attention_to: null, address1: null, address2: null, city: null, state: null },
    ...{ postal_code: null, phone: null, tax_id: null, notes: null, metadata: {}, taxengine_exemption_number: null },
  },
  contact: {
    ...{ name: ANONYMOUS, title: null, email: null, phone: null, department: null, address1: null, address2: null },
    ...{ city: null, state: null, postal_code: null, country: null },
  },
  credit_balance_adjustment: { notes: null },
  estimate: { ship_to: null },
  invoice: { ship_to: null },
  subscription: { metadata: {} },
  note: { notes: ANONYMOUS },
  task: { name: ANONYMOUS },
  charge: { receipt_email: null },
  email: { email: '', message: '', subject: '', opens_detail: [], reject_reason: null },
  card: { receipt_email: null },
  bank_account: { receipt_email: null },
};

/** What of an object is kept as it is, though not all that is in it. */
type Kept = (object: Presented) => boolean;

/** An object without personal data of customers, in it and in all that is in it. `kind`: of one that does not say what it is. */
export function anonymous(object: Presented, kind?: string, isKept: Kept = () => false): Presented {
  const own = personal[typeof object.object === 'string' ? object.object : (kind ?? '')] ?? {};
  const lost = isKept(object) ? {} : own;
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => {
      const left = Object.hasOwn(lost, name) ? lost[name] : undefined;
      return [name, left === undefined ? within(value, isKept) : left];
    }),
  );
}

function within(value: Json, isKept: Kept): Json {
  if (Array.isArray(value)) return value.map((one) => within(one, isKept));
  return isObject(value) ? anonymous(value, undefined, isKept) : value;
}

function isObject(value: Json): value is Presented {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
