import { useEffect, useMemo, useRef, useState } from 'react';
import { useSubscription } from 'urql';
import { DepositChangedDocument } from '../../generated/operations';
import { type Deposit, lastSeqOf, storyOf } from './story';

/** Events within this time cause one reload, milliseconds. */
const GATHER_MS = 120;

/**
 * Reloads a deposit at each event that it does not show yet.
 * @returns keys of chapters that arrived while the page was open
 */
export function useFollowedDeposit(deposit: Deposit | null, look: () => void): ReadonlySet<string> {
  const orderNo = deposit?.orderNo ?? '';
  // The subscription starts from the number of the first load.
  const [begun, setBegun] = useState<{
    orderNo: string;
    afterSeq: string | null;
    keys: ReadonlySet<string>;
  }>();
  if (deposit && begun?.orderNo !== orderNo)
    setBegun({
      orderNo,
      afterSeq: lastSeqOf(deposit),
      keys: new Set(storyOf(deposit).map(({ key }) => key)),
    });

  const latest = useRef(look);
  useEffect(() => {
    latest.current = look;
  });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useSubscription(
    {
      query: DepositChangedDocument,
      variables: { orderNo, afterSeq: begun?.afterSeq ?? null },
      pause: begun?.orderNo !== orderNo,
    },
    (_, event) => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        latest.current();
      }, GATHER_MS);
      return event;
    },
  );
  useEffect(
    () => () => {
      clearTimeout(timer.current);
    },
    [],
  );

  return useMemo(() => {
    if (!deposit || begun?.orderNo !== deposit.orderNo) return new Set<string>();
    const { keys } = begun;
    return new Set(
      storyOf(deposit)
        .map(({ key }) => key)
        .filter((key) => !keys.has(key)),
    );
  }, [deposit, begun]);
}
