// How times, sums and statuses read.
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const exact = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});
const dated = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

export const timeOf = (iso) => clock.format(new Date(iso));
export const exactTimeOf = (iso) => exact.format(new Date(iso));

/** Today by the clock, earlier with its day. */
export function momentOf(iso) {
  const date = new Date(iso);
  return date.toDateString() === new Date().toDateString() ? clock.format(date) : dated.format(date);
}

/** `8 s`, `3 min`, `2 h`, `5 d` */
export function age(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  if (seconds < 100) return `${Math.max(0, Math.round(seconds))} s`;
  if (seconds < 6000) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

export const since = (iso) => (iso === null ? "never" : `${age((Date.now() - Date.parse(iso)) / 1000)} ago`);

/** `0.4 s`, `12 s` */
export const span = (ms) => (ms < 9950 ? `${(ms / 1000).toFixed(1)} s` : age(ms / 1000));

export const usd = (sum) => `$${sum.toFixed(2)}`;
/** Small sums need more digits to say anything. */
export const cents = (sum) => (sum > 0 && sum < 0.095 ? `$${sum.toFixed(3)}` : usd(sum));

export function bytes(n) {
  if (n === null) return "–";
  return n > 1e9 ? `${(n / 1e9).toFixed(n < 1e10 ? 1 : 0)} GB` : `${Math.round(n / 1e6)} MB`;
}

export const many = (n, one, more = `${one}s`) => `${n} ${n === 1 ? one : more}`;

export const jobTones = { done: "good", failed: "bad", queued: "warn", running: "warn", delivering: "warn" };
export const jobNames = {
  queued: "waits",
  running: "is drawn",
  delivering: "on its way",
  done: "delivered",
  failed: "failed",
  cancelled: "stopped",
};

export const visitNames = {
  created: "at the code",
  linked: "asked for consent",
  consented: "choosing an outfit",
  template_chosen: "at the camera",
  photo_taken: "waiting for stickers",
  done: "got stickers",
  failed: "got none",
  expired: "left",
  blocked: "had enough",
};

export const leadNames = { new: "new", in_progress: "taken", won: "won", lost: "lost", spam: "spam" };
export const leadTones = { new: "warn", in_progress: "plain", won: "good", lost: "bad", spam: "plain" };

export const guest = (name) => name ?? "a guest";
