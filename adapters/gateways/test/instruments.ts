import type { DeclineKind } from '../../../billing/payments/declines.ts';
import type { PaymentSourceType } from '../../../billing/payments/paymentMethods.ts';
import type { VaultedSource } from '../../../commands/ports/ports.ts';
import { parseScript, type ScriptedOutcome, type ScriptStep } from './script.ts';

export interface Decline {
  kind: DeclineKind;
  code: string;
  message: string;
}

export type ReturnCode = 'insufficient_funds' | 'account_closed' | 'debit_not_authorized';

/** partial: the bank keeps half of the amount. */
export type DisputeEnd = 'won' | 'lost' | 'partial' | 'withdrawn';

/** The card or bank account that a token stands for. */
export interface TestInstrument
  extends Pick<VaultedSource, 'type' | 'last4' | 'brand' | 'funding' | 'bankName' | 'routingNumber'> {
  steps: ScriptStep[];
  /** Replaces the usual decline of the same kind. */
  decline?: Decline;
  vaultable: boolean;
  /** How the dispute ends that follows a successful charge; null: none follows. */
  dispute: DisputeEnd | null;
  /** The code with which the bank returns a debit after it succeeded; null: it does not. */
  returned: ReturnCode | null;
  /** Whether it can be charged without a verification. */
  isKnown: boolean;
  /** The outcome of refunds of its charges. */
  refund: ScriptedOutcome;
}

const usual: Record<PaymentSourceType, Record<DeclineKind, Decline>> = {
  card: {
    soft: { kind: 'soft', code: 'insufficient_funds', message: 'The card has insufficient funds.' },
    hard: { kind: 'hard', code: 'lost_card', message: 'The card was reported lost.' },
    needs_customer: {
      kind: 'needs_customer',
      code: 'authentication_required',
      message: 'The bank asks the card holder to authenticate this payment.',
    },
  },
  bank_account: {
    soft: { kind: 'soft', code: 'insufficient_funds', message: 'The bank account has insufficient funds.' },
    hard: { kind: 'hard', code: 'no_account', message: 'The bank knows no account with this number.' },
    needs_customer: {
      kind: 'needs_customer',
      code: 'mandate_required',
      message: 'The account holder has to agree to this debit.',
    },
  },
};

const genericDecline: Decline = { kind: 'soft', code: 'card_declined', message: 'The card was declined.' };

type CardTraits = Partial<Omit<TestInstrument, 'steps'>> & { outcome?: ScriptedOutcome };

const cards: Record<string, CardTraits> = {
  '4242424242424242': {},
  '4000056655665556': { funding: 'debit' },
  '5105105105105100': { brand: 'Mastercard', funding: 'prepaid' },
  '5454545454545454': { brand: 'Mastercard' },
  '378282246310005': { brand: 'American Express' },
  '6011111111111117': { brand: 'Discover' },
  '30569309025904': { brand: 'Diners Club' },
  '4000000000000069': { outcome: 'soft' },
  '4000000000000002': { outcome: 'hard' },
  '4000000000003220': { outcome: 'needs_customer' },
  '4000000000000127': { vaultable: false },
  '4000000000000341': { outcome: 'soft', decline: genericDecline },
  '4000000000000119': { outcome: 'timeout_taken' },
  '4000000000000101': { outcome: 'timeout_untaken' },
  '4000000000000259': { dispute: 'lost' },
  '4000000000002685': { dispute: 'won' },
  '4000000000001976': { dispute: 'withdrawn' },
  '4000000000000275': { dispute: 'partial' },
  '4000000000007726': { refund: 'pending_succeed' },
  '4000000000005126': { refund: 'pending_fail' },
  '4000000000000333': { refund: 'hard' },
  '4000000000000416': { refund: 'timeout_taken' },
  '4000000000000424': { refund: 'timeout_untaken' },
};

