import { useLocation } from 'react-router';

/** The secret of a mailed link, behind #, so that no server or log sees it. */
export const useLinkToken = (): string => useLocation().hash.slice(1);
