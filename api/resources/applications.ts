import { type DocumentTable, documentTables } from '../../billing/documents/document.ts';
import { documentationOf, documented } from '../body/documented.ts';
import * as fields from '../body/fields.ts';
import { object } from '../body/request.ts';

const MOST_APPLICATIONS = 1000;

/** One application of a payment or charge. */
const application = object(
  {
    type: fields.required(
      fields.described(
        fields.choice('invoice', 'applied_credit', 'convenience_fee', 'credit', 'credit_note', 'estimate'),
        '`invoice`: money pays an invoice; `estimate`: money becomes a deposit; `credit`: money, or with `credit_note` a credit note, goes to the credit balance; `applied_credit`: the credit balance pays an invoice or a deposit, or with both ids a deposit pays the invoice; `credit_note`: a credit note pays an invoice or a deposit; `convenience_fee`: money is the fee for paying by credit card, only in charges',
      ),
    ),
    amount: fields.required(
      fields.described(fields.positiveAmount, 'Amount of this application; in major currency units'),
    ),
    invoice: fields.id,
    estimate: fields.id,
    credit_note: fields.id,
    document_type: fields.described(
      fields.choice('invoice', 'estimate'),
      'Kind of document that `applied_credit` or `credit_note` pays; default: the one whose id is given',
    ),
  },
  { readOnly: ['id', 'object'] },
);

interface Sent {
  type: string;
  invoice?: number | null | undefined;
  estimate?: number | null | undefined;
  credit_note?: number | null | undefined;
  document_type?: string | null | undefined;
}

interface Problem {
  message: string;
  path: string;
}

/** The error in a combination of fields. Null when there is none. */
function problemOf(sent: Sent): Problem | null {
  switch (sent.type) {
    case 'invoice':
      return unnamed(sent, 'credit_note', 'estimate') ?? missing(sent, 'invoice');
    case 'estimate':
      return unnamed(sent, 'credit_note', 'invoice') ?? missing(sent, 'estimate');
    case 'applied_credit':
      return unnamed(sent, 'credit_note', ...notBeside(sent)) ?? missing(sent, paidBy(sent));
    case 'credit_note':
      return missing(sent, 'credit_note') ?? unnamed(sent, ...notBeside(sent)) ?? missing(sent, paidBy(sent));
    case 'credit':
      return unnamed(sent, 'invoice', 'estimate');
    default:
      return unnamed(sent, ...documentTables);
  }
}

/** The type of document that a credit pays. */
function paidBy({ document_type: said, invoice, estimate }: Sent): 'invoice' | 'estimate' {
  if (said === 'invoice' || said === 'estimate') return said;
  return estimate && !invoice ? 'estimate' : 'invoice';
}

/** Fields that may not be combined with the document that a credit pays. With both ids, the estimate's deposit pays the invoice. */
function notBeside(sent: Sent): DocumentTable[] {
  if (paidBy(sent) === 'estimate') return ['invoice'];
  return sent.type === 'credit_note' ? ['estimate'] : [];
}

function missing(sent: Sent, path: DocumentTable): Problem | null {
  return sent[path] ? null : { message: 'missing', path };
}

function unnamed(sent: Sent, ...paths: DocumentTable[]): Problem | null {
  const path = paths.find((name) => sent[name]);
  return path ? { message: `does not belong in an application of type ${sent.type}`, path } : null;
}

const supported = ['invoice', 'credit', 'estimate', 'applied_credit', 'credit_note', 'convenience_fee'] as const;

const checked = application.transform((sent, context) => {
  const problem = problemOf(sent);
  if (problem) context.addIssue({ code: 'custom', message: problem.message, path: [problem.path] });
  const known = supported.find((name) => name === sent.type) ?? 'invoice';
  const { invoice, estimate } = sent;
  // With both, the estimate's deposit pays its invoice.
  const isDeposit = known === 'applied_credit' && invoice && estimate;
  return {
    type: isDeposit ? ('deposit' as const) : known,
    amount: sent.amount,
    invoiceId: invoice ?? null,
    estimateId: estimate ?? null,
    creditNoteId: sent.credit_note ?? null,
  };
});

export const applications = fields.described(
  fields.list(documented(checked, documentationOf(application)), MOST_APPLICATIONS),
  'Applications: the parts of the amount and their use. Their sum must not exceed the amount, which includes the used credit',
);
