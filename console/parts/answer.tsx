import { type ReactNode, useState } from 'react';
import type { CombinedError, Operation } from 'urql';
import { failureOf } from '../client/failure';
import { RowsSkeleton, FailureLine, FailureState } from './states';

/** A query's state. */
export interface Asked<Data> {
  readonly data?: Data | undefined;
  readonly error?: CombinedError | undefined;
  /** The query with its variables. */
  readonly operation?: Operation | undefined;
}

/** The last answer to the same query; a later refusal keeps it. */
function useKnown<Data>({ data, error, operation }: Asked<Data>): Data | undefined {
  const key = operation?.key;
  const [known, setKnown] = useState<{ data: Data; key: number | undefined }>();
  if (data !== undefined && data !== null && known?.data !== data) setKnown({ data, key });
  return data ?? (error && known?.key === key ? known?.data : undefined);
}

/**
 * Renders a query in all its states: loading, answered, failed. If it failed after an answer, the old answer stays,
 * with a line above.
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
