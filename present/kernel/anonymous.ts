import type { Json, Presented } from './values.ts';

/** Replacement for names that must not be empty. */
export const ANONYMOUS = 'Anonymized';

/** Personal fields of each kind of object, with their replacements. */
const personal: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  customer: {
    name: ANONYMOUS,
    email: null,
    attention_to: null,
    address1: null,
    address2: null,
    city: null,
    state: null,
    postal_code: null,
    phone: null,
    tax_id: null,
    notes: null,
    credit_hold_reason: null,
    metadata: {},
    taxengine_exemption_number: null,
  },
  contact: {
    name: ANONYMOUS,
    title: null,
    email: null,
    phone: null,
    department: null,
    address1: null,
    address2: null,
    city: null,
    state: null,
    postal_code: null,
    country: null,
  },
  credit_balance_adjustment: { notes: null },
  credit_note: { reason: ANONYMOUS },
  estimate: { ship_to: null },
  invoice: { ship_to: null, disputed_lines: [] },
  payment: { notes: null },
  payment_plan: { approval: null },
  subscription: { metadata: {}, ship_to: null, cancellation_comment: null },
  subscription_addon: { description: null },
  note: { notes: ANONYMOUS },
  task: { name: ANONYMOUS, outcome: null },
  charge: { receipt_email: null },
  email: { email: '', message: '', subject: '', opens_detail: [], reject_reason: null },
  card: { receipt_email: null },
  bank_account: { receipt_email: null },
};

/** Further fields to replace in documents that were never issued, of which no data has to be kept. */
const unissued: typeof personal = {
  estimate: { notes: null, purchase_order: null, metadata: {} },
  invoice: { notes: null, purchase_order: null, metadata: {} },
  credit_note: { notes: null, purchase_order: null, metadata: {} },
  line_item: { name: ANONYMOUS, description: null, metadata: {} },
};

interface How {
  /** Kind of the object, if it has no field `object`. */
  kind?: string | undefined;
  /** Whether the object belongs to a draft. */
  isDraft?: boolean | undefined;
  /** True for objects whose own fields are kept. Objects inside them are anonymized nevertheless. */
  isKept?: ((object: Presented) => boolean) | undefined;
}

/** A copy of a presented object without the personal data of customers, in it and in all objects inside it. */
export function anonymized(object: Presented, { kind = '', isKept, ...how }: How = {}): Presented {
  const isDraft = typeof object.draft === 'boolean' ? object.draft : how.isDraft || isPending(object, kind);
  const named = typeof object.object === 'string' ? object.object : kind;
  const lost = isKept?.(object) ? {} : { ...personal[named], ...(isDraft ? unissued[named] : {}) };
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => {
      const left = Object.hasOwn(lost, name) ? lost[name] : undefined;
      return [name, left === undefined || value === null ? within(value, { isDraft, isKept }) : left];
    }),
  );
}

/** Whether this is a pending line: it has a field `customer`, or it is not inside a document. */
function isPending(object: Presented, kind: string): boolean {
  return kind === 'line_item' || (object.object === 'line_item' && 'customer' in object);
}

function within(value: Json, how: How): Json {
  if (Array.isArray(value)) return value.map((one) => within(one, how));
  return isObject(value) ? anonymized(value, how) : value;
}

function isObject(value: Json): value is Presented {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
