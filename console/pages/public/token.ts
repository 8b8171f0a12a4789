import { useLocation } from 'react-router';

/** The secret of a mailed link: behind #, where no server and no log sees it. */
export const useLinkToken = (): string => useLocation().hash.slice(1);
