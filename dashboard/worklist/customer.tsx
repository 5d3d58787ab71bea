import { useQuery } from '@tanstack/react-query';
import { Link, useRouteContext } from '@tanstack/react-router';
import { fill } from '../../words/text.ts';
import { Panel } from '../customers/panel.tsx';
import { useFormats } from '../formats.ts';
import { Money } from '../lists/value.tsx';
import { useCaringWords, useFormWords, useWords } from '../words.ts';
import { useWorkWords } from './words.ts';

/** More invoices are on the page of the customer, and are not promised at once. */
export const MOST_INVOICES = 20;
const MOST_CONTACTS = 10;
/** The customer itself among the people to call. */
const OWN = 'own';

/** Whom to call, and what the customer owes. */
export function CustomerFacts({ id }: { id: number }) {
  const words = useWorkWords();
  const { care } = useFormWords();
  const caring = useCaringWords();
  const { fields } = useWords();
  const { session } = useRouteContext({ from: '__root__' });
  const read = useQuery({
    queryKey: ['customer to call', id],
    queryFn: async ({ signal }) => {
      const api = session.api.with({ signal });
      const [customer, contacts] = await Promise.all([
        api.get('/customers/{id}', { id, include: 'balances' }),
        api.get('/customers/{customer_id}/contacts', { customer_id: id, sort: 'name', per_page: MOST_CONTACTS }),
      ]);
      return { customer, contacts };
    },
  });
  const { customer, contacts = [] } = read.data ?? {};
  const people = customer
    ? [
        { key: OWN, name: customer.name, phone: customer.phone, email: customer.email },
        ...contacts
          .map(({ id: key, name, phone, email }) => ({ key: String(key), name, phone, email }))
          .filter(({ phone, email }) => phone || email),
      ]
    : [];
  return (
    <Panel title={fields.customer} error={read.error}>
      {customer && (
        <>
          <ul className="people">
            {people.map(({ key, name, phone, email }) => (
              <li key={key}>
                {key === OWN ? (
                  <Link to="/$list/$id" params={{ list: 'customers', id: String(id) }} dir="auto">
                    {name}
                  </Link>
                ) : (
                  <span dir="auto">{name}</span>
                )}
                {phone && (
                  <a
                    href={`tel:${phone.replace(/[^+\d]/g, '')}`}
                    dir="ltr"
                    aria-label={fill(words.call, { name, phone })}
                  >
                    {phone}
                  </a>
                )}
                {email && (
                  <a href={`mailto:${email}`} dir="ltr">
                    {email}
                  </a>
                )}
              </li>
            ))}
          </ul>
          {people.every(({ phone }) => !phone) && <p className="none">{words.noPhone}</p>}
          <ul className="owes">
            {(customer.balances ?? []).map(({ currency, balance, overdue }) => (
              <li key={currency}>
                {care.outstanding}{' '}
                <strong>
                  <Money amount={balance} currency={currency} />
                </strong>
                {overdue > 0 && (
                  <span className="bad">
                    {' · '}
                    {caring.overdue} <Money amount={overdue} currency={currency} />
                  </span>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

/** The open invoices of a customer, the oldest first. */
export function useOpenInvoices(customer: number | null) {
  const { session } = useRouteContext({ from: '__root__' });
  return useQuery({
    queryKey: ['invoices to call for', customer],
    queryFn: async ({ signal }) => {
      const found = await session.api.with({ signal }).get('/invoices', {
        filter: { customer: customer ?? 0, closed: false, paid: false },
        sort: 'due_date asc',
        per_page: MOST_INVOICES + 1,
      });
      return found.filter(({ draft, balance }) => !draft && balance > 0);
    },
    enabled: customer !== null,
  });
}

export function OpenInvoices({ customer }: { customer: number }) {
  const words = useWorkWords();
  const formats = useFormats();
  const read = useOpenInvoices(customer);
  return (
    <Panel title={words.invoices} error={read.error}>
      {read.data?.length === 0 && <p className="none">{words.noInvoices}</p>}
      <ul className="open-invoices">
        {read.data?.slice(0, MOST_INVOICES).map(({ id, number, balance, currency, due_date: due }) => (
          <li key={id}>
            <Link to="/$list/$id" params={{ list: 'invoices', id: String(id) }} dir="auto">
              {number ?? id}
            </Link>
            <span>{due === null ? '' : fill(words.due, { day: formats.day(due) })}</span>
            <span className="figure">
              <Money amount={balance} currency={currency} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
