import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Form, type FormShown } from './form.tsx';

/** A form in a dialog. It closes when the form is done or left; what was typed into it is kept as a draft. */
export function FormDialog({ title, what, ...shown }: FormShown & { title: string; what?: string }) {
  return (
    <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={(isOpen) => !isOpen && shown.leave()}>
      <Modal className="modal">
        <Dialog>
          <Heading slot="title">{title}</Heading>
          {what && <p>{what}</p>}
          <Form {...shown} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
