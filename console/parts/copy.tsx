import { ActionIcon, Tooltip } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { Icon } from './icons';

/** Copies to the clipboard, also without https. */
export async function copyText(text: string): Promise<void> {
  if (window.isSecureContext) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  document.body.append(field);
  field.select();
  // The only way without a secure context.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  document.execCommand('copy');
  field.remove();
}

/** Copies a text and confirms it for a moment. @param names the text: "Copy order number" */
export function CopyButton({ text, what }: { text: string; what: string }): ReactNode {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => {
      setCopied(false);
    }, 1_500);
    return () => {
      clearTimeout(timer);
    };
  }, [copied]);
  const name = copied ? 'Copied' : `Copy ${what}`;
  return (
    <Tooltip label={name}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={name}
        onClick={async () => {
          await copyText(text);
          setCopied(true);
        }}
      >
        <Icon name={copied ? 'check' : 'copy'} size={14} />
      </ActionIcon>
    </Tooltip>
  );
}

/** A code or number in fixed width, with its copy button. */
export function Code({ text, what }: { text: string; what: string }): ReactNode {
  return (
    <span className="code-line">
      <span className="mono">{text}</span>
      <CopyButton text={text} what={what} />
    </span>
  );
}
