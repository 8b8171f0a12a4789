import { Drawer, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { isCovered } from './keys';

// Composed from parts: Mantine's own Modal renders a <header>, which would be a second banner landmark.

/** A modal dialog with a title. */
export function Dialog({
  title,
  size = 'md',
  closable = true,
  onClose,
  children,
}: {
  title: string;
  size?: 'md' | 'lg';
  /** False: only its own button closes it. */
  closable?: boolean;
  onClose: () => void;
  children: ReactNode;
}): ReactNode {
  // A click beside the dialog does not lose what was typed into it.
  const [typed, setTyped] = useState(false);
  return (
    <Modal.Root
      opened
      centered
      size={size}
      onClose={onClose}
      closeOnEscape={closable}
      closeOnClickOutside={closable && !typed}
    >
      <Modal.Overlay />
      <Modal.Content
        onInput={() => {
          setTyped(true);
        }}
      >
        <div className="window-head">
          <Modal.Title>{title}</Modal.Title>
          {closable && <Modal.CloseButton aria-label="Close" />}
        </div>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** A side pane for one row of a list. The page's shortcuts act in it too. */
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
    <Drawer.Root
      opened={opened}
      position="right"
      size={size}
      onClose={() => {
        // Escape reaches both: it closes the dialog above, and the pane stays.
        if (!isCovered()) onClose();
      }}
    >
      <Drawer.Overlay />
      <Drawer.Content data-keys>
        <div className="window-head">
          <Drawer.Title>{title}</Drawer.Title>
          <Drawer.CloseButton aria-label="Close" />
        </div>
        <Drawer.Body>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
