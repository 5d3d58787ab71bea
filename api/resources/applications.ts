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
        'invoice: money pays one; credit: money, or a credit note, goes to the credit balance; applied_credit: the credit balance pays a document; credit_note: a credit note does',
      ),
    ),
    amount: fields.required(fields.positiveAmount),
    invoice: fields.id,
    credit_note: fields.id,
    document_type: fields.described(
      fields.choice('invoice', 'estimate'),
      'What applied_credit or credit_note pays; the one whose id is given unless said',
    ),
  },
  { readOnly: ['id', 'object'], later: { estimate: null } },
);

interface Sent {
  type: string;
  invoice?: number | null | undefined;
  credit_note?: number | null | undefined;
  document_type?: string | null | undefined;
}

interface Problem {
  message: string;
  path: string;
}

/** What does not go together in an application; null: nothing. */
function problemOf(sent: Sent): Problem | null {
  switch (sent.type) {
    case 'invoice':
      return unnamed(sent, 'credit_note') ?? missing(sent, 'invoice');
    case 'applied_credit':
      return unnamed(sent, 'credit_note') ?? notYet(sent) ?? missing(sent, 'invoice');
    case 'credit_note':
      return missing(sent, 'credit_note') ?? notYet(sent) ?? missing(sent, 'invoice');
    case 'credit':
      return unnamed(sent, 'invoice');
    default:
      return { message: `${sent.type} is not supported yet`, path: 'type' };
  }
}

function missing(sent: Sent, path: 'invoice' | 'credit_note'): Problem | null {
  return sent[path] ? null : { message: 'missing', path };
}

function unnamed(sent: Sent, path: 'invoice' | 'credit_note'): Problem | null {
  return sent[path] ? { message: `has no place in an application of type ${sent.type}`, path } : null;
}

function notYet(sent: Sent): Problem | null {
  return sent.document_type === 'estimate' ? { message: 'estimate is not supported yet', path: 'document_type' } : null;
}

const supported = ['invoice', 'credit', 'applied_credit', 'credit_note'] as const;

const checked = application.transform((sent, context) => {
  const problem = problemOf(sent);
  if (problem) context.addIssue({ code: 'custom', message: problem.message, path: [problem.path] });
  const type = supported.find((known) => known === sent.type) ?? 'invoice';
  return { type, amount: sent.amount, invoiceId: sent.invoice ?? null, creditNoteId: sent.credit_note ?? null };
});

export const applications = fields.described(
  fields.list(documented(checked, documentationOf(application)), MOST_APPLICATIONS),
  'What it does; amounts must not exceed its own. Credit that it spends is part of its amount, and no money',
);
