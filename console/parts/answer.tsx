import type { ReactNode } from 'react';
import type { CombinedError } from 'urql';
import { troubleOf } from '../client/trouble';
import { RowsSkeleton, TroubleLine, TroubleState } from './states';

/** What a query has answered so far. */
export interface Asked<Data> {
  readonly data?: Data | undefined;
  readonly error?: CombinedError | undefined;
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
  const trouble = asked.error ? troubleOf(asked.error) : null;
  if (asked.data !== undefined && asked.data !== null)
    return (
      <>
        <TroubleLine trouble={trouble} />
        {children(asked.data)}
      </>
    );
  return trouble ? <TroubleState trouble={trouble} onRetry={retry} /> : loading;
}
