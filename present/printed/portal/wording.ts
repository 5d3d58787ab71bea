/** Texts of the portal of customers in one language: its frame, sign-in, and overview. Names in braces are placeholders. */
export interface PortalWords {
  /** The places of the portal. */
  menu: string;
  home: string;
  documents: string;
  payments: string;
  statements: string;
  sources: string;
  details: string;
  signOut: string;
  otherCustomer: string;
  backTo: string;
  onlyReading: string;
  /** Signing in. */
  signIn: string;
  signInLead: string;
  email: string;
  sendLink: string;
  lookTitle: string;
  lookWhy: string;
  lookCode: string;
  nothingArrived: string;
  askAgain: string;
  enterAs: string;
  proceed: string;
  code: string;
  codeHint: string;
  codeWrong: string;
  emailWrong: string;
  endedTitle: string;
  endedWhy: string;
  chooseTitle: string;
  chooseWhy: string;
  productTitle: string;
  productWhy: string;
  productReading: string;
  closedTitle: string;
  closedWhy: string;
  triesTitle: string;
  triesWhy: string;
  staleTitle: string;
  staleWhy: string;
  refusedTitle: string;
  refusedWhy: string;
  toHome: string;
  /** The overview. */
  openBalance: string;
  ofItPastDue: string;
  nothingOpen: string;
  whatIsOpen: string;
  creditOf: string;
  allOpen: string;
  payOpen: string;
  /** The mail with the link that signs in. */
  mailSubject: string;
  mailHeading: string;
  mailHere: string;
  mailElse: string;
}
