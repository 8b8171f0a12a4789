import { type ReactNode, useState } from 'react';
import type { CombinedError, Operation } from 'urql';
import { failureOf } from '../client/failure';
import { RowsSkeleton, FailureLine, FailureState } from './states';

/** What a query has answered so far. */
export interface Asked<Data> {
  readonly data?: Data | undefined;
  readonly error?: CombinedError | undefined;
  /** What was asked, its variables among it. */
  readonly operation?: Operation | undefined;
}

/** What was answered last to the same question: a refusal of now does not take it away. */
function useKnown<Data>({ data, error, operation }: Asked<Data>): Data | undefined {
  const key = operation?.key;
  const [known, setKnown] = useState<{ data: Data; key: number | undefined }>();
  if (data !== undefined && data !== null && known?.data !== data) setKnown({ data, key });
  return data ?? (error && known?.key === key ? known?.data : undefined);
}

/**
 * A query's answer in all its states: on its way, come, refused; and come earlier, but refused just now: then what
 * is known stays, with a line above.
 */
export function Answer<Data>({
  asked,
  retry,
  loading = <RowsSkeleton />,
  children,
}: {
  asked: Asked<Data>;
  retry: () => void;
  loading?: ReactNode;
  children: (data: Data) => ReactNode;
}): ReactNode {
  const failure = asked.error ? failureOf(asked.error) : null;
  const known = useKnown(asked);
  if (known !== undefined)
    return (
      <>
        <FailureLine failure={failure} />
        {children(known)}
      </>
    );
  return failure ? <FailureState failure={failure} onRetry={retry} /> : loading;
}
