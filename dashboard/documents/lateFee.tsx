import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { ApiError, type Client } from '../../client/index.ts';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import type { FormField } from '../forms/field.ts';
import { FieldError } from '../forms/saving.ts';
import type { Row } from '../kinds/kind.ts';
import { currencyOf, Money } from '../lists/value.tsx';
import type { Begun } from '../objects/acts.tsx';
import type { Own } from '../objects/read.ts';
import { can, type Me } from '../session.ts';
import { ErrorNote } from '../shell/problem.tsx';
import { useSettled } from '../shell/settled.ts';
import { useWords } from '../words.ts';
import { digitsOf, sentNumber } from '../written.ts';
import { DocumentAct } from './act.tsx';
import { afterCredit, hasLateFees, type LateFees, lateFeesOf, removalOf } from './lateFees.ts';
import { useInvoicingWords } from './words.ts';

/** The late fees of an invoice with what was taken back of them, as far as the person may see that. */
async function readLateFees(api: Client, me: Me, { id, row }: Own): Promise<LateFees> {
  const notes: Row[] = [];
  const ofInvoice = Object.assign({ per_page: 100 }, { 'filter[invoice]': id });
  if (can(me, 'corrections.read'))
    for await (const note of api.list('/credit_notes', ofInvoice)) notes.push({ ...note });
  return lateFeesOf(row, notes);
}

/** The late fees of an invoice; null: it has none, or they are being read. */
export function useLateFees(own: Own): LateFees | null {
  const { session, me } = useRouteContext({ from: '__root__' });
  const read = useQuery({
    queryKey: ['late fees', own.id, own.etag],
    queryFn: () => readLateFees(session.api, me, own),
    enabled: own.row.object === 'invoice' && can(me, 'corrections.write') && hasLateFees(own.row),
  });
  return read.data ?? null;
}

const SETTLED_MILLISECONDS = 250;

/** Takes late fees of an invoice back by a credit note. What the invoice then owes is shown before. */
export function RemoveLateFee(begun: Begun) {
  const words = useInvoicingWords();
  const { fields: labels } = useWords();
  const formats = useFormats();
  const { session, me } = useRouteContext({ from: '__root__' });
  const known = useLateFees(begun);
  if (known === null) return null;
  const { row } = begun;
  const currency = currencyOf(row) ?? '';
  const whole = formats.typedNumber(digitsOf(known.left));
  const fields: FormField[] = [
    { name: 'amount', label: labels.amount, kind: 'money', isRequired: true, initial: whole },
    { name: 'notes', label: labels.reason, kind: 'text', isWide: true, hint: words.reasonHint },
  ];
  const refuse = (left: number) => {
    throw new FieldError('amount', fill(words.feesLeft, { amount: formats.money(left, currency) }));
  };
  return (
    <DocumentAct
      name="removeLateFee"
      list="invoices"
      begun={begun}
      sections={[{ title: null, fields }]}
      beside={({ amount, notes }) => {
        const sent = { amount: sentNumber(String(amount), formats), notes: String(notes), fees: known.fees };
        return <Foreseen known={known} invoice={row} body={removalOf(row, sent)} />;
      }}
      save={async ({ api, values: { amount, notes } }) => {
        const sent = sentNumber(String(amount), formats);
        if (!(Number(sent) > 0)) refuse(known.left);
        const body = removalOf(row, { amount: sent, notes: String(notes), fees: known.fees });
        return api.post('/credit_notes', body).catch(async (error) => {
          if (!(error instanceof ApiError && error.code === 'amount_too_large')) throw error;
          const { left } = await readLateFees(session.api, me, begun); // others may have removed fees meanwhile
          if (Number(sent) > left) refuse(left);
          throw error;
        });
      }}
    />
  );
}

interface Shown {
  known: LateFees;
  invoice: Row;
  body: ReturnType<typeof removalOf>;
}

/** The fees, and what the invoice owes without them, by a dry run of the credit note. */
function Foreseen({ known: { fees, removed }, invoice, body }: Shown) {
  const words = useInvoicingWords();
  const { fields: labels } = useWords();
  const { session } = useRouteContext({ from: '__root__' });
  const settled = useSettled(body, SETTLED_MILLISECONDS);
  const isAmount = body.items.every(({ unit_cost: amount }) => amount > 0);
  const dryRun = useQuery({
    queryKey: ['late fee removal', settled],
    queryFn: ({ signal }) => session.api.with({ signal }).post('/credit_notes', settled, { dry_run: true }),
    enabled: isAmount,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const currency = currencyOf(invoice);
  const { balance } = invoice;
  const owed = typeof balance === 'number' ? balance : 0;
  const credit = dryRun.isError || !isAmount ? undefined : dryRun.data?.credit_note.total;
  const then = credit === undefined ? null : afterCredit(owed, credit);
  const sums: [key: string, name: string, amount: number][] = [
    ...fees.map(({ id, name, amount }): [string, string, number] => [id, name, amount]),
    ...(removed > 0 ? [['removed', words.removedBefore, -removed] satisfies [string, string, number]] : []),
    ['owed', labels.balance, owed],
    ...(then && then.rest > 0 ? [['rest', words.toCredit, then.rest] satisfies [string, string, number]] : []),
    ...(then ? [['then', words.balanceThen, then.balance] satisfies [string, string, number]] : []),
  ];
  return (
    <div className="preview">
      {dryRun.isError && <ErrorNote error={dryRun.error} />}
      <dl className="sums" aria-live="polite" aria-busy={dryRun.isFetching}>
        {sums.map(([key, name, amount]) => (
          <div key={key}>
            <dt dir="auto">{name}</dt>
            <dd>
              <Money amount={amount} currency={currency} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
