import type { Plural } from '../text.ts';

/** An act: its button, what its dialog says, and what is told when it is done. */
interface Act {
  act: string;
  what: string;
  done: string;
}

/** Texts about collections: cadences with their editor and preview, who is in which step, promises and holds. Names in braces are placeholders. */
export interface CollectingWords {
  cadences: string;
  cadencesWhat: string;
  invoiceCadences: string;
  invoiceCadencesWhat: string;
  promises: string;
  promisesWhat: string;
  newCadence: string;
  newInvoiceCadence: string;
  none: string;
  noneWhat: string;
  noneOfInvoices: string;
  isDefault: string;
  isPaused: string;
  planning: Plural;
  pause: string;
  resume: string;
  /** Named buttons, for who hears the page. */
  pauseOf: string;
  resumeOf: string;
  remove: Act;
  who: string;
  /** Whom a cadence asks. */
  mode: Record<'default' | 'conditions' | 'none', string>;
  /** When a step is taken. */
  schedule: {
    before_due: Plural;
    after_due: Plural;
    after_issue: Plural;
    every: Plural;
    issue: string;
    on: string;
  };
  form: FormWords;
  ahead: AheadWords;
  standing: StandingWords;
  held: HeldWords;
}

interface FormWords {
  about: string;
  whom: string;
  hour: string;
  frequency: string;
  frequencies: Record<'daily' | 'day_of_week' | 'day_of_month', string>;
  runDays: string;
  minBalance: string;
  minBalanceHint: string;
  isDefault: string;
  isDefaultHint: string;
  mode: string;
  paused: string;
  conditions: string;
  conditionsHint: string;
  addCondition: string;
  removeCondition: string;
  /** The parts of a condition. */
  field: string;
  comparison: string;
  is: string;
  isNot: string;
  value: string;
  state: string;
  ownField: string;
  ofCondition: string;
  steps: string;
  stepsHint: string;
  ofStep: string;
  step: string;
  stepName: string;
  from: string;
  days: string;
  /** From what days count, without their number. */
  schedules: Record<
    'past_due_age' | 'age' | 'after_due' | 'before_due' | 'issue' | 'after_issue' | 'every' | 'on',
    string
  >;
  more: string;
  template: string;
  usualTemplate: string;
  person: string;
  role: string;
  roleHint: string;
  ofOwner: string;
  addStep: string;
  removeStep: string;
  tooMany: string;
  firstStep: string;
  secondStep: string;
}

interface AheadWords {
  title: string;
  what: string;
  computing: string;
  incomplete: string;
  nobody: string;
  noSteps: string;
  notAsked: Plural;
  mailTo: string;
  showAll: Plural;
  partly: string;
  /** Cadences of invoices are not foreseen. */
  ofInvoices: string;
}

interface StandingWords {
  last: string;
  next: string;
  nothingYet: string;
  gone: string;
  show: string;
  all: string;
  nextIs: string;
  lastIs: string;
  because: string;
  found: Plural;
  acts: string;
  actsOf: string;
  nobody: string;
  nobodyWhat: string;
  more: string;
  move: Act;
  nextStep: string;
  chaseOff: Act;
  chaseOn: Act;
}

interface HeldWords {
  open: string;
  openWhat: string;
  noOpen: string;
  broken: string;
  brokenWhat: string;
  noBroken: string;
  onHold: string;
  noHold: string;
  off: string;
  offWhat: string;
  noOff: string;
  promisedFor: string;
  brokenSince: string;
  newDay: Act;
  withdraw: Act;
  all: string;
}
