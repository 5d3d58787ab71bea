/** A model of credit in whole cents, with its own rules. Tests compare the product with it. */

export type PartType = 'invoice' | 'credit' | 'applied_credit' | 'credit_note';

export interface ModelPart {
  type: PartType;
  amount: number;
  invoice?: number;
  note?: number;
}

export interface ModelPayment {
  /** UNIX seconds. */
  date: number;
  amount: number;
  parts: ModelPart[];
}

export interface Model {
  adjustments: Map<number, { date: number; amount: number }>;
  payments: Map<number, ModelPayment>;
  notes: Map<number, { total: number; state: 'open' | 'closed' | 'voided'; corrects?: number }>;
  invoices: Map<number, { total: number; voided: boolean; dueAt: number }>;
  /** Invoices from which a person has taken something back. */
  takenBack: Set<number>;
}

export function emptyModel(): Model {
  return { adjustments: new Map(), payments: new Map(), notes: new Map(), invoices: new Map(), takenBack: new Set() };
}

export function copyOf(model: Model): Model {
  return structuredClone(model);
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
const partsIn = (model: Model): ModelPart[] => [...model.payments.values()].flatMap(({ parts }) => parts);

export function invoiceBalance(model: Model, invoice: number): number {
  const { total, voided } = model.invoices.get(invoice) ?? { total: 0, voided: true };
  const paid = partsIn(model).filter((part) => part.invoice === invoice);
  return voided ? 0 : total - sum(paid.map(({ amount }) => amount));
}

export function noteBalance(model: Model, note: number): number {
  const { total, state } = model.notes.get(note) ?? { total: 0, state: 'voided' };
  const applied = partsIn(model).filter((part) => part.note === note);
  return state === 'voided' ? 0 : total - sum(applied.map(({ amount }) => amount));
}

/** Changes of the credit balance in the order in which they apply: by second, and within a second additions first. */
function changesOf(model: Model): { at: number; amount: number }[] {
  const ofPayments = [...model.payments.values()].flatMap(({ date, parts }) =>
    parts.flatMap(({ type, amount }) => {
      if (type === 'credit') return [{ at: date, amount }];
      return type === 'applied_credit' ? [{ at: date, amount: -amount }] : [];
    }),
  );
  const ofAdjustments = [...model.adjustments.values()].map(({ date: at, amount }) => ({ at, amount }));
  return [...ofPayments, ...ofAdjustments].sort((a, b) => a.at - b.at || b.amount - a.amount);
}

/** The balance at the end of each second in which it changed. */
export function balancesOf(model: Model): { at: number; balance: number }[] {
  const balances = new Map<number, number>();
  let balance = 0;
  for (const { at, amount } of changesOf(model)) {
    balance += amount;
    balances.set(at, balance);
  }
  return [...balances].map(([at, value]) => ({ at, balance: value }));
}

/** The amount that can be spent at a time without making the balance negative then or later. */
export function spendableAt(model: Model, at: number): number {
  const balances = balancesOf(model);
  const before = balances.filter((one) => one.at <= at).at(-1)?.balance ?? 0;
  return Math.min(before, ...balances.filter((one) => one.at > at).map(({ balance }) => balance));
}

/** A negative amount: the credit balance at some time, the balance of an invoice, or the balance of a credit note. */
export type Fault = 'credit' | 'invoice' | 'note';

export function faultsOf(model: Model): Fault[] {
  const amounts: Record<Fault, number[]> = {
    credit: balancesOf(model).map(({ balance }) => balance),
    invoice: [...model.invoices.keys()].map((id) => invoiceBalance(model, id)),
    note: [...model.notes.keys()].map((id) => noteBalance(model, id)),
  };
  const faults: Fault[] = ['credit', 'invoice', 'note'];
  return faults.filter((fault) => amounts[fault].some((amount) => amount < 0));
}

/** The amount of a payment less the credit that it spends. */
export function moneyOf({ amount, parts }: Pick<ModelPayment, 'amount' | 'parts'>): number {
  const credit = parts.filter(({ type, note }) => type === 'applied_credit' || note !== undefined);
  return amount - sum(credit.map((part) => part.amount));
}
