import { useQuery } from '@tanstack/react-query';
import { Link, useRouteContext } from '@tanstack/react-router';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import type { Option } from '../forms/codes.ts';
import { PROMISE, useMembers, usePromiseFields } from '../forms/options.ts';
import { type Row, textOf } from '../kinds/kind.ts';
import { Problem } from '../shell/problem.tsx';
import { useCaringWords, useFormWords, useWords } from '../words.ts';
import { ActDialog, type Begun } from './act.tsx';
import { useReadOnce, writeAsSeen } from './asSeen.ts';

export function Assign(begun: Begun) {
  const { nobody, care } = useFormWords();
  const { noOwner } = useCaringWords();
  const { fields } = useWords();
  const owner = textOf(begun.row, 'owner');
  const members = useMembers(owner || null);
  return (
    <ActDialog
      name="assign"
      begun={begun}
      row={begun.row}
      etag={begun.etag}
      sections={[
        {
          title: null,
          fields: [
            {
              name: 'owner',
              label: fields.owner,
              kind: 'choice',
              isId: true,
              choices: members,
              none: nobody,
              isWide: true,
            },
          ],
        },
      ]}
      told={(answer) => (isOwned(answer) ? care.assign.done : noOwner)}
      save={({ api, body }) => api.patch('/customers/{id}', Object.assign({}, body), { id: Number(begun.id) })}
    />
  );
}

const isOwned = (customer: unknown): boolean =>
  typeof customer === 'object' && customer !== null && 'owner' in customer && customer.owner !== null;

export function Hold(begun: Begun) {
  const { hold } = useCaringWords();
  return (
    <ActDialog
      name="hold"
      begun={begun}
      etag={begun.etag}
      sections={[
        {
          title: null,
          fields: [
            { name: 'credit_hold_reason', label: hold.reason, hint: hold.reasonHint, kind: 'text', isWide: true },
          ],
        },
      ]}
      save={({ api, body }) =>
        api.patch('/customers/{id}', Object.assign({ credit_hold: true }, body), { id: Number(begun.id) })
      }
    />
  );
}

export function Release(begun: Begun) {
  return (
    <ActDialog
      name="release"
      begun={begun}
      save={({ api }) => api.patch('/customers/{id}', { credit_hold: false }, { id: Number(begun.id) })}
    />
  );
}

/** The day on which an invoice is promised to be paid. */
function promisedIn({ [PROMISE]: promise }: Row): number | null {
  return typeof promise === 'object' && promise !== null && 'date' in promise && typeof promise.date === 'number'
    ? promise.date
    : null;
}

/** Notes that the customer pays one of its open invoices on a day. */
export function PromiseToPay(begun: Begun) {
  const { care } = useFormWords();
  const { promiseNoted } = useCaringWords();
  const { fields } = useWords();
  const promise = usePromiseFields();
  const formats = useFormats();
  const { session } = useRouteContext({ from: '__root__' });
  const readChosen = useReadOnce((id) => session.api.full('get', '/invoices/{id}', { id }));
  const invoices = useQuery({
    queryKey: ['open invoices', begun.id],
    queryFn: () =>
      session.api.get('/invoices', {
        filter: { customer: Number(begun.id), closed: false, paid: false },
        sort: 'due_date asc',
        per_page: 100,
      }),
  });
  if (invoices.isError) return <Problem error={invoices.error} again={() => invoices.refetch()} />;
  if (!invoices.data) return null;
  const open = invoices.data.filter(({ balance, draft }) => balance > 0 && !draft);
  const options = open.map(({ id, number, balance, currency, due_date: due, ...invoice }): Option => {
    const promised = promisedIn(invoice);
    const told = [
      String(number ?? id),
      formats.money(balance, currency),
      ...(due ? [formats.day(due)] : []),
      ...(promised === null ? [] : [`${fields.expected_payment_date}: ${formats.day(promised)}`]),
    ];
    return { id: String(id), name: told.join(' · ') };
  });
  const seenOf = (id: number): Row => ({ ...open.find((one) => one.id === id) });
  return (
    <ActDialog
      name="promise"
      begun={begun}
      sections={[
        {
          title: null,
          fields: [
            {
              name: 'invoice',
              label: care.invoice,
              kind: 'choice',
              isRequired: true,
              isWide: true,
              choices: options,
              initial: options.length === 1 ? (options[0]?.id ?? '') : '',
              ...(options.length === 0 ? { hint: care.noInvoices } : {}),
            },
            ...promise,
          ],
        },
      ]}
      save={async ({ writer, body: { invoice, ...promise } }) => {
        const id = Number(invoice);
        return writeAsSeen(writer, {
          read: await readChosen(id),
          change: { id, ...promise },
          field: `${PROMISE}[date]`,
          taken: (current) => {
            const promised = promisedIn(current);
            if (promised === null || promised === promisedIn(seenOf(id))) return null;
            return fill(promiseNoted, { day: formats.day(promised) });
          },
          write: (api) => api.patch('/invoices/{id}', Object.assign({}, promise), { id }),
        });
      }}
    />
  );
}

/** The note of a credit hold: since when, by whom and why, and what it prevents until when. */
export function OnHold({ row }: { row: Row }) {
  const { hold } = useCaringWords();
  return (
    <div className="onhold">
      <HoldStory row={row} />
      <p>{hold.what}</p>
    </div>
  );
}

/** Since when a customer is on hold, by whom and why, as far as it is known. */
export function HoldStory({ row }: { row: Row }) {
  const { hold } = useCaringWords();
  const formats = useFormats();
  const { credit_hold_since: since } = row;
  const [by, reason] = [textOf(row, 'credit_hold_by'), textOf(row, 'credit_hold_reason')];
  const name = useMembers(null).find(({ id }) => id === by)?.name;
  const day = typeof since === 'number' ? formats.day(since) : null;
  return (
    <>
      {day !== null && (
        <strong dir="auto">{name ? fill(hold.sinceBy, { day, name }) : fill(hold.since, { day })}</strong>
      )}{' '}
      {reason !== '' && <span dir="auto">{fill(hold.because, { reason })}</span>}
    </>
  );
}

/** Where everything of a customer is that was merged into another one. */
export function MergedInto({ row: { merged_into: other } }: { row: Row }) {
  const { mergedInto } = useCaringWords();
  const whole: Row = typeof other === 'object' ? { ...other } : { id: other };
  const id = textOf(whole, 'id');
  return (
    <p className="onhold">
      {mergedInto}{' '}
      <Link to="/$list/$id" params={{ list: 'customers', id }} dir="auto">
        {textOf(whole, 'name') || id}
      </Link>
    </p>
  );
}
