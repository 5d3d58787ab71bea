import { documentationOf, documented } from '../documented.ts';
import * as fields from '../fields.ts';
import { object } from '../request.ts';

const MOST_APPLICATIONS = 1000;

/** What a part of a payment or charge does. */
const application = object(
  {
    type: fields.required(
      fields.described(
        fields.choice('invoice', 'applied_credit', 'convenience_fee', 'credit', 'credit_note', 'estimate'),
        'invoice: pays one; credit: adds to the credit balance; applied_credit: spends it on a document',
      ),
    ),
    amount: fields.required(fields.positiveAmount),
    invoice: fields.id,
    document_type: fields.described(
      fields.choice('invoice', 'estimate'),
      'What applied_credit pays; the one whose id is given unless said',
    ),
  },
  { readOnly: ['id', 'object'], later: { estimate: null, credit_note: null } },
);

interface Problem {
  message: string;
  path: string;
}

/** What does not go together in an application; null: nothing. */
function problemOf(sent: {
  type: string;
  invoice?: number | null | undefined;
  document_type?: string | null | undefined;
}): Problem | null {
  const { type, invoice, document_type: documentType } = sent;
  switch (type) {
    case 'invoice':
    case 'applied_credit':
      if (documentType === 'estimate') return { message: 'estimate is not supported yet', path: 'document_type' };
      return invoice ? null : { message: 'missing', path: 'invoice' };
    case 'credit':
      return invoice ? { message: 'is not named where money goes to the credit balance', path: 'invoice' } : null;
    default:
      return { message: `${type} is not supported yet`, path: 'type' };
  }
}

const supported = ['invoice', 'credit', 'applied_credit'] as const;

const checked = application.transform((sent, context) => {
  const problem = problemOf(sent);
  if (problem) context.addIssue({ code: 'custom', message: problem.message, path: [problem.path] });
  const type = supported.find((known) => known === sent.type) ?? 'invoice';
  return { type, amount: sent.amount, invoiceId: sent.invoice ?? null };
});

export const applications = fields.described(
  fields.list(documented(checked, documentationOf(application)), MOST_APPLICATIONS),
  'What it does; amounts must not exceed its own. Credit that it spends is part of its amount, and no money',
);
