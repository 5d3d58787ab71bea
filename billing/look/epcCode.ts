import { compare, roundMoney } from '../money/money.ts';

/** A credit transfer of SEPA. */
interface CreditTransfer {
  holder: string;
  iban: string | null;
  bic: string | null;
  /** Euros, decimal text. */
  amount: string;
  reference: string;
}

const MOST_BYTES = 331;

/** The bounds of an amount, which has two decimals: `EUR` and at most twelve characters. */
const [LEAST, MOST] = ['0.01', '999999999.99'];

/**
 * The content of the QR code for a SEPA credit transfer (European Payments Council, EPC069-12, version 002). Null if the transfer does not
 * fit: an amount out of bounds, or too many bytes.
 */
export function epcCode({ holder, iban, bic, amount: exact, reference }: CreditTransfer): string | null {
  const amount = roundMoney(exact, 'eur');
  if (!iban || compare(amount, LEAST) < 0 || compare(amount, MOST) > 0) return null;
  const line = (text: string, most: number) => [...text.replaceAll(/\s+/g, ' ').trim()].slice(0, most).join('');
  const lines = [
    'BCD',
    '002',
    '1',
    'SCT',
    bic ?? '',
    line(holder, 70),
    iban,
    `EUR${amount}`,
    '',
    '',
    line(reference, 140),
  ];
  const content = lines.join('\n');
  return new TextEncoder().encode(content).length <= MOST_BYTES ? content : null;
}
