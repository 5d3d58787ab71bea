import { documentationOf, documented } from '../documented.ts';
import * as fields from '../fields.ts';
import { object } from '../request.ts';

const MOST_APPLICATIONS = 1000;

/** What a payment or charge pays. Invoices for now. */
const application = object(
  {
    type: fields.required(
      fields.choice('invoice', 'applied_credit', 'convenience_fee', 'credit', 'credit_note', 'estimate'),
    ),
    amount: fields.required(fields.positiveAmount),
    invoice: fields.id,
  },
  { readOnly: ['id', 'object'], later: { estimate: null, credit_note: null, document_type: null } },
);

const checked = application.transform(({ type, amount, invoice }, context) => {
  const path = type === 'invoice' ? 'invoice' : 'type';
  const message = type !== 'invoice' ? `${type} is not supported yet` : !invoice ? 'missing' : null;
  if (message) context.addIssue({ code: 'custom', message, path: [path] });
  return { invoiceId: invoice ?? 0, amount };
});

export const applications = fields.described(
  fields.list(documented(checked, documentationOf(application)), MOST_APPLICATIONS),
  'What it pays; amounts must not exceed its own',
);
