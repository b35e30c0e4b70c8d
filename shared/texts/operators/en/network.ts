/** English: what the network did. */
import type { NetworkTexts } from "../types.ts";

export const network: NetworkTexts = {
  slow: "Telegram did not answer in time",
  notFound: "Telegram's address was not found: no network, or no DNS",
  insecure: "no secure connection to Telegram",
  unreadable: "Telegram's answer could not be read",
  unreachable: "Telegram could not be reached",
};
