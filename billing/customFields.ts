import { isDay } from './time/calendar.ts';

/** Objects with metadata, which can have custom fields. */
export const customizedObjects = [
  'customer',
  'invoice',
  'estimate',
  'credit_note',
  'payment',
  'subscription',
  'line_item',
  'item',
  'plan',
  'coupon',
  'tax_rate',
] as const;
export type CustomizedObject = (typeof customizedObjects)[number];

export const customFieldTypes = ['string', 'boolean', 'integer', 'double', 'money', 'date', 'enum'] as const;
export type CustomFieldType = (typeof customFieldTypes)[number];

/** A custom field with its value, as a document shows it to its customer. */
export interface ShownField {
  name: string;
  type: CustomFieldType;
  /** As metadata has it. It may not fit the type: values from before the field are not checked. */
  value: string;
}

interface Kind {
  /** What a value must be, as the end of a sentence. */
  expected: string;
  fits(value: string): boolean;
}

const kinds: Readonly<Record<Exclude<CustomFieldType, 'enum'>, Kind>> = {
  string: { expected: 'text', fits: () => true },
  boolean: { expected: 'true or false', fits: (value) => value === 'true' || value === 'false' },
  integer: { expected: 'a whole number with at most 15 digits', fits: (value) => /^-?\d{1,15}$/.test(value) },
  double: {
    expected: 'a number such as 12.5, with at most 15 digits',
    fits: (value) => /^-?\d+(\.\d+)?$/.test(value) && value.replace(/\D/g, '').length <= 15,
  },
  money: {
    expected: 'an amount such as 12.50, below 1000000000000 and with at most 4 decimals',
    fits: (value) => /^-?\d{1,12}(\.\d{1,4})?$/.test(value),
  },
  date: { expected: 'a day such as 2027-03-31', fits: isDay },
};

/** What the value of a field would have to be, as the end of a sentence; null: it fits. */
export function unfitValue(
  { type, choices }: { type: CustomFieldType; choices: readonly string[] },
  value: string,
): string | null {
  if (type === 'enum') return choices.includes(value) ? null : `one of ${choices.join(', ')}`;
  return kinds[type].fits(value) ? null : kinds[type].expected;
}
