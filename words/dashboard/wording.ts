/** Texts of the dashboard in one language. Names in braces are placeholders. */
export interface DashboardWords {
  dashboard: string;
  skip: string;
  places: string;
  account: string;
  live: string;
  sandbox: string;
  /** The button that changes the environment, by the one that it leads to. */
  toLive: string;
  toSandbox: string;
  sandboxNote: string;
  security: string;
  customers: string;
  name: string;
  number: string;
  email: string;
  currency: string;
  created: string;
  search: string;
  searchCustomers: string;
  loading: string;
  more: string;
  none: string;
  noneYet: string;
  noneYetWhat: string;
  notFound: string;
  backToList: string;
  offline: string;
  failed: string;
  tryAgain: string;
  forbidden: string;
  shownOf: string;
  copyId: string;
  copied: string;
  facts: string;
  address: string;
  phone: string;
  terms: string;
  autopay: string;
  yes: string;
  no: string;
  empty: string;
}
