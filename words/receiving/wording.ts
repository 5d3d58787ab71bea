import type { ActWords } from '../editing/wording.ts';
import type { Plural } from '../text.ts';

/** Texts about payments: recording, applying, refunding, matching, bank statements. Names in braces are placeholders. */
export interface ReceivingWords {
  /* The form of a payment. */
  received: string;
  appliedTo: string;
  notKnown: string;
  payerHint: string;
  oldestFirst: string;
  /** Takes all amounts away. */
  clear: string;
  whole: string;
  wholeOf: string;
  amountOf: string;
  otherInvoice: string;
  noneOpen: string;
  chooseCustomer: string;
  appliedSum: string;
  rest: string;
  excess: string;
  /** Applications that are not to invoices. */
  kept: string;
  ofCustomer: string;
  /* What follows from what was typed. */
  follows: string;
  computing: string;
  leaves: string;
  change: string;
  paid: string;
  owedAgain: string;
  acts: ReceivingActWords;
  refundLeft: string;
  today: string;
  /** Heads the mail as it will be sent. */
  mail: string;
  source: string;
  /* Suggestions. */
  suggestions: string;
  noSuggestion: string;
  accept: string;
  acceptOf: string;
  notThese: string;
  refusedThese: string;
  wasApplied: string;
  undo: string;
  /** Somebody else applied it first. */
  meanwhile: string;
  further: string;
  /* The page that matches payments with invoices. */
  match: string;
  matchWhat: string;
  matchKeys: string;
  waiting: Plural;
  nothingWaits: string;
  nothingWaitsWhat: string;
  byHand: string;
  showMore: string;
  from: string;
  statement: StatementWords;
  dispute: DisputeWords;
}

/** Acts on payments. */
export interface ReceivingActWords {
  apply: ActWords;
  refund: ActWords;
  /** The bank took a transfer back. */
  returned: ActWords;
  void: ActWords;
  receipt: ActWords;
  charge: ActWords;
  /** Leads to the form of a payment for an invoice. */
  record: string;
}

/** The upload of a bank statement. */
export interface StatementWords {
  title: string;
  what: string;
  file: string;
  drop: string;
  reading: string;
  /** How the columns are read. */
  columns: string;
  columnsWhat: string;
  column: {
    date: string;
    amount: string;
    debit: string;
    direction: string;
    currency: string;
    reference: string;
    payer: string;
    sender: string;
  };
  noColumn: string;
  dateFormat: string;
  decimal: string;
  decimalEach: string;
  skipped: string;
  row: string;
  fresh: Plural;
  known: Plural;
  ignored: Plural;
  refused: Plural;
  status: { created: string; duplicate: string; ignored: string; refused: string };
  reason: { debit: string; zero: string; pending: string };
  autoApplies: string;
  importThem: Plural;
  nothingNew: string;
  imported: Plural;
  matchThem: string;
  undoImport: string;
  undoWhat: string;
  undone: Plural;
  notUndone: Plural;
  another: string;
  tooLarge: string;
}

export interface DisputeWords {
  title: string;
  what: string;
  until: string;
  decided: string;
  atGateway: string;
}
