/** What the merchant's dashboard at the gateway and the payer's statement show of a charge. */
export interface ShownCharge {
  description: string;
  /** Numbers of the invoices and estimates that it pays; null: it pays none. */
  documentNumber?: string | null;
  customerNumber?: string | null;
  /** Text on the payer's statement; null: the gateway's own. */
  statementDescriptor?: string | null;
}

interface Paid {
  invoices: readonly string[];
  estimates: readonly string[];
  customerNumber: string;
  /** The account's setting; empty: none. */
  statementDescriptor: string;
}

/** Most numbers of documents in a description. */
const MOST_NUMBERS = 10;

/** The words for a charge: "Invoice INV-00012", "Invoices INV-00012, INV-00013", "Estimate EST-00003", or "Account credit". */
export function shownCharge({ invoices, estimates, customerNumber, statementDescriptor }: Paid): ShownCharge {
  const named = [words('Invoice', invoices), words('Estimate', estimates)].filter((text) => text !== '');
  return {
    description: named.join('; ') || 'Account credit',
    documentNumber: listed([...invoices, ...estimates]) || null,
    customerNumber,
    statementDescriptor: statementDescriptor || null,
  };
}

function words(noun: string, numbers: readonly string[]): string {
  const [first, second] = numbers;
  return first === undefined ? '' : `${second === undefined ? noun : `${noun}s`} ${listed(numbers)}`;
}

function listed(numbers: readonly string[]): string {
  const more = numbers.length - MOST_NUMBERS;
  return numbers.slice(0, MOST_NUMBERS).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Longest text that a card's statement shows beside the account's own prefix of at most 10 characters. */
const LONGEST_BESIDE_PREFIX = 10;

/**
 * Whether a gateway puts a text on statements: 5 to 22 letters, digits and marks of Latin, one of them a letter.
 * https://docs.stripe.com/get-started/account/statement-descriptors
 */
export const isStatementDescriptor = (text: string): boolean =>
  /^[ -~]{5,22}$/.test(text) && /[A-Za-z]/.test(text) && !/[<>\\'"*]/.test(text) && text === text.trim();

/** The beginning of a text that fits on a card's statement beside the prefix; null: it would have no letter. */
export function besidePrefix(text: string): string | null {
  const short = text.slice(0, LONGEST_BESIDE_PREFIX).trim();
  return /[A-Za-z]/.test(short) ? short : null;
}
