/** What the network between the booth and Telegram did: shapes. Plain text; none begins like another. */
export type NetworkTexts = {
  slow: string;
  notFound: string;
  insecure: string;
  unreadable: string;
  unreachable: string;
};
