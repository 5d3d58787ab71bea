import { useQuery } from '@tanstack/react-query';
import { Link, useRouteContext } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { useMemberName } from '../forms/options.ts';
import { kindOfObject } from '../kinds/all.ts';
import { Money } from '../lists/value.tsx';
import { can } from '../session.ts';
import { useFormWords } from '../words.ts';
import { ActOn } from './acting.tsx';
import { CustomerFacts, OpenInvoices } from './customer.tsx';
import type { Acting } from './form.tsx';
import { type ActName, actsOn, type Item, keyOf, nameOf } from './items.ts';
import { useWorkWords } from './words.ts';
import './item.css';

interface Shown extends Omit<Acting, 'item'> {
  item: Item;
  begun: ActName | null;
  begin(act: ActName): void;
  /** Leads back to the list, on a phone. */
  back(): void;
}

/** The item that is open: why it waits, what can be done, and what is known of its customer. */
export function OpenItem({ item, begun, begin, back, ...acting }: Shown) {
  const words = useWorkWords();
  const { me } = useRouteContext({ from: '__root__' });
  const { customer, money_at_risk: amount, currency } = item;
  return (
    <section className="item" aria-labelledby="open-item">
      <Button className="plain to-list" onPress={back}>
        {words.back}
      </Button>
      <header>
        <h2 id="open-item" tabIndex={-1} dir="auto">
          {nameOf(item)}
        </h2>
        {amount !== null && (
          <p className="big">
            <Money amount={amount} currency={currency} />
          </p>
        )}
      </header>
      <p dir="auto">{item.why}</p>
      <Facts item={item} />
      <ActButtons acts={actsOn(item, me)} begin={begin} begun={begun} />
      {begun !== null && <ActOn key={begun} act={begun} item={item} {...acting} />}
      {customer !== null && can(me, 'customers.read') && <CustomerFacts id={customer} />}
      {customer !== null && can(me, 'documents.read') && <OpenInvoices customer={customer} />}
    </section>
  );
}

function Facts({ item }: { item: Item }) {
  const words = useWorkWords();
  const formats = useFormats();
  const { kind, user_id: user, due_at: due, since, title, subject, customer_name: name } = item;
  return (
    <ul className="particulars">
      <li className={`kind ${kind}`}>{words.kind[kind]}</li>
      {name && (
        <li dir="auto">
          {kind === 'problem' ? (
            <Blocked id={subject.id}>{title}</Blocked>
          ) : (
            <Subject object={subject.object} id={subject.id}>
              {title}
            </Subject>
          )}
        </li>
      )}
      {due !== null && <li>{fill(words.by, { day: formats.day(due) })}</li>}
      <li>{fill(words.since, { day: formats.day(since) })}</li>
      <li dir="auto">{user === null ? words.nobody : <MemberName id={String(user)} />}</li>
    </ul>
  );
}

const MemberName = ({ id }: { id: string }) => useMemberName(id);

/** A link to the object, if it has a page. */
function Subject({ object, id, children }: { object: string; id: number; children: ReactNode }) {
  const kind = kindOfObject(object);
  if (!kind) return children;
  return (
    <Link to="/$list/$id" params={{ list: kind.list, id: String(id) }}>
      {children}
    </Link>
  );
}

/** The step of a problem, as a link to the object whose process is blocked. */
function Blocked({ id, children }: { id: number; children: ReactNode }) {
  const { session } = useRouteContext({ from: '__root__' });
  const read = useQuery({
    queryKey: ['problem', id],
    queryFn: ({ signal }) => session.api.with({ signal }).get('/problems/{id}', { id }),
    retry: false,
  });
  const { object = '', id: blocked = 0 } = read.data?.subject ?? {};
  return (
    <Subject object={object.replace(/_pdf$/, '')} id={blocked}>
      {children}
    </Subject>
  );
}

/** The buttons of what can be done, each with its key. */
function ActButtons({
  acts,
  begin,
  begun,
}: {
  acts: readonly ActName[];
  begin(act: ActName): void;
  begun: ActName | null;
}) {
  const words = useWorkWords();
  const { care } = useFormWords();
  if (acts.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a legend and a border of its own
    <div role="group" aria-label={care.acts} className="tools">
      {acts.map((name, place) => (
        <Button
          key={name}
          className={place === 0 ? '' : 'secondary'}
          aria-keyshortcuts={keyOf[name]}
          aria-expanded={name === begun}
          onPress={() => begin(name)}
        >
          {words.acts[name]} <kbd>{keyOf[name].toUpperCase()}</kbd>
        </Button>
      ))}
    </div>
  );
}
