/** What the page's calls answer, taken from the routes themselves: the page is type-checked against the server. */
import type { adminRoutes } from "../routes.ts";

type Calls = ReturnType<typeof adminRoutes>["~Routes"]["admin"]["api"];
type Answer<Route> = Route extends { get: { response: { 200: infer A } } } ? A : never;

/** By the names that server.js asks with. */
export type Answers = {
  overview: Answer<Calls["overview"]>;
  jobs: Answer<Calls["jobs"]>;
  job: Answer<Calls["jobs"][":id"]>;
  sessions: Answer<Calls["sessions"]>;
  templates: Answer<Calls["templates"]>;
  tryout: Answer<Calls["tryouts"][":id"]>;
  leads: Answer<Calls["leads"]>;
  costs: Answer<Calls["costs"]>;
  settings: Answer<Calls["settings"]>;
  branding: Answer<Calls["branding"]>;
  audit: Answer<Calls["audit"]>;
};

export type Overview = Answers["overview"];
export type Budget = Overview["budget"];
export type Problem = Overview["problems"][number];
/** A pack that has not ended. */
export type Making = Overview["queue"]["jobs"][number];
export type Job = Answers["jobs"]["jobs"][number];
export type Story = Answers["job"];
export type Told = Story["timeline"][number];
export type Visit = Answers["sessions"]["sessions"][number];
export type Outfit = Answers["templates"]["templates"][number];
export type Lead = Answers["leads"]["leads"][number];
export type Look = Answers["branding"];
export type Settings = Answers["settings"];
export type Change = Answers["audit"]["entries"][number];
export type Detail = Change["details"][number];

/** What a view is shown with. */
export type Shown<Data> = {
  data: Data;
  overview: Overview;
  /** After the slash of the address. */
  id: string;
  query: URLSearchParams;
  /** Asks for everything anew and shows it. */
  refresh: () => Promise<void>;
  /** Pixels that a card over the whole width has inside. */
  room: number;
};
export type Place = Pick<Shown<unknown>, "id" | "query">;
