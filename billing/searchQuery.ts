import { numberKey } from './documents/numbering.ts';
import { isCurrency } from './money/money.ts';
import { type SearchWord, searchWords } from './searchWords.ts';

/** What a person typed to find any object, as everything that it may mean. */
export interface SearchQuery {
  words: readonly SearchWord[];
  /** The words before an id, as in `invoice 123`; null: it is no such text, or names no type. */
  typed: { type: string; id: number } | null;
  /** The text as an id without a type. Ids and amounts have no zeros before them: `00074` is the end of a number. */
  id: number | null;
  /** The text as the id of a plan, an item or a coupon. */
  code: string | null;
  /** The text as it would stand in a reference, without surrounding spaces. */
  exact: string;
  /** Comparison key of the text as a number of a document. Null: it has no digit, as all numbers of series do. */
  numberKey: string | null;
  /** The text in lower case, as an address of mail. */
  email: string | null;
  /** The text as a telephone number, or the end of one: its digits in reverse order, without what is dialled before them. Null: it is none. */
  phone: string | null;
  /** The amounts that it may be, as decimal text; empty: none. */
  amounts: readonly string[];
  /** Currency of the amounts; null: any. */
  currency: string | null;
}

const LARGEST_ID = 2_147_483_647;
const MOST_DIGITS = 12;

/** Signs of a single currency. The dollar sign is that of many. */
const SIGNS: Readonly<Record<string, string | null>> = { $: null, '€': 'eur', '£': 'gbp' };

/** Reads a text. `types`: the words for each type of object, in lower case. */
export function readSearch(text: string, types: ReadonlyMap<string, string>): SearchQuery {
  const exact = text.normalize('NFKC').replaceAll(/\s+/g, ' ').trim();
  const { amounts, currency } = amountIn(exact);
  return {
    words: searchWords(exact),
    typed: typedIn(exact, types),
    id: /^#?\d+$/.test(exact) ? idOf(exact.replace('#', '')) : null,
    code: /^[A-Za-z0-9_-]{2,64}$/.test(exact) ? exact : null,
    exact,
    numberKey: /\d/.test(exact) ? numberKey(exact) : null,
    phone: phoneIn(exact),
    email: /^\S+@\S*$/.test(exact) ? exact.toLowerCase() : null,
    amounts,
    currency,
  };
}

const FEWEST_PHONE_DIGITS = 5;

/** `+1 555 0100`, `(030) 123-456`, `+49 (0)30 123456`, `030/123456`: the area and the country may be missing. */
function phoneIn(text: string): string | null {
  if (!/^\+?[\d\s()./-]+$/.test(text)) return null;
  const digits = text.replace('(0)', '').replaceAll(/\D/g, '').replace(/^0+/, '');
  return digits.length < FEWEST_PHONE_DIGITS ? null : [...digits].reverse().join('');
}

function idOf(digits: string): number | null {
  const id = Number(digits);
  return !digits.startsWith('0') && id <= LARGEST_ID ? id : null;
}

function typedIn(text: string, types: ReadonlyMap<string, string>): SearchQuery['typed'] {
  const [, name = '', digits = ''] = /^([\p{L}_ -]+?)[\s#:_]+(\d+)$/u.exec(text) ?? [];
  const type = types.get(
    name
      .toLowerCase()
      .replaceAll(/[_ -]+/g, ' ')
      .trim(),
  );
  const id = idOf(digits);
  return type === undefined || id === null ? null : { type, id };
}

/** `120`, `1,200.50`, `1.200,50`, `USD 120`, `120 €`. A single separator before three digits may group or part: both are meant. */
function amountIn(text: string): Pick<SearchQuery, 'amounts' | 'currency'> {
  const none = { amounts: [], currency: null };
  const [, before = '', number = '', after = ''] =
    /^([A-Za-z]{3}|[$€£])? ?(\d[\d.,' ]*?) ?([A-Za-z]{3}|[$€£])?$/.exec(text) ?? [];
  if (number === '' || (before !== '' && after !== '')) return none;
  const sign = (before || after).toLowerCase();
  if (!(sign in SIGNS || sign === '' || isCurrency(sign))) return none;
  const amounts = [...new Set(decimalsOf(number))].filter((amount) => Number(amount) > 0);
  const currency = sign in SIGNS ? (SIGNS[sign] ?? null) : sign || null;
  return amounts.length === 0 ? none : { amounts, currency };
}

function decimalsOf(number: string): string[] {
  const plain = /^(0|[1-9]\d*)(?:[.,](\d{1,4}))?$/.exec(number);
  const grouped = /^([1-9]\d{0,2}([,.' ])\d{3}(?:\2\d{3})*)(?:(?!\2)[.,](\d{1,4}))?$/.exec(number);
  const meanings = [plain ? decimal(plain[1], plain[2]) : null, grouped ? decimal(grouped[1], grouped[3]) : null];
  return meanings.filter((one) => one !== null);
}

function decimal(whole = '', fraction = ''): string | null {
  const digits = whole.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '');
  const decimals = fraction.replace(/0+$/, '');
  if (digits.length > MOST_DIGITS) return null;
  return decimals === '' ? digits : `${digits}.${decimals}`;
}
