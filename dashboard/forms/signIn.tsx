import { useMutation } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { fill } from '../../words/text.ts';
import { ErrorNote } from '../shell/problem.tsx';
import { useFormWords, useWords } from '../words.ts';

/**
 * Asks a person whose session has ended to sign in again, in another tab, so that what was typed stays here. Then `again` repeats the act.
 */
export function SignInDialog({ error, again, close }: { error: Error; again(): void; close(): void }) {
  const words = useFormWords();
  const { cancel } = useWords();
  const { session, me } = useRouteContext({ from: '__root__' });
  const check = useMutation({
    mutationFn: async () => {
      const now = await session.me().catch((error: Error) => error);
      if (now instanceof Error) return now; // an error thrown here would lead away from what was typed
      return now.email === me.email ? null : new Error(fill(words.otherPerson, { name: now.email ?? '' }));
    },
    onSuccess: (problem) => problem ?? again(),
  });
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(isOpen) => !isOpen && close()}>
      <Modal className="modal">
        <Dialog role="alertdialog">
          <Heading slot="title">{words.signInTitle}</Heading>
          <p>{words.signInWhat}</p>
          <p className="none" dir="auto">
            {error.message}
          </p>
          {check.data && <ErrorNote error={check.data} />}
          <div className="buttons">
            <a className="button" href="/sign_in" target="_blank" rel="noopener">
              {words.signInLink}
            </a>
            <Button className="secondary" onPress={() => check.mutate()}>
              {words.signedIn}
            </Button>
            <Button className="plain" onPress={close}>
              {cancel}
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
