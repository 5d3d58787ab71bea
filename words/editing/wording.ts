import type { PlaceWords } from '../dashboard/naming.ts';

/** Texts of forms in the dashboard, and of what people do for customers. Names in braces are placeholders. */
export interface FormWords {
  /** Buttons and titles of the forms that make an object, by its list. */
  newOf: PlaceWords;
  edit: string;
  /** Title of a form that changes an object. */
  change: string;
  create: string;
  saving: string;
  uploading: string;
  required: string;
  field: string;
  notSaved: string;
  isMissing: string;
  notEmail: string;
  draftRestored: string;
  discard: string;
  /** Somebody else changed the object meanwhile. */
  staleTitle: string;
  staleWhat: string;
  yours: string;
  stored: string;
  keepMine: string;
  takeTheirs: string;
  unchanged: string;
  saveAgain: string;
  /** The session has ended, or is too old for what was asked. */
  signInTitle: string;
  signInWhat: string;
  signInLink: string;
  signedIn: string;
  otherPerson: string;
  nobody: string;
  nothingFound: string;
  clearField: string;
  metadata: string;
  metadataHint: string;
  addPair: string;
  pairKey: string;
  pairValue: string;
  removePair: string;
  customer: CustomerWords;
  care: CareWords;
}

/** The form of a customer. */
export interface CustomerWords {
  who: string;
  numberHint: string;
  address: string;
  address1: string;
  address2: string;
  postalCode: string;
  city: string;
  state: string;
  billing: string;
  ofAccount: string;
  termsHint: string;
  creditLimitHint: string;
  autopay: string;
  collections: string;
  noParent: string;
  fittingCadence: string;
  chase: string;
  further: string;
  notesHint: string;
}

/** One thing to do for a customer: its button, the title of its dialog, what it means, and what is told when it is done. */
export interface ActWords {
  act: string;
  what: string;
  done: string;
}

export interface CareWords {
  acts: string;
  call: ActWords;
  note: ActWords;
  task: ActWords;
  completed: ActWords;
  statement: ActWords;
  assign: ActWords;
  hold: ActWords;
  release: ActWords;
  promise: ActWords;
  merge: ActWords;
  portal: ActWords;
  addContact: ActWords;
  changeContact: ActWords;
  removeContact: ActWords;
  addSource: ActWords;
  defaultSource: ActWords;
  removeSource: ActWords;
  taskName: string;
  callName: string;
  callAgain: string;
  said: string;
  saidHint: string;
  next: string;
  nextDay: string;
  nextHow: string;
  nextWhat: string;
  how: string;
  day: string;
  assignee: string;
  text: string;
  statementType: { balance_forward: string; open_item: string };
  kind: string;
  from: string;
  until: string;
  recipients: string;
  recipientsHint: string;
  subject: string;
  subjectHint: string;
  message: string;
  messageHint: string;
  statementSays: string;
  statementPdf: string;
  invoice: string;
  noInvoices: string;
  promisedDay: string;
  mergeWith: string;
  mergeConfirm: string;
  mergeMismatch: string;
  mergeMoves: string;
  openPortal: string;
  openPortalWhat: string;
  balances: string;
  outstanding: string;
  dueNow: string;
  credits: string;
  pastDue: string;
  owesNothing: string;
  contacts: string;
  noContacts: string;
  primary: string;
  jobTitle: string;
  department: string;
  portalRole: string;
  portalRoles: { pay: string; view: string };
  noPortal: string;
  sources: string;
  sourceMethods: { credit_card: string; ach: string };
  noSources: string;
  expires: string;
  isDefault: string;
  verified: string;
  unverified: string;
  chasing: string;
  chasingOff: string;
  chasingPaused: string;
  cadence: string;
  fitting: string;
  nextStep: string;
  firstStep: string;
  notes: string;
  noNotes: string;
  tasks: string;
  noTasks: string;
  due: string;
  onHold: string;
  card: string;
  bankAccount: string;
  makeDefault: string;
  remove: string;
}
