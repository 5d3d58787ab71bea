import type { ChoiceWords, FieldLabels, PlaceWords } from './naming.ts';

/** Texts of the dashboard in one language. Names in braces are placeholders. */
export interface DashboardWords {
  dashboard: string;
  skip: string;
  account: string;
  live: string;
  sandbox: string;
  /** The link that changes the environment, by the one that it leads to. */
  toLive: string;
  toSandbox: string;
  sandboxNote: string;
  security: string;
  language: string;
  signOut: string;
  /** The lists and pages that the frame leads to. */
  menu: string;
  place: PlaceWords;
  home: string;
  worklist: string;
  collections: string;
  fields: FieldLabels;
  choices: ChoiceWords;
  yes: string;
  no: string;
  /** A field without a value. */
  empty: string;
  loading: string;
  offline: string;
  failed: string;
  tryAgain: string;
  forbidden: string;
  notFound: string;
  none: string;
  /** An account has no object of a list yet. */
  noneYet: string;
  noneYetWhat: string;
  selected: string;
  clearSelection: string;
  selectAll: string;
  selectRow: string;
  search: string;
  searchIn: string;
  filters: string;
  addFilter: string;
  removeFilter: string;
  clearFilters: string;
  apply: string;
  is: string;
  contains: string;
  from: string;
  to: string;
  /** Which days a filter asks for: some that move on with the calendar, or fixed ones. */
  period: string;
  fixedDays: string;
  isEmpty: string;
  isNotEmpty: string;
  columns: string;
  resetColumns: string;
  /** A text that is no number, with one that is. */
  notNumber: string;
  /** Of an amount such as `1.000`: `{whole}` 1000, `{exact}` 1.00. */
  twoNumbers: string;
  resize: string;
  moveUp: string;
  moveDown: string;
  views: string;
  saveView: string;
  viewSaved: string;
  /** The name of a view after the list was changed. */
  viewChanged: string;
  deleteView: string;
  viewName: string;
  shared: string;
  sharedWhat: string;
  save: string;
  cancel: string;
  close: string;
  csv: string;
  preparing: string;
  backToList: string;
  copyId: string;
  copied: string;
  /** How an automatic payment stands that failed. */
  failedNext: string;
  failedLast: string;
  nextStep: string;
  facts: string;
  showAll: string;
  showMore: string;
  timeline: string;
  upcoming: string;
  happened: string;
  nothingHappened: string;
  audit: string;
  auditEmpty: string;
  auditBy: string;
  asApi: string;
  asApiWhat: string;
  json: string;
  curlReads: string;
  curlMakes: string;
  copy: string;
  pdf: string;
  customerPage: string;
  clockToday: string;
  more: string;
  lines: string;
  lineName: string;
  payments: string;
  /** Somebody whose name the person may not read. */
  otherColleague: string;
  currencyOfBalances: string;
  acts: ActWords;
}

/** Acts on many objects of a list at once. */
export interface ActWords {
  act: string;
  send: string;
  remind: string;
  assign: string;
  statement: string;
  void: string;
  write_off: string;
  csv: string;
  /** The title of the question before an act. */
  onCount: string;
  jobs: string;
  allMatching: string;
  owner: string;
  nobody: string;
  reason: string;
  start: string;
  waiting: string;
  progress: string;
  done: string;
  failed: string;
  canceled: string;
  refused: string;
  /** Beside it stand `done`, what was not refused, and `refused`. */
  doneSome: string;
  noneRefused: string;
  stop: string;
  file: string;
}
