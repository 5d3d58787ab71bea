import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useRouteContext, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, Input, Label, SearchField } from 'react-aria-components';
import { fill } from '../../words/text.ts';
import { Problem } from '../shell/problem.tsx';
import { useWords } from '../words.ts';

const PAGE = 50;

/** All customers, by name. The search is in the URL. */
export function CustomersPage() {
  const words = useWords();
  const { session } = useRouteContext({ from: '__root__' });
  const { search } = useSearch({ from: '/customers' });
  const navigate = useNavigate();
  const [text, setText] = useState(search ?? '');
  const list = useInfiniteQuery({
    queryKey: ['customers', search ?? ''],
    initialPageParam: 1,
    queryFn: async ({ pageParam, signal }) => {
      const params = { per_page: PAGE, page: pageParam, ...(search ? { search } : { sort: 'name' }) };
      const { value } = await session.api.with({ signal }).pages('/customers', params).next();
      return value ?? { items: [], total: 0 };
    },
    getNextPageParam: (last, all) => (all.length * PAGE < last.total ? all.length + 1 : null),
  });
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const total = list.data?.pages.at(-1)?.total ?? 0;
  return (
    <>
      <h1>{words.customers}</h1>
      <SearchField
        value={text}
        onChange={setText}
        onSubmit={(wanted) => navigate({ to: '/customers', search: wanted === '' ? {} : { search: wanted } })}
        onClear={() => navigate({ to: '/customers', search: {} })}
      >
        <Label className="hidden">{words.searchCustomers}</Label>
        <Input placeholder={words.searchCustomers} maxLength={255} />
      </SearchField>
      {list.isError ? (
        <Problem error={list.error} again={() => list.refetch()} />
      ) : list.isPending ? (
        <p role="status">{words.loading}</p>
      ) : rows.length === 0 ? (
        <Empty isSearch={search !== undefined} />
      ) : (
        <>
          <table>
            <thead>
              <tr>
                <th scope="col">{words.name}</th>
                <th scope="col">{words.number}</th>
                <th scope="col">{words.email}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ id, name, number, email }) => (
                <tr key={id}>
                  <th scope="row">
                    <Link to="/customers/$id" params={{ id: String(id) }} dir="auto">
                      {name}
                    </Link>
                  </th>
                  <td>{number}</td>
                  <td>{email ?? words.empty}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="count">{fill(words.shownOf, { shown: rows.length, total })}</p>
          {list.hasNextPage && (
            <Button className="button" onPress={() => list.fetchNextPage()} isPending={list.isFetchingNextPage}>
              {words.more}
            </Button>
          )}
        </>
      )}
    </>
  );
}

/** Says what to do first, or that a search found nothing. */
function Empty({ isSearch }: { isSearch: boolean }) {
  const words = useWords();
  if (isSearch) return <p className="empty">{words.none}</p>;
  return (
    <div className="empty">
      <h2>{words.noneYet}</h2>
      <p>{words.noneYetWhat}</p>
      <pre>
        <code>POST /customers {'{ "name": "…" }'}</code>
      </pre>
    </div>
  );
}
