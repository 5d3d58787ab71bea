import { isTaxIdOf } from '../../../billing/documents/taxId.ts';
import { Refusal } from '../../../billing/refusal.ts';
import type { Choice } from '../../../billing/signUps/terms.ts';
import type { SignUpDetails } from '../../../db/schema/signUp.ts';
import type { SignUpPage } from '../../../db/schema/signUpPage.ts';
import type { SellingError } from '../../../words/selling/wording.ts';
import { readCountry, readEmail, readName, readPlain, Unfit } from '../../body/readers.ts';

const LONGEST = 255;

/** The texts of a form, as they were sent. */
export function textIn(sent: URLSearchParams, name: string): string {
  const text = (sent.get(name) ?? '').slice(0, LONGEST).replaceAll('\0', '').trim();
  return text.isWellFormed() ? text : '';
}

/** What is wrong with a field of a form. */
export class WrongField extends Error {
  override readonly name = 'WrongField';
  readonly error: SellingError;
  readonly field: string;

  constructor(error: SellingError, field: string) {
    super(`${field}: ${error}`);
    this.error = error;
    this.field = field;
  }
}

/** Reads a text by a reader of the API. Throws WrongField. */
export function readBy<Value>(
  read: (value: string) => Value,
  sent: URLSearchParams,
  { field, error }: { field: string; error: SellingError },
): Value {
  try {
    return read(textIn(sent, field));
  } catch (wrong) {
    if (wrong instanceof Unfit) throw new WrongField(error, field);
    throw wrong;
  }
}

/** An optional text, without hidden characters; null: it is empty. Throws WrongField. */
export function plainIn(sent: URLSearchParams, field: string, error: SellingError = 'field'): string | null {
  return readBy((text) => (text === '' ? null : readPlain(text, LONGEST)), sent, { field, error });
}

/** The name and the email address of a visitor. Throws WrongField. */
export function personIn(sent: URLSearchParams): { name: string; email: string } {
  return {
    name: readBy((text) => readPlain(readName(text), LONGEST), sent, { field: 'name', error: 'name' }),
    email: readBy(readEmail, sent, { field: 'email', error: 'email' }),
  };
}

/** The fields of an address, with those that are needed. Throws WrongField. */
export function addressIn(sent: URLSearchParams, needed: readonly string[]) {
  const part = (field: string) => {
    const text = plainIn(sent, field, 'address');
    if (text === null && needed.includes(field)) throw new WrongField('address', field);
    return text;
  };
  return {
    address1: part('address1'),
    address2: part('address2'),
    city: part('city'),
    state: part('state'),
    postalCode: part('postal_code'),
    country: readBy(readCountry, sent, { field: 'country', error: 'country' }),
  };
}

const NO_ADDRESS = { address1: null, address2: null, city: null, state: null, postalCode: null, country: null };

/** A tax id that has the form of one of its country; null: none. Throws WrongField. */
export function taxIdIn(sent: URLSearchParams, country: string | null): string | null {
  const taxId = plainIn(sent, 'tax_id', 'taxId');
  if (taxId !== null && !isTaxIdOf(taxId, country)) throw new WrongField('taxId', 'tax_id');
  return taxId;
}

/** What a visitor tells about itself on a sign-up page. Throws WrongField. */
export function detailsIn(sent: URLSearchParams, page: SignUpPage, home: string | null): SignUpDetails {
  const person = personIn(sent);
  const address =
    page.address === 'none'
      ? { ...NO_ADDRESS, country: home }
      : page.address === 'country'
        ? { ...NO_ADDRESS, country: addressIn(sent, []).country }
        : addressIn(sent, ['address1', 'city']);
  return { ...person, ...address, taxId: page.takesTaxId ? taxIdIn(sent, address.country) : null };
}

/** What a visitor chooses. Numbers that are none become one that no page offers. */
export function choiceIn(sent: URLSearchParams, page: SignUpPage): Choice {
  const number = (name: string) => (/^\d{1,6}$/.test(textIn(sent, name)) ? Number(textIn(sent, name)) : -1);
  const addons = page.addons.flatMap((_, index) => {
    const quantity = textIn(sent, `addon_${index}`) === '' ? 0 : number(`addon_${index}`);
    return quantity === 0 ? [] : [{ index, quantity }];
  });
  const coupon = textIn(sent, 'coupon');
  return {
    plan: textIn(sent, 'plan'),
    quantity: textIn(sent, 'quantity') === '' ? page.minQuantity : number('quantity'),
    addons,
    coupon: coupon === '' ? null : coupon,
  };
}

/** Errors of the page by the parameter that a refusal names. */
const ERRORS: Readonly<Record<string, SellingError>> = {
  plan: 'plan',
  quantity: 'quantity',
  coupon: 'coupon',
  'discounts[0]': 'coupon',
  email: 'email',
  trial: 'trial',
  again: 'again',
  tries: 'tries',
  seen: 'seen',
  service_token: 'token',
  gateway_token: 'token',
  method: 'method',
  amount: 'amount',
  customer: 'customer',
};

/** The error that a page shows. Throws what is none. */
export function errorOf(error: unknown): { error: SellingError; field: string } {
  if (error instanceof WrongField) return { error: error.error, field: error.field };
  if (!(error instanceof Refusal)) throw error;
  return errorOfParam(error.param ?? '');
}

export function errorOfParam(param: string): { error: SellingError; field: string } {
  const named = param.startsWith('addons') ? 'addons' : (ERRORS[param] ?? 'form');
  return { error: named, field: named };
}
