import type { ReactNode } from 'react';
import { Time } from './time';

const TIME = /(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z)/;

/** A sentence from the platform, with times in the operator's zone. */
export function Said({ text }: { text: string }): ReactNode {
  return (
    <span>{text.split(TIME).map((part, index) => (index % 2 === 1 ? <Time key={index} at={part} /> : part))}</span>
  );
}
