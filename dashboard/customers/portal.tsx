import { useMutation } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { rootOf } from '../place.ts';
import { ErrorNote } from '../shell/problem.tsx';
import { useFormWords, useWords } from '../words.ts';
import type { Begun } from './act.tsx';

/** Makes a link that opens the portal once as this customer, read only. */
export function Portal({ id, close, tell }: Begun) {
  const { care } = useFormWords();
  const words = useWords();
  const { session, place } = useRouteContext({ from: '__root__' });
  const back = `${location.origin}${rootOf(place)}/customers/${id}`;
  const [key] = useState(() => crypto.randomUUID());
  const made = useMutation({
    mutationFn: () =>
      session.api
        .with({ idempotencyKey: key })
        .post(
          '/customers/{customer_id}/portal_sessions',
          { return_url: back, read_only: true },
          { customer_id: Number(id) },
        ),
  });
  const make = useRef(made.mutate);
  useEffect(() => make.current(), []);
  return (
    <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={close}>
      <Modal className="modal">
        <Dialog>
          <Heading slot="title">{care.portal.act}</Heading>
          <p>{care.portal.what}</p>
          <p className="none">{care.openPortalWhat}</p>
          {(made.isPending || made.isIdle) && <p role="status">{words.loading}</p>}
          {made.isError && <ErrorNote error={made.error} />}
          <div className="buttons">
            {made.data && (
              <a
                className="button"
                href={made.data.url}
                target="_blank"
                rel="noopener noreferrer"
                onClick={() => {
                  tell(care.portal.done);
                  setTimeout(close);
                }}
              >
                {care.openPortal}
              </a>
            )}
            <Button className="secondary" onPress={close}>
              {words.cancel}
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