/** By the number of the bank and that of the account, or by the IBAN. */
const banks: Record<string, ScriptedOutcome> = {
  '110000000_123456789': 'succeed',
  '123123123_123123456': 'hard',
  '123123123_123123893': 'pending_succeed',
  '123123123_000222222227': 'pending_fail',
  '110000000_000123456789': 'succeed',
  '110000000_000111111113': 'succeed',
  '110000000_000111111116': 'succeed',
  '110000000_000111111119': 'succeed',
  '110000_12345678': 'succeed',
  '123123_12312345': 'hard',
  '123123_12312389': 'pending_succeed',
  '11000000_12345678': 'succeed',
  '12312312_12312345': 'hard',
  '12312312_12312389': 'pending_succeed',
  DE66110000000123456789: 'succeed',
  DE71123123120123123456: 'hard',
  DE09123123120123123893: 'pending_succeed',
};

/** Bank accounts whose debits succeed and are returned later, with the code of the return. */
const returningBanks: Readonly<Record<string, ReturnCode>> = {
  '110000000_000111111113': 'account_closed',
  '110000000_000111111116': 'insufficient_funds',
  '110000000_000111111119': 'debit_not_authorized',
};

/** Bank accounts that have to be verified by their micro-deposits. */
const unknownBanks = new Set(['110000000_000123456789']);

/** The amounts of the micro-deposits. */
export const microDeposits = ['0.35', '0.45'];

/**
 * The instrument that a token `tok_…` stands for. Null if the test gateway does not know it, or if it does not have the given type. For a
 * script, `type` decides whether it is a card, the default, or a bank account.
 */
export function readToken(token: string, type?: PaymentSourceType): TestInstrument | null {
  const name = token.startsWith('tok_') ? token.slice('tok_'.length) : '';
  const found = readCard(name) ?? readBank(name) ?? readScript(name, type ?? 'card');
  return found && (type === undefined || found.type === type) ? found : null;
}

/** The decline of this kind for a charge of this instrument. */
export function declineOf(instrument: TestInstrument, kind: DeclineKind): Decline {
  return instrument.decline ?? usual[instrument.type][kind];
}

function readCard(number: string): TestInstrument | null {
  const traits = Object.hasOwn(cards, number) ? cards[number] : undefined;
  if (!traits) return null;
  const { outcome = 'succeed', ...rest } = traits;
  return { ...plainCard(number.slice(-4), [{ outcome, until: null }]), ...rest };
}

function readBank(numbers: string): TestInstrument | null {
  const outcome = Object.hasOwn(banks, numbers) ? banks[numbers] : undefined;
  if (!outcome) return null;
  const [bankNumber = null] = numbers.includes('_') ? numbers.split('_') : [];
  const bank = plainBank(bankNumber, numbers.slice(-4), [{ outcome, until: null }]);
  return { ...bank, isKnown: !unknownBanks.has(numbers), returned: returningBanks[numbers] ?? null };
}

function readScript(name: string, type: PaymentSourceType): TestInstrument | null {
  const steps = name.startsWith('script_') ? parseScript(name.slice('script_'.length)) : null;
  if (!steps) return null;
  return type === 'card' ? plainCard('4242', steps) : plainBank('110000000', '6789', steps);
}

/** An instrument without particular traits. */
const plain = { vaultable: true, dispute: null, returned: null, isKnown: true, refund: 'succeed' } as const;

function plainCard(last4: string, steps: ScriptStep[]): TestInstrument {
  const card = { type: 'card', brand: 'Visa', funding: 'credit', bankName: null, routingNumber: null } as const;
  return { ...card, last4, steps, ...plain };
}

function plainBank(routingNumber: string | null, last4: string, steps: ScriptStep[]): TestInstrument {
  const bank = { type: 'bank_account', brand: null, funding: null, bankName: 'Test Bank' } as const;
  return {
    ...bank,
    routingNumber,
    last4,
    steps,
    ...plain,
  };
}
