import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import type { Answer } from '../../client/index.ts';
import { fill } from '../../words/text.ts';
import type { Kind, Preset } from '../kinds/kind.ts';
import type { Session } from '../session.ts';
import { ErrorNote } from '../shell/problem.tsx';
import { useOverviewWords, useWords } from '../words.ts';
import { areAlike, columnsOf, presetSearch, type Search, showsPreset, withColumns, without } from './state.ts';

type View = Answer<'get', '/saved_views/{id}'>;

interface Shown {
  kind: Kind;
  session: Session;
  search: Search;
  change(search: Search): void;
}

/** Opens a list as a view shows it, and saves what the list shows now as a view. */
export function Views({ kind, session, search, change }: Shown) {
  const words = useWords();
  const queries = useQueryClient();
  const { list } = kind;
  const key = ['saved_views', list];
  const views = useQuery({
    queryKey: key,
    queryFn: () => session.api.get('/saved_views', { filter: { list }, sort: 'name', per_page: 100 }),
  });
  const isAsShown = (view: View) => areAlike(kind, searchOf(kind, view), search);
  const shown = views.data?.find(({ id }) => String(id) === search.view) ?? views.data?.find(isAsShown);
  const nameOf = (view: View) => (isAsShown(view) ? view.name : fill(words.viewChanged, { name: view.name }));
  const remove = useMutation({
    mutationFn: (id: number) => session.api.delete('/saved_views/{id}', { id }),
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  });
  return (
    <DialogTrigger>
      <Button className="secondary">
        <span className="view" dir="auto">
          {shown ? `${words.views}: ${nameOf(shown)}` : words.views}
        </span>
      </Button>
      <Popover>
        <Dialog aria-label={words.views} className="panel">
          {({ close }) => (
            <>
              <ul className="views">
                {views.data?.map((view) => (
                  <li key={view.id}>
                    <Button
                      className="plain"
                      aria-current={view === shown}
                      onPress={() => {
                        change({ ...searchOf(kind, view), view: String(view.id) });
                        close();
                      }}
                    >
                      <span dir="auto">{view.name}</span>
                      {view.shared && <small> · {words.shared}</small>}
                    </Button>
                    <Button
                      className="plain"
                      aria-label={`${words.deleteView}: ${view.name}`}
                      onPress={() => remove.mutate(view.id)}
                    >
                      ✕
                    </Button>
                  </li>
                ))}
              </ul>
              <SaveView
                kind={kind}
                session={session}
                search={search}
                saved={({ id }) => {
                  change({ ...search, view: String(id) });
                  return queries.invalidateQueries({ queryKey: key });
                }}
              />
              {(views.isError || remove.isError) && <ErrorNote error={views.error ?? remove.error} />}
            </>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

/** What the URL of a list has for a view. */
function searchOf(kind: Kind, { query, columns }: View): Search {
  const asked: Record<string, string> = {};
  for (const [name, value] of Object.entries(query)) if (typeof value === 'string') asked[name] = value;
  if (columns.length === 0) return asked;
  const named = { columns: columns.map(({ name, width }) => (width ? `${name}:${width}` : name)).join(',') };
  return withColumns(asked, columnsOf(kind, named));
}

function SaveView({ kind, session, search, saved }: Omit<Shown, 'change'> & { saved(view: View): unknown }) {
  const words = useWords();
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const save = useMutation({
    mutationFn: () =>
      session.api.post('/saved_views', {
        name,
        list: kind.list,
        query: without(search, ['columns', 'view']),
        columns: columnsOf(kind, search).map(({ field, width }) => ({ name: field.name, width })),
        shared: isShared,
      }),
    onSuccess: (view) => {
      setName('');
      saved(view);
    },
  });
  return (
    <form
      className="question"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <label>
        {words.viewName}
        <input value={name} maxLength={255} required onChange={({ target }) => setName(target.value)} />
      </label>
      <label className="box">
        <input type="checkbox" checked={isShared} onChange={({ target }) => setShared(target.checked)} />{' '}
        {words.sharedWhat}
      </label>
      <button type="submit">{words.saveView}</button>
      <p role="status">{save.isSuccess && name === '' ? words.viewSaved : ''}</p>
      {save.isError && <ErrorNote error={save.error} />}
    </form>
  );
}

/** Links to what people ask of a list most, such as the unpaid invoices. Those of amounts ask in the currency of the list. */
export function Presets({ kind, search }: { kind: Kind; search: Search }) {
  const { presets: words } = useOverviewWords();
  if (!kind.presets) return null;
  const all: readonly (Preset | null)[] = [null, ...kind.presets];
  return (
    <nav className="presets" aria-label={words.ready}>
      {all.map((preset) => (
        <Link
          key={preset?.name ?? 'all'}
          to="/$list"
          params={{ list: kind.list }}
          search={presetSearch(preset, search)}
          className="preset"
          activeOptions={{ exact: true }}
          aria-current={showsPreset(preset, search) ? 'page' : undefined}
        >
          {words[preset?.name ?? 'all']}
        </Link>
      ))}
    </nav>
  );
}
