import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useRouteContext } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Problem } from '../shell/problem.tsx';
import { useWords } from '../words.ts';

/** One customer. */
export function CustomerPage() {
  const words = useWords();
  const { session } = useRouteContext({ from: '__root__' });
  const id = Number(useParams({ from: '/customers/$id' }).id);
  const one = useQuery({
    queryKey: ['customer', id],
    queryFn: ({ signal }) => session.api.with({ signal }).get('/customers/{id}', { id }),
  });
  if (one.isError) return <Problem error={one.error} again={() => one.refetch()} />;
  if (one.isPending) return <p role="status">{words.loading}</p>;
  const { name, number, email, phone, payment_terms, autopay, ...rest } = one.data;
  const address = [rest.address1, rest.address2, rest.postal_code, rest.city, rest.state, rest.country]
    .filter((part) => part)
    .join(', ');
  return (
    <>
      <p>
        <Link to="/customers" search={{}}>
          {words.backToList}
        </Link>
      </p>
      <h1 dir="auto">{name}</h1>
      <section aria-labelledby="facts">
        <h2 id="facts">{words.facts}</h2>
        <dl>
          <Fact name={words.number}>{number}</Fact>
          <Fact name={words.email}>{email}</Fact>
          <Fact name={words.phone}>{phone}</Fact>
          <Fact name={words.address}>{address}</Fact>
          <Fact name={words.terms}>{payment_terms}</Fact>
          <Fact name={words.autopay}>{autopay ? words.yes : words.no}</Fact>
        </dl>
      </section>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  const words = useWords();
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{children || words.empty}</dd>
    </div>
  );
}
