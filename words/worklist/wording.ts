import type { Plural } from '../text.ts';

type Texts<Names extends string> = Readonly<Record<Names, string>>;

/** Texts of the worklist, where people do what waits. Names in braces are placeholders. */
export interface WorkWords {
  /** Whose work is shown. */
  whose: string;
  who: Texts<'me' | 'team' | 'unassigned'>;
  kindLabel: string;
  everything: string;
  kind: Texts<
    'problem' | 'dispute' | 'disputed_invoice' | 'broken_promise' | 'task' | 'failed_charge' | 'unapplied_payment'
  >;
  list: string;
  count: Plural;
  /** More items wait than are shown. */
  some: string;
  nothing: Texts<'me' | 'team' | 'unassigned'>;
  nothingWhat: string;
  seeTeam: string;
  keys: string;
  by: string;
  since: string;
  nobody: string;
  back: string;
  call: string;
  phone: string;
  noPhone: string;
  invoices: string;
  noInvoices: string;
  due: string;
  acts: Texts<'done' | 'log' | 'later' | 'mine' | 'retry' | 'charge' | 'apply' | 'open'>;
  result: string;
  results: Texts<'reached' | 'promised' | 'message' | 'nobody' | 'wrong' | 'other'>;
  note: string;
  promised: string;
  promisedDay: string;
  promisedFor: string;
  allInvoices: string;
  laterDay: string;
  charge: string;
  saves: string;
  follows: string;
  leaves: string;
  stays: string;
  untilNext: string;
  followUp: string;
  followUpOpen: string;
  askedAgain: string;
  solved: string;
  reminder: string;
  noReminder: string;
  quiet: string;
  comesBack: string;
  told: Texts<'done' | 'later' | 'mine' | 'retried' | 'charged' | 'taken' | 'takenBefore' | 'gone' | 'next' | 'last'>;
}
