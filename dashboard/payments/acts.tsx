import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import type { FormField } from '../forms/field.ts';
import { idIn, type Row, textOf } from '../kinds/kind.ts';
import { currencyOf } from '../lists/value.tsx';
import { ActForm, type ActShown, Acts, type Begun, type Offered } from '../objects/acts.tsx';
import { MailPreview, mailFields, sentMail, useRecipients } from '../objects/mailPreview.tsx';
import { asShown, type Own } from '../objects/read.ts';
import { useFormWords, useWords } from '../words.ts';
import { digitsOf } from '../written.ts';
import { plainOf, unitsOf } from './applied.ts';
import { appliedField, foreseePayment, usePayerField } from './editor.ts';
import { Follows } from './preview.tsx';
import { useReceivingWords } from './words.ts';

type ActName = 'apply' | 'refund' | 'returned' | 'void' | 'receipt';

const unitsIn = (row: Row, name: string): bigint => {
  const value = row[name];
  return (typeof value === 'number' ? unitsOf(digitsOf(value)) : null) ?? 0n;
};

/** The money of a payment that has not gone back. */
const leftOf = (row: Row): bigint => unitsIn(row, 'amount') - unitsIn(row, 'credit') - unitsIn(row, 'amount_refunded');

/** What a person can do to a payment, as far as its permissions allow. */
export function PaymentActs(own: Own) {
  const { acts: words } = useReceivingWords();
  const { voided, charge, pdf_url: receipt } = own.row;
  const isLeft = leftOf(own.row) > 0n;
  const act = (name: ActName, permission: string, Dialog: (begun: Begun) => React.ReactNode): Offered => ({
    name,
    label: words[name].act,
    permissions: [permission],
    does: { Dialog },
  });
  const offered = [
    !voided && act('apply', 'payments.write', Apply),
    typeof receipt === 'string' && act('receipt', 'documents.write', SendReceipt),
    !voided && isLeft && act('refund', 'refunds.write', Refund),
    !voided && isLeft && !charge && act('returned', 'refunds.write', Returned),
    !voided && !(charge && isLeft) && act('void', 'corrections.write', Void),
  ];
  return (
    <div className="care">
      <Acts own={own} offered={offered.filter((one) => one !== false)} />
    </div>
  );
}

function PaymentAct({ name, ...act }: Omit<ActShown, 'words' | 'about'> & { name: ActName }) {
  const { acts } = useReceivingWords();
  const { row, id } = act.begun;
  return (
    <ActForm
      words={acts[name]}
      about={`payments/${id}/${name}`}
      named={textOf(row, 'receipt_number') || textOf(row, 'reference')}
      {...act}
    />
  );
}

/** Gives the money to invoices, or to those of another customer. */
function Apply(begun: Begun) {
  const words = useReceivingWords();
  const payer = usePayerField();
  const { row, id, etag } = begun;
  const applied = appliedField(words.appliedTo, row);
  return (
    <PaymentAct
      name="apply"
      begun={begun}
      row={row}
      etag={etag}
      sections={[{ title: null, fields: row.charge ? [applied] : [payer, applied] }]}
      beside={(_, body) =>
        Object.keys(body).length > 0 && (
          <Follows about={id} asked={body} read={(api, asked) => foreseePayment(api, { id, body: asked })} />
        )
      }
      save={({ api, body }) => api.patch('/payments/{id}', Object.assign({}, body), { id: Number(id) })}
    />
  );
}

/** Sends money back by the gateway that took it, or notes that it was sent. */
const Refund = (begun: Begun) => <MoneyBack begun={begun} name="refund" />;

/** Notes that the bank took a transfer back. */
const Returned = (begun: Begun) => <MoneyBack begun={begun} name="returned" />;

function MoneyBack({ begun, name: act }: { begun: Begun; name: 'refund' | 'returned' }) {
  const { fields, choices } = useWords();
  const words = useReceivingWords();
  const formats = useFormats();
  const { row, id } = begun;
  const left = plainOf(leftOf(row));
  const charge = idIn(row.charge);
  const recorded = { payment: Number(id), amount: 0, method: 'other' as const, returned: act === 'returned' };
  const amount: FormField = {
    name: 'amount',
    label: fields.amount,
    kind: 'money',
    isRequired: true,
    initial: formats.typedNumber(left),
    hint: fill(words.refundLeft, { amount: formats.money(Number(left), currencyOf(row) ?? 'usd') }),
  };
  const sent: FormField[] = [
    {
      name: 'method',
      label: fields.method,
      kind: 'choice',
      isRequired: true,
      initial: textOf(row, 'method'),
      choices: Object.entries(choices.method).map(([one, name]) => ({ id: one, name })),
    },
    { name: 'reference', label: fields.reference, kind: 'text' },
    { name: 'date', label: fields.date, kind: 'day', hint: words.today },
  ];
  return (
    <PaymentAct
      name={act}
      begun={begun}
      isGrave
      sections={[{ title: null, fields: charge === '' ? [amount, ...sent] : [amount] }]}
      beside={(_, body) =>
        charge === '' &&
        body.amount !== undefined && (
          <Follows
            about={id}
            asked={body}
            read={(api, asked) => api.post('/refunds', Object.assign({}, recorded, asked), { dry_run: true as const })}
          />
        )
      }
      save={({ api, body }) =>
        charge === ''
          ? api.post('/refunds', Object.assign({}, recorded, body))
          : api.post('/charges/{id}/refunds', Object.assign({ amount: 0 }, body), { id: Number(charge) })
      }
    />
  );
}

function Void(begun: Begun) {
  const id = Number(begun.id);
  return (
    <PaymentAct
      name="void"
      begun={begun}
      isGrave
      beside={() => (
        <Follows
          about={begun.id}
          asked={{ void: id }}
          read={(api) => api.delete('/payments/{id}', { id, dry_run: true as const })}
        />
      )}
      save={({ api }) => asShown(api, begun).delete('/payments/{id}', { id })}
    />
  );
}

/** Mails the receipt. Who gets it and what it says are shown before. */
function SendReceipt(begun: Begun) {
  const { care } = useFormWords();
  const words = useReceivingWords();
  const names = useRecipients(idIn(begun.row.customer));
  const id = Number(begun.id);
  if (names === null) return null;
  return (
    <PaymentAct
      name="receipt"
      begun={begun}
      sections={[{ title: null, fields: mailFields(care, { addresses: [...names.keys()] }) }]}
      beside={(values) => (
        <MailPreview
          title={words.mail}
          about={`payments/${id}`}
          sent={sentMail(values, names)}
          read={(api, sent) => api.post('/payments/{id}/emails/preview', sent, { id })}
        />
      )}
      save={({ api, values }) => api.post('/payments/{id}/emails', sentMail(values, names), { id })}
    />
  );
}
