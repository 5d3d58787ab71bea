/** Texts of what customers do themselves in their portal, in one language. Names in braces are placeholders. */
export interface SelfServiceWords {
  /** The list of subscriptions, and a change with its preview. */
  subscriptions: string;
  none: string;
  change: string;
  changeTitle: string;
  quantityFrom: string;
  atMost: string;
  show: string;
  previewTitle: string;
  countsNow: string;
  countsLater: string;
  nothingNow: string;
  billedNow: string;
  creditedNow: string;
  nextRegular: string;
  regular: string;
  agreeing: string;
  confirm: string;
  outdated: string;
  notPossible: string;
  back: string;
  changed: string;
  planned: string;
  plannedHere: string;
  plannedBy: string;
  takeBack: string;
  tookBack: string;
  /** A cancellation. */
  cancel: string;
  cancelTitle: string;
  whenEnds: string;
  atPeriodEnd: string;
  atOnce: string;
  atOnceHint: string;
  keepsUntil: string;
  whyCancel: string;
  comment: string;
  cancelNow: string;
  keepIt: string;
  willEnd: string;
  hasEnded: string;
  keepAfterAll: string;
  /** A pause. */
  pause: string;
  pauseTitle: string;
  pauseWhy: string;
  resumeOn: string;
  resumeHint: string;
  pauseIt: string;
  willPause: string;
  dontPause: string;
  resume: string;
  resumeWhy: string;
  resumed: string;
  /** Reasons of a cancellation. */
  tooExpensive: string;
  missingFeatures: string;
  quality: string;
  unused: string;
  switched: string;
  temporary: string;
  other: string;
  /** An open invoice: a promised payment. */
  invoiceTitle: string;
  payLater: string;
  payLaterWhy: string;
  payDay: string;
  until: string;
  promise: string;
  promised: string;
  promisedBy: string;
  brokenWhy: string;
  dayWrong: string;
  /** A disputed line. */
  wrongTitle: string;
  wrongWhy: string;
  whatIsWrong: string;
  report: string;
  reported: string;
  reportedBy: string;
  reportedUntil: string;
  wordsMissing: string;
  /** Payment plans. */
  plans: string;
  noPlans: string;
  plansWait: string;
  readAndApprove: string;
  installment: string;
  planState: string;
  planRuns: string;
  /** The people of a customer. */
  people: string;
  peopleWhy: string;
  noPeople: string;
  personName: string;
  role: string;
  rolePay: string;
  rolePayHint: string;
  roleView: string;
  roleViewHint: string;
  addPerson: string;
  addTitle: string;
  saveRole: string;
  removeAccess: string;
  removeWarning: string;
  saved: string;
  removed: string;
  emailTaken: string;
  peopleFull: string;
  /** The companies below a customer. */
  children: string;
  childrenWhy: string;
  noChildren: string;
  nothingOpen: string;
  openOf: string;
  /** On the page of a subscription that anybody with its link may see. */
  toSignIn: string;
}
