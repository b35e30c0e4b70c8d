/** English: what is said in the operators' chat. */

import { because } from "../because.ts";
import type { ChatTexts } from "../types.ts";

const many = (n: number, one: string) => `${n} ${one}${n === 1 ? "" : "s"}`;
const steps = { selfie: "selfie", draw: "draw", check: "check", cut: "cut", pack: "pack", delivery: "delivery" };

export const chat: ChatTexts = {
  commands: {
    status: "How the booth is, and what to do",
    pause: "Take no new guests; a reason may follow",
    resume: "Open the booth again",
    jobs: "Packs being made, packs that failed",
    retry: "Try a failed pack again, by its number",
    stats: "Today in figures",
    costs: "What the AI cost",
    budget: "Another AI budget for today, in dollars",
  },
  anonymous: "an anonymous administrator",
  elsewhere: "This works in the operators' chat only.",
  onPage: (user) => `${user} (on the page)`,
  retry: {
    howTo: "Write the pack's number too: <code>/retry 12</code>",
    done: (id, by) => `Pack ${id} is tried again, by ${by}.`,
  },
  status: {
    well: "All is well.",
    ready: "The booth is ready for its first guest today.",
    served: (guests) => `${many(guests, "guest")} got stickers today.`,
    atKiosk: (guests) => `At the kiosk: ${many(guests, "guest")}`,
    queue: (queued, first, drawn, onTheWay) =>
      `Queue: ${queued} waiting${first === null ? "" : `, the first for ${first}`} · ${drawn} being drawn · ${onTheWay} on the way`,
    pack: (id, guest, step, age) => `pack ${id}, ${guest}: ${steps[step]}, ${age}`,
    today: (packs, failed, seconds) =>
      `Today: ${many(packs, "pack")}, ${failed} failed${seconds === null ? "" : `, usually ${seconds} s`}`,
    money: (spent, limit) => `AI: ${spent}${limit === null ? "" : ` of ${limit}`} today`,
    kiosks: (list) => `Kiosks: ${list}`,
    leads: (count) => `Leads on their way: ${count}`,
  },
  jobs: {
    none: "No pack is being made.",
    made: (count) => `<b>Being made: ${count}</b>`,
    waits: "waits",
    waitsFor: { telegram: "waiting for Telegram", artist: "waiting for the artists", retry: "tried again" },
    steps,
    more: (count) => `… and ${count} more`,
    failed: "<b>Failed today</b>",
  },
  stats: {
    day: (day, hour) => `<b>${day}</b>, from ${hour}:00`,
    packs: (count, seconds) =>
      `${many(count, "pack")}${seconds === null ? "" : `, usually ${seconds} s from photo to link`}`,
    ended: (failed, stopped, retakes) => `${failed} failed, ${stopped} stopped, ${many(retakes, "photo")} sent back`,
    guests: (guests, visits) => `${many(guests, "guest")}, ${many(visits, "visit")}`,
    busiest: (hour, packs) => `Busiest hour: ${hour}:00, ${many(packs, "pack")}`,
    stages: {
      started: (n) => `${n} tapped Start`,
      linked: (n) => `${n} scanned`,
      consented: (n) => `${n} agreed`,
      outfit: (n) => `${n} chose an outfit`,
      photo: (n) => `${n} took a photo`,
      delivered: (n) => `${n} got stickers`,
    },
  },
  costs: {
    today: (spent) => `<b>Today: ${spent}</b>`,
    of: (limit, percent) => ` of ${limit} (${percent} %)`,
    noLimit: ", no limit",
    perPack: (sum) => `A pack: ${sum}`,
    line: (artist, purpose, sum, calls, failed) =>
      `${artist}, ${purpose}: ${sum}, ${many(calls, "call")}${failed > 0 ? `, ${failed} in vain` : ""}`,
    days: (days, sum, packs, each) =>
      `<b>${days} days: ${sum}</b>, ${many(packs, "pack")}${each === null ? "" : `, ${each} each`}`,
    held: "The queue waits for money: /budget and an amount raises it for today.",
  },
  pause: {
    already: "The booth is paused already.",
    paused: (by, reason, left) =>
      `<b>The booth is paused</b> by ${by}${because(reason)}. New guests are asked to come back later.${left === 0 ? "" : ` ${many(left, "pack")} in the making will be finished.`}`,
    openAlready: "The booth is open already.",
    opened: (by) => `${by} <b>opened the booth</b>.`,
    open: "Open the booth",
    pause: "Pause the booth",
  },
  budget: {
    howTo: "Write dollars: <code>/budget 30</code>; <code>/budget off</code> means no limit today.",
    ofNothing: "A budget of nothing would mean no limit. To stop spending use /pause; otherwise write more than 0.",
    now: (spent, limit) => `AI today: ${spent} spent, ${limit === null ? "no limit" : `${limit} allowed`}.`,
    setBy: (name) => ` Set for today by ${name}.`,
    noLimit: "<b>No limit for today.</b> Packs are drawn, whatever they cost.",
    untilTomorrow: (usual) => (usual === null ? "" : ` Tomorrow the usual ${usual} applies again.`),
    usualAgain: " This is the usual limit again.",
    usually: (limit, by) => `<b>The AI budget of every day is ${limit ?? "without a limit"} now</b>, by ${by}.`,
  },
};
