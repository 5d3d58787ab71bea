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
  payment: { notes: null },
  subscription: { metadata: {} },
  note: { notes: ANONYMOUS },
  task: { name: ANONYMOUS },
  charge: { receipt_email: null },
  email: { email: '', message: '', subject: '', opens_detail: [], reject_reason: null },
  card: { receipt_email: null },
  bank_account: { receipt_email: null },
};

/** The same of what was never issued: nothing of it has to be kept. */
const unissued: typeof personal = {
  estimate: { notes: null, purchase_order: null, metadata: {} },
  invoice: { notes: null, purchase_order: null, metadata: {} },
  credit_note: { notes: null, purchase_order: null, metadata: {} },
  line_item: { name: ANONYMOUS, description: null, metadata: {} },
};

interface How {
  /** Of an object that does not say what it is. */
  kind?: string | undefined;
  /** It is of a draft. */
  isDraft?: boolean | undefined;
  /** What of an object is kept as it is, though not all that is in it. */
  isKept?: ((object: Presented) => boolean) | undefined;
}

/** An object without personal data of customers, in it and in all that is in it. */
export function anonymous(object: Presented, { kind = '', isKept, ...how }: How = {}): Presented {
  const isDraft = typeof object.draft === 'boolean' ? object.draft : how.isDraft || isPending(object, kind);
  const named = typeof object.object === 'string' ? object.object : kind;
  const lost = isKept?.(object) ? {} : { ...personal[named], ...(isDraft ? unissued[named] : {}) };
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => {
      const left = Object.hasOwn(lost, name) ? lost[name] : undefined;
      return [name, left === undefined ? within(value, { isDraft, isKept }) : left];
    }),
  );
}

/** A line that is on no document: it says whose it is, or is told of by itself. */
function isPending(object: Presented, kind: string): boolean {
  return kind === 'line_item' || (object.object === 'line_item' && 'customer' in object);
}

function within(value: Json, how: How): Json {
  if (Array.isArray(value)) return value.map((one) => within(one, how));
  return isObject(value) ? anonymous(value, how) : value;
}

function isObject(value: Json): value is Presented {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
