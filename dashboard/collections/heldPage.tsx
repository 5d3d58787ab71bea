import { useQuery } from '@tanstack/react-query';
import { Link, useRouteContext } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext, useState } from 'react';
import type { Answer } from '../../client/index.ts';
import { fill } from '../../words/text.ts';
import { HoldStory } from '../customers/standing.tsx';
import { useFormats } from '../formats.ts';
import { PROMISE, usePromiseFields } from '../forms/options.ts';
import { textOf } from '../kinds/kind.ts';
import { ActForm, type Begun, type Offered } from '../objects/acts.tsx';
import { can } from '../session.ts';
import { Problem } from '../shell/problem.tsx';
import { useTitle } from '../shell/title.ts';
import { useWords } from '../words.ts';
import { CollectorActs } from './customerActs.tsx';
import { RowActs } from './rowActs.tsx';
import { useCollectingWords } from './words.ts';
import '../styles/collections.css';

type Invoice = Answer<'get', '/invoices'>[number];
type Customer = Answer<'get', '/customers'>[number];

/** How many of each stand there. The whole list is one click away. */
const MOST_SHOWN = 100;

/** Tells what was done to a row, which may then be gone. */
const Telling = createContext<(text: string) => void>(() => {});

/** Promises of customers, open and broken, and the customers whom nobody asks. */
export function HeldPage() {
  const words = useCollectingWords();
  const { held } = words;
  const { collections } = useWords();
  const { me } = useRouteContext({ from: '__root__' });
  const [told, setTold] = useState('');
  useTitle(words.promises);
  return (
    <Telling value={setTold}>
      <Link className="back" to="/collections">
        {collections}
      </Link>
      <h1>{words.promises}</h1>
      <p>{words.promisesWhat}</p>
      <p role="status" className="told">
        {told}
      </p>
      {can(me, 'documents.read') && (
        <>
          <Promises status="broken" title={held.broken} what={held.brokenWhat} none={held.noBroken} />
          <Promises status="promised" title={held.open} what={held.openWhat} none={held.noOpen} />
        </>
      )}
      {can(me, 'customers.read') && (
        <>
          <Customers filter={{ credit_hold: true }} title={held.onHold} none={held.noHold} />
          <Customers filter={{ chase: false }} title={held.off} what={held.offWhat} none={held.noOff} />
        </>
      )}
    </Telling>
  );
}

interface Titles {
  title: string;
  what?: string;
  none: string;
}

interface GroupShown extends Titles {
  read: { error: Error | null; isPending: boolean; refetch(): unknown };
  count: number;
  all: ReactNode;
  children: ReactNode;
}

function Group({ title, what, none, read, count, all, children }: GroupShown) {
  const { loading } = useWords();
  return (
    <section className="held">
      <h2>{title}</h2>
      {what && count > 0 && <p className="none">{what}</p>}
      {read.error && <Problem error={read.error} again={() => read.refetch()} />}
      {read.isPending && <p role="status">{loading}</p>}
      {!read.isPending && !read.error && count === 0 && <p className="none">{none}</p>}
      {count > 0 && <ul>{children}</ul>}
      {count === MOST_SHOWN && all}
    </section>
  );
}

/** The day for which an invoice is promised, as the API tells it. */
const dayOf = ({ [PROMISE]: promise }: Invoice): number => promise?.date ?? 0;

function Promises({ status, ...titles }: Titles & { status: 'promised' | 'broken' }) {
  const { held: words } = useCollectingWords();
  const { session } = useRouteContext({ from: '__root__' });
  const read = useQuery({
    queryKey: ['list', 'promises', status],
    queryFn: () =>
      session.api.get('/invoices', {
        filter: { expected_payment_status: status, closed: false },
        expand: 'customer',
        per_page: MOST_SHOWN,
      }),
  });
  const invoices = (read.data ?? []).toSorted((one, other) => dayOf(one) - dayOf(other));
  return (
    <Group
      {...titles}
      read={read}
      count={invoices.length}
      all={
        <Link
          to="/$list"
          params={{ list: 'invoices' }}
          search={{ 'filter[expected_payment_status]': status, 'filter[closed]': 'false' }}
        >
          {words.all}
        </Link>
      }
    >
      {invoices.map((invoice) => (
        <Promised key={invoice.id} invoice={invoice} isBroken={status === 'broken'} />
      ))}
    </Group>
  );
}

