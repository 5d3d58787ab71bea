/** Texts of documents in one language. Names in braces are placeholders. */
export interface Labels {
  invoice: string;
  estimate: string;
  creditNote: string;
  receipt: string;
  billTo: string;
  shipTo: string;
  receivedFrom: string;
  attention: string;
  /** For a tax id whose kind and country are not known. */
  taxId: string;
  number: string;
  date: string;
  dueDate: string;
  dueOn: string;
  expirationDate: string;
  validUntil: string;
  terms: string;
  net: string;
  dueOnReceipt: string;
  automatically: string;
  /** Payment terms with an early-payment discount, and those of a payment plan. */
  netDiscount: string;
  byPlan: string;
  /** Name of the early-payment discount among the sums, and on the line of the credit note that grants it. */
  earlyDiscount: string;
  /** Sentences about the discount: it comes off what is printed, or it is in what is printed. */
  earlyOffered: string;
  earlyIncluded: string;
  purchaseOrder: string;
  /** Values of custom fields that are true or false. */
  yes: string;
  no: string;
  forInvoice: string;
  customerNumber: string;
  description: string;
  quantity: string;
  unitPrice: string;
  amount: string;
  discount: string;
  tax: string;
  subtotal: string;
  total: string;
  applied: string;
  amountDue: string;
  amountPaid: string;
  amountReceived: string;
  refunded: string;
  balance: string;
  deposit: string;
  unapplied: string;
  appliedTo: string;
  /** Name of the line that raises a negative bill to zero. */
  credited: string;
  /** Descriptions of lines that prorate a change: its credit and its charge. */
  unusedTime: string;
  remainingTime: string;
  /** Descriptions of lines that bill a tier of a plan: the only tier, the first, the last, and those between. */
  anyQuantity: string;
  tierUpTo: string;
  tierFrom: string;
  tierBetween: string;
  /** Descriptions of lines for usage that was reported after the bill of its period: more of it, and less of it. */
  lateUsage: string;
  lateFee: string;
  usageCorrection: string;
  addedToCredit: string;
  paidWithCredit: string;
  paidWithCredits: string;
  convenienceFee: string;
  method: string;
  reference: string;
  methods: Readonly<Record<string, string>>;
  endingIn: string;
  notes: string;
  void: string;
  paid: string;
  draft: string;
  page: string;
  carriedForward: string;
  broughtForward: string;
  lines: string;
  download: string;
  testDocument: string;
  /** On pages of the sandbox that are no documents. */
  testPage: string;
  /** A field of the answer to an estimate: why it is declined. */
  declineReason: string;
  yourAnswer: string;
  initials: string;
  recorded: string;
  approve: string;
  decline: string;
  approved: string;
  approvedBy: string;
  declined: string;
  declinedBy: string;
  tooLate: string;
  changed: string;
  initialsMissing: string;
  answerMissing: string;
  notThere: string;
  notThereWhy: string;
  busy: string;
  busyWhy: string;
  noPdf: string;
  noPdfWhy: string;
  /** Note in a mail to which the PDF could not be attached. */
  noPdfMail: string;
}
