import type { TimedProcess } from '../../billing/processes.ts';
import type { Seen, SeenInvoice } from './collectionSeen.ts';

/** A step of a process with the state before and after it. `at`: UNIX seconds. */
export interface WatchedStep {
  process: TimedProcess;
  did: string | null;
  at: number;
  before: Seen;
  after: Seen;
}

/** The settings of the walk that the rules need. */
export interface WalkTerms {
  zone: string;
  feePercent: number;
  feeDays: number;
  /** Cents. */
  feeCap: number;
}

/** A fee of an invoice. `isEnded`: the invoice was not past due any more after it, so that its days of grace begin anew. */
interface ChargedFee {
  day: string;
  cents: number;
  isEnded: boolean;
}

/** The local day of a time, 'YYYY-MM-DD'. */
export function dayIn(zone: string, at: number): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at * 1000);
}

/**
 * Independent rules about the steps that Perennial takes for one customer. Each breach is a sentence. The rules keep the days of reminders
 * and fees between steps.
 */
export function collectionRules(terms: WalkTerms) {
  const askedOn = new Map<string, string>();
  const feesOn = new Map<number, ChargedFee[]>();
  const today = (at: number) => dayIn(terms.zone, at);

  /** The part of an invoice that may be asked for at a time: its balance, or the missed installments of its plan. */
  function askable(one: SeenInvoice, at: number): number {
    const isPromised = one.promise === 'promised' && one.promisedFor !== null && today(one.promisedFor) >= today(at);
    if (!one.isOpen || one.isPending || one.isDisputed || isPromised) return 0;
    if (one.plan?.status !== 'active') return one.nextCharge === null ? one.balance : 0;
    return one.isPastDue ? missed(one, at) : 0;
  }

  function missed({ plan }: SeenInvoice, at: number): number {
    const over = (plan?.installments ?? []).filter(({ date }) => today(date) < today(at));
    return over.reduce((sum, { owed }) => sum + owed, 0);
  }

  function ofCharges({ before, after, at }: WatchedStep): string[] {
    const known = new Set(before.charges.map(({ id }) => id));
    return after.charges
      .filter(({ id }) => !known.has(id))
      .flatMap(({ invoices }) => invoices)
      .flatMap(({ id, cents }) => {
        const one = before.invoices.find((invoice) => invoice.id === id);
        if (!one?.isOpen) return [`charge of invoice ${id}, which is not open`];
        const faults: string[] = [];
        if (cents > one.balance) faults.push(`charge of ${cents}, more than ${one.balance} of ${one.number}`);
        if (!one.autopay) faults.push(`charge of ${one.number}, which is not on AutoPay`);
        if (one.isPending) faults.push(`charge of ${one.number} while a payment is pending`);
        if (one.plan?.status === 'pending_signup') faults.push(`charge of ${one.number}, whose plan waits`);
        const next = one.plan?.status === 'active' ? one.plan.installments.find(({ owed }) => owed > 0) : null;
        if (next && next.date > at) faults.push(`charge of ${one.number} before its installment is due`);
        if (next && next.owed !== cents) faults.push(`charge of ${cents}, but the installment is ${next.owed}`);
        return faults;
      });
  }

  function ofReminders({ before, after, at }: WatchedStep): string[] {
    const known = new Set(before.asked.map(({ id }) => id));
    const made = after.asked.filter(({ id }) => !known.has(id));
    const open = before.invoices.filter((one) => askable(one, at) > 0);
    const sum = open.reduce((total, one) => total + askable(one, at), 0);
    const amount = (sum / 100).toFixed(2);
    const expected = open.map(({ number }) => number).sort();
    return made.flatMap(({ by, words, numbers }) => {
      const faults: string[] = [];
      const day = `${today(at)} ${by === 'email' ? 'email' : words.split(':')[0]}`;
      if (askedOn.has(today(at))) faults.push(`asked twice on ${today(at)}: ${askedOn.get(today(at))}, then ${words}`);
      askedOn.set(today(at), day);
      const weekday = new Date(`${today(at)}T12:00:00Z`).getUTCDay();
      if (weekday === 0 || weekday === 6) faults.push(`asked on a weekend: ${day}`);
      if (sum === 0) faults.push(`asked for nothing: ${words}`);
      if (!words.replaceAll(',', '').includes(amount)) faults.push(`asked for another amount than ${amount}: ${words}`);
      if (by === 'email' && numbers.toSorted().join() !== expected.join())
        faults.push(`asked for ${numbers}, but ${expected} can be asked for`);
      return faults;
    });
  }

  function ofFees({ before, after, at }: WatchedStep): string[] {
    return after.invoices.flatMap((one) => {
      const former = before.invoices.find(({ id }) => id === one.id);
      const added = one.fees.slice(former?.fees.length ?? 0);
      const [fee] = added;
      if (!former || fee === undefined) return [];
      const faults: string[] = [];
      const kept = feesOn.get(one.id) ?? [];
      const day = today(at);
      if (added.length > 1) faults.push(`${added.length} fees of ${one.number} at once`);
      const last = kept.at(-1);
      const gap = last ? (Date.parse(day) - Date.parse(last.day)) / 86_400_000 : Number.POSITIVE_INFINITY;
      if (gap < (last?.isEnded ? 1 : terms.feeDays))
        faults.push(`fee of ${one.number} ${gap} days after the one before`);
      const sum = kept.reduce((total, { cents }) => total + cents, 0);
      const old = former.fees.reduce((total, cents) => total + cents, 0);
      const principal = principalOf(former, { at, fees: old });
      const whole = Math.round((principal * terms.feePercent) / 100);
      const right = Math.min(whole, terms.feeCap - sum);
      if (fee !== right) faults.push(`fee of ${fee} on a principal of ${principal}: ${right} is right`);
      if (!former.isOpen || !former.isPastDue) faults.push(`fee of ${one.number}, which is ${former.status}`);
      if (former.promise === 'promised') faults.push(`fee of ${one.number}, whose payment is promised`);
      if (former.isDisputed) faults.push(`fee of ${one.number}, of which a payment is disputed`);
      if (former.nextCharge !== null && former.plan?.status !== 'active')
        faults.push(`fee of ${one.number}, which AutoPay will charge`);
      feesOn.set(one.id, [...kept, { day, cents: fee, isEnded: false }]);
      return faults;
    });
  }

  /** The overdue amount without fees, which are in the last installment of a plan and are paid last. */
  function principalOf(one: SeenInvoice, { at, fees }: { at: number; fees: number }): number {
    if (one.plan?.status !== 'active') return Math.max(one.balance - fees, 0);
    const parts = one.plan.installments.map(({ date, owed }, index, all) => {
      if (today(date) >= today(at)) return 0;
      return index === all.length - 1 ? Math.max(owed - fees, 0) : owed;
    });
    return parts.reduce((sum, part) => sum + part, 0);
  }

  return {
    /** Notes a state in which no step is taken. */
    note({ invoices }: Seen): void {
      for (const { id } of invoices.filter(({ isPastDue }) => !isPastDue)) {
        const last = feesOn.get(id)?.at(-1);
        if (last) last.isEnded = true;
      }
    },
    /** Breaches of a step: of its charges, its reminders and its fees. */
    afterStep: (step: WatchedStep): string[] => [...ofCharges(step), ...ofReminders(step), ...ofFees(step)],
  };
}