function Promised({ invoice, isBroken }: { invoice: Invoice; isBroken: boolean }) {
  const { held: words } = useCollectingWords();
  const formats = useFormats();
  const { id, number, name, balance, currency, customer } = invoice;
  const title = number ?? name;
  const offered: Offered[] = [
    {
      name: 'day',
      label: words.newDay.act,
      permissions: ['documents.write'],
      does: { Dialog: NewDay },
    },
    {
      name: 'withdraw',
      label: words.withdraw.act,
      permissions: ['documents.write'],
      does: { Dialog: Withdraw },
    },
  ];
  return (
    <li>
      <div className="whom">
        <Link to="/$list/$id" params={{ list: 'invoices', id: String(id) }} dir="auto">
          {title}
        </Link>
        {typeof customer === 'object' && (
          <Link to="/$list/$id" params={{ list: 'customers', id: String(customer.id) }} dir="auto">
            {customer.name}
          </Link>
        )}
        <strong className="figure">{formats.money(balance, currency)}</strong>
      </div>
      <p className={isBroken ? 'bad' : ''}>
        {fill(isBroken ? words.brokenSince : words.promisedFor, { day: formats.day(dayOf(invoice)) })}
      </p>
      <RowActs list="invoices" id={String(id)} name={title} permissions={['documents.write']} offered={() => offered} />
    </li>
  );
}

/** Notes another day on which the invoice is paid. Nobody who saw an older promise overwrites a newer one. */
function NewDay(begun: Begun) {
  const { held: words } = useCollectingWords();
  const tell = useContext(Telling);
  const fields = usePromiseFields();
  return (
    <ActForm
      words={words.newDay}
      about={`invoices/${begun.id}/day`}
      named={textOf(begun.row, 'number')}
      begun={{ ...begun, tell }}
      etag={begun.etag}
      sections={[{ title: null, fields }]}
      save={({ api, body }) => api.patch('/invoices/{id}', Object.assign({}, body), { id: Number(begun.id) })}
    />
  );
}

function Withdraw(begun: Begun) {
  const { held: words } = useCollectingWords();
  const tell = useContext(Telling);
  return (
    <ActForm
      words={words.withdraw}
      about={`invoices/${begun.id}/withdraw`}
      named={textOf(begun.row, 'number')}
      begun={{ ...begun, tell }}
      etag={begun.etag}
      save={({ api }) => api.patch('/invoices/{id}', { [PROMISE]: null }, { id: Number(begun.id) })}
    />
  );
}

type Held = { credit_hold: true } | { chase: false };

function Customers({ filter, ...titles }: Titles & { filter: Held }) {
  const { held: words } = useCollectingWords();
  const { session } = useRouteContext({ from: '__root__' });
  const isHeld = 'credit_hold' in filter;
  const read = useQuery({
    queryKey: ['list', 'held customers', filter],
    queryFn: () => session.api.get('/customers', { filter, per_page: MOST_SHOWN, sort: 'name', include: 'balances' }),
  });
  const customers = read.data ?? [];
  return (
    <Group
      {...titles}
      read={read}
      count={customers.length}
      all={
        <Link
          to="/$list"
          params={{ list: 'customers' }}
          search={isHeld ? { 'filter[credit_hold]': 'true' } : { 'filter[chase]': 'false' }}
        >
          {words.all}
        </Link>
      }
    >
      {customers.map((customer) => (
        <OnHold key={customer.id} customer={customer} isHeld={isHeld} />
      ))}
    </Group>
  );
}

function OnHold({ customer, isHeld }: { customer: Customer; isHeld: boolean }) {
  const formats = useFormats();
  const { id, name, balances = [] } = customer;
  return (
    <li>
      <div className="whom">
        <Link to="/$list/$id" params={{ list: 'customers', id: String(id) }} dir="auto">
          {name}
        </Link>
        <strong className="figure">
          {balances.map(({ currency, balance }) => formats.money(balance, currency)).join(', ')}
        </strong>
      </div>
      {isHeld && (
        <p>
          <HoldStory row={{ ...customer }} />
        </p>
      )}
      <CollectorActs id={String(id)} name={name} />
    </li>
  );
}
