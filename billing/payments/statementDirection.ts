import { cut, Refusal } from '../refusal.ts';

/** `credit`: money came in; `debit`: money went out. */
export type Direction = 'credit' | 'debit';

/** What banks write for money that came in and that went out, in lower case without full stops. */
const marks: Readonly<Record<Direction, readonly string[]>> = {
  credit: [
    '+',
    'c',
    'cr',
    'crdt',
    'credit',
    'k',
    'kr',
    'kredit',
    'credito',
    'crédito',
    'crédit',
    'h',
    'haben',
    'haber',
    'gutschrift',
    'bij',
    'in',
    'a',
    'avere',
    'deposit',
    'paid in',
    'money in',
  ],
  debit: [
    '-',
    'd',
    'dr',
    'dbit',
    'debit',
    'debet',
    'débit',
    'debito',
    'débito',
    's',
    'soll',
    'debe',
    'lastschrift',
    'af',
    'uit',
    'out',
    'dare',
    'withdrawal',
    'paid out',
    'money out',
  ],
};

/** The direction that a word of a bank means; null: none. */
export function directionOf(word: string): Direction | null {
  const key = word.toLowerCase();
  if (marks.credit.includes(key)) return 'credit';
  return marks.debit.includes(key) ? 'debit' : null;
}

/** The direction in a cell of its own. Refuses other words than those of banks. */
export function directionIn(text: string): Direction {
  const found = directionOf(text.replace(/\.$/, ''));
  if (found) return found;
  if (text === '') throw new Refusal('parameter_missing', 'Direction missing', 'direction');
  const wanted = 'K, C, CR, H, Bij or credit for money in, D, DR, S, Af or debit for money out';
  throw new Refusal('parameter_invalid', `Direction must be ${wanted}: ${cut(text)}`, 'direction');
}
