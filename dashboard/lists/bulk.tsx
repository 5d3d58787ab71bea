import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import {
  Button,
  Dialog,
  Heading,
  Menu,
  MenuItem,
  MenuTrigger,
  Modal,
  ModalOverlay,
  Popover,
} from 'react-aria-components';
import type { Body } from '../../client/index.ts';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { keysFrom } from '../forms/drafts.ts';
import type { Act, Kind } from '../kinds/kind.ts';
import { can } from '../session.ts';
import { JOBS, type Job, JobProgress } from '../shell/jobs.tsx';
import { ErrorNote } from '../shell/problem.tsx';
import { useWords } from '../words.ts';
import { MemberSelect } from './members.tsx';
import type { Selection } from './selection.ts';
import { csvOf, queryOf, type Search } from './state.ts';

interface Shown {
  kind: Kind;
  search: Search;
  selection: Selection;
  /** How many objects the list has with its filters. */
  total: number;
}

/** What is selected, and what can be done to it. */
export function BulkBar({ kind, search, selection, total }: Shown) {
  const words = useWords();
  const formats = useFormats();
  const { me } = useRouteContext({ from: '__root__' });
  const [act, setAct] = useState<Act | null>(null);
  const count = selection.isAll ? total : selection.ids.size;
  const acts = (kind.acts ?? []).filter(({ permission }) => can(me, permission));
  if (count === 0) return null;
  return (
    <div className="selected">
      <span role="status">{fill(words.selected, { count: formats.number(count) })}</span>
      {acts.length > 0 && (
        <MenuTrigger>
          <Button>{words.acts.act}</Button>
          <Popover>
            <Menu onAction={(name) => setAct(acts.find((one) => one.name === name) ?? null)}>
              {acts.map(({ name }) => (
                <MenuItem key={name} id={name}>
                  {words.acts[name]}
                </MenuItem>
              ))}
            </Menu>
          </Popover>
        </MenuTrigger>
      )}
      {!selection.isAll && total > selection.ids.size && acts.length > 0 && (
        <Button className="secondary" onPress={selection.selectAll}>
          {fill(words.acts.allMatching, { count: formats.number(total) })}
        </Button>
      )}
      <Button className="secondary" onPress={selection.clear}>
        {words.clearSelection}
      </Button>
      {act && (
        <ActDialog
          key={act.name}
          kind={kind}
          search={search}
          selection={selection}
          count={count}
          act={act}
          close={() => setAct(null)}
        />
      )}
    </div>
  );
}

type Parameters = Readonly<Record<string, unknown>>;

interface Asked extends Omit<Shown, 'total'> {
  act: Act;
  count: number;
  close(): void;
}

/** Asks what an act needs, starts it, and shows how far it is. */
function ActDialog({ kind, search, selection, count, act, close }: Asked) {
  const words = useWords();
  const formats = useFormats();
  const { session } = useRouteContext({ from: '__root__' });
  const queries = useQueryClient();
  const title = fill(words.acts.onCount, { act: words.acts[act.name], count: formats.number(count) });
  const [keys] = useState(() => keysFrom({}));
  const begin = useMutation({
    mutationFn: (parameters: Parameters): Promise<Job> => {
      const { expand: _, include: __, ...query } = queryOf(kind, search);
      const which = selection.isAll ? { query } : { ids: [...selection.ids].map(Number) };
      const asked: Body<'post', '/jobs'> = {
        type: 'bulk',
        action: act.name,
        list: jobListOf(kind),
        parameters: act.name === 'csv' ? csvOf(kind, search) : parameters,
        ...which,
      };
      return session.api.with({ idempotencyKey: keys.of(asked) }).post('/jobs', asked);
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: JOBS }),
  });
  return (
    <ModalOverlay className="overlay" isOpen isDismissable={!begin.isPending} onOpenChange={close}>
      <Modal className="modal">
        <Dialog>
          <Heading slot="title">{title}</Heading>
          {begin.data ? (
            <JobProgress first={begin.data} close={close} />
          ) : (
            <Questions act={act} start={begin.mutate} isPending={begin.isPending} close={close} />
          )}
          {begin.isError && <ErrorNote error={begin.error} />}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

const lists = ['customers', 'invoices', 'estimates', 'credit_notes', 'payments', 'subscriptions'] as const;
const jobListOf = ({ list }: Kind) => lists.find((one) => one === list) ?? null;

interface Questioned {
  act: Act;
  start(parameters: Parameters): void;
  isPending: boolean;
  close(): void;
}

function Questions({ act, start, isPending, close }: Questioned) {
  const words = useWords();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [owner, reason] = [form.get('owner'), form.get('reason')];
    start({
      ...(owner === null ? {} : { owner: owner === NOBODY ? null : Number(owner) }),
      ...(reason === null ? {} : { reason }),
    });
  };
  return (
    <form className="question" onSubmit={submit}>
      {act.name === 'assign' && (
        <MemberSelect name="owner" label={words.acts.owner} isRequired>
          <option value={NOBODY}>{words.acts.nobody}</option>
        </MemberSelect>
      )}
      {act.name === 'write_off' && (
        <label>
          {words.acts.reason}
          <input name="reason" required maxLength={255} />
        </label>
      )}
      <div className="buttons">
        <button type="submit" disabled={isPending}>
          {words.acts.start}
        </button>
        <Button className="secondary" onPress={close}>
          {words.cancel}
        </Button>
      </div>
    </form>
  );
}

const NOBODY = 'nobody';
