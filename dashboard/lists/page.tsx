import { useMutation } from '@tanstack/react-query';
import { useNavigate, useParams, useRouteContext, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { Button, Input, Label, SearchField } from 'react-aria-components';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { NewLink } from '../forms/routes.tsx';
import { kindOfList } from '../kinds/all.ts';
import type { Kind } from '../kinds/kind.ts';
import { PaymentWays } from '../payments/routes.tsx';
import { ErrorNote, NotFound, Problem } from '../shell/problem.tsx';
import { saveFile } from '../shell/taking.tsx';
import { useTitle } from '../shell/title.ts';
import { useWords } from '../words.ts';
import { BulkBar } from './bulk.tsx';
import { Columns } from './columns.tsx';
import { BalanceCurrency } from './currency.tsx';
import { Filters } from './filters.tsx';
import { readCsv, useKindIn, useRows } from './rows.ts';
import { type Chosen, changedTo, NONE, type Selection, toggled } from './selection.ts';
import { filtersIn, type Search, without } from './state.ts';
import { ObjectTable } from './table.tsx';
import { Presets, Views } from './views.tsx';

/** The list of one kind of object. */
export function ListPage() {
  const { list } = useParams({ from: '/$list' });
  const kind = kindOfList(list);
  return kind ? <Known key={list} kind={kind} /> : <NotFound />;
}

function Known({ kind }: { kind: Kind }) {
  const words = useWords();
  const shown = useKindIn(kind, useSearch({ from: '/$list' }));
  return shown ? <List kind={shown} /> : <p role="status">{words.loading}</p>;
}

function useSelection(): Selection {
  const [{ ids, isAll }, setChosen] = useState<Chosen>(NONE);
  const toggle = useCallback((id: string) => setChosen((before) => toggled(before, id)), []);
  const set = useCallback(
    (changed: readonly string[], isSelected: boolean) => setChosen((before) => changedTo(before, changed, isSelected)),
    [],
  );
  const clear = useCallback(() => setChosen(NONE), []);
  const selectAll = useCallback(() => setChosen({ ids: NONE.ids, isAll: true }), []);
  return useMemo(
    () => ({ ids, isAll, selectAll, has: (id) => isAll || ids.has(id), toggle, set, clear }),
    [ids, isAll, selectAll, toggle, set, clear],
  );
}

function List({ kind }: { kind: Kind }) {
  const words = useWords();
  const formats = useFormats();
  const { session } = useRouteContext({ from: '__root__' });
  const search = useSearch({ from: '/$list' });
  const navigate = useNavigate();
  const selection = useSelection();
  const [numbers, setNumbers] = useState<number[]>([1]);
  const rows = useRows(session, { kind, search, numbers });
  const { first, total } = rows;
  const change = (next: Search) => navigate({ to: '/$list', params: { list: kind.list }, search: next });
  const asked = JSON.stringify(without(search, ['columns', 'sort', 'view']));
  useEffect(selection.clear, [asked]);
  const place = words.place[kind.list];
  useTitle(place);
  return (
    <>
      <div className="title">
        <h1>{place}</h1>
        {first.data && <p className="count">{formats.number(total)}</p>}
        <NewLink kind={kind} />
        {kind.list === 'payments' && <PaymentWays />}
      </div>
      <Presets kind={kind} search={search} />
      <div className="tools">
        {kind.searchable && <SearchIn key={search.search ?? ''} kind={kind} search={search} change={change} />}
        <Filters kind={kind} search={search} change={change} />
        <div className="right">
          <BalanceCurrency kind={kind} search={search} change={change} rows={first.data?.rows ?? []} />
          <Views kind={kind} session={session} search={search} change={change} />
          <Columns kind={kind} search={search} change={change} />
          <Csv kind={kind} search={search} />
        </div>
      </div>
      {!first.isPlaceholderData && <BulkBar kind={kind} search={search} selection={selection} total={total} />}
      {first.isError ? (
        <ListProblem search={search} change={change} error={first.error} again={() => first.refetch()} />
      ) : first.isPending ? (
        <p role="status">{words.loading}</p>
      ) : total === 0 ? (
        <Empty kind={kind} search={search} change={change} />
      ) : (
        <ObjectTable
          kind={kind}
          search={search}
          change={change}
          selection={selection}
          rows={rows}
          onSight={setNumbers}
        />
      )}
    </>
  );
}

interface Shown {
  kind: Kind;
  search: Search;
  change(search: Search): void;
}

function SearchIn({ kind, search, change }: Shown) {
  const words = useWords();
  const [text, setText] = useState(search.search ?? '');
  const label = fill(words.searchIn, { place: words.place[kind.list] });
  const ask = (wanted: string) => {
    const others = without(search, ['search', 'sort']);
    change(wanted.trim() === '' ? others : { ...others, search: wanted.trim() });
  };
  return (
    <SearchField value={text} onChange={setText} onSubmit={ask} onClear={() => ask('')}>
      <Label className="hidden">{label}</Label>
      <Input placeholder={label} maxLength={255} />
    </SearchField>
  );
}

/** Downloads everything that the list shows with its filters. */
function Csv({ kind, search }: Omit<Shown, 'change'>) {
  const words = useWords();
  const { session } = useRouteContext({ from: '__root__' });
  const csv = useMutation({
    mutationFn: () => readCsv(session, { kind, search }),
    onSuccess: ({ bytes, name }) => saveFile(bytes, name ?? `${kind.list}.csv`),
  });
  return (
    <>
      <Button className="secondary" isPending={csv.isPending} onPress={() => csv.mutate()}>
        {csv.isPending ? words.preparing : words.csv}
      </Button>
      {csv.isError && <ErrorNote error={csv.error} />}
    </>
  );
}

/** A list that the API refuses, because its URL asks what cannot be: the filters can be removed. */
function ListProblem({ search, change, error, again }: Omit<Shown, 'kind'> & { error: unknown; again(): void }) {
  const words = useWords();
  const asked = Object.keys(search).filter((name) => name !== 'columns' && name !== 'view');
  return (
    <>
      <Problem error={error} again={again} />
      {asked.length > 0 && (
        <Button className="secondary" onPress={() => change(without(search, asked))}>
          {words.clearFilters}
        </Button>
      )}
    </>
  );
}

/** Says what to do first, or that nothing matches. */
function Empty({ kind, search, change }: Shown) {
  const words = useWords();
  const filters = filtersIn(kind, search).map(({ parameter }) => parameter);
  if (filters.length > 0 || search.search !== undefined)
    return (
      <div className="nothing">
        <h2>{words.none}</h2>
        <Button className="secondary" onPress={() => change(without(search, [...filters, 'search']))}>
          {words.clearFilters}
        </Button>
      </div>
    );
  return (
    <div className="nothing">
      <h2>{words.noneYet}</h2>
      <NewLink kind={kind} />
      <p>{words.noneYetWhat}</p>
      <pre>
        <code>{kind.example}</code>
      </pre>
    </div>
  );
}
