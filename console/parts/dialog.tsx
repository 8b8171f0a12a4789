import { Drawer, Modal } from '@mantine/core';
import type { ReactNode } from 'react';

// Composed of their parts: the ready-made ones have a <header> of their own, a second banner of the page.

/** A window before the page, with what it is about. */
export function Dialog({
  title,
  size = 'md',
  closable = true,
  onClose,
  children,
}: {
  title: string;
  size?: 'md' | 'lg';
  /** False: it goes only when its own button says so. */
  closable?: boolean;
  onClose: () => void;
  children: ReactNode;
}): ReactNode {
  return (
    <Modal.Root
      opened
      centered
      size={size}
      onClose={onClose}
      closeOnEscape={closable}
      closeOnClickOutside={closable}
    >
      <Modal.Overlay />
      <Modal.Content>
        <div className="window-head">
          <Modal.Title>{title}</Modal.Title>
          {closable && <Modal.CloseButton aria-label="Close" />}
        </div>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** A pane at the side: one thing of the list beside it. */
export function Pane({
  opened,
  title,
  size = 'lg',
  onClose,
  children,
}: {
  opened: boolean;
  title: string;
  size?: 'md' | 'lg';
  onClose: () => void;
  children: ReactNode;
}): ReactNode {
  return (
    <Drawer.Root opened={opened} position="right" size={size} onClose={onClose}>
      <Drawer.Overlay />
      <Drawer.Content>
        <div className="window-head">
          <Drawer.Title>{title}</Drawer.Title>
          <Drawer.CloseButton aria-label="Close" />
        </div>
        <Drawer.Body>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
