import { Context } from '@temporalio/activity';

/** Interval of the heartbeats of a request under way. */
const HEARTBEAT_MS = 5_000;

/** Runs a request to a channel, sending heartbeats meanwhile. */
export async function asking<Answer>(request: (stopping: AbortSignal) => Promise<Answer>): Promise<Answer> {
  const { cancellationSignal, heartbeat } = Context.current();
  const beating = setInterval(() => {
    heartbeat();
  }, HEARTBEAT_MS);
  try {
    return await request(cancellationSignal);
  } finally {
    clearInterval(beating);
  }
}
