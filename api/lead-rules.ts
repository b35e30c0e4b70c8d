/** The rules of a request's fields, as the contract has them. Lengths are counted in characters: an emoji is one. */

import type { NewLead } from "../shared/leads/intake.ts";
import { type EventType, eventTypes } from "../shared/leads/lead.ts";
import { langs } from "../shared/status.ts";
import { VISIBLE } from "../shared/visible.ts";

const UTM_ENTRIES = 20;
const UTM_NAME_LENGTH = 64;
const UTM_VALUE_LENGTH = 500;

type Rule = { required?: true; holds(value: unknown): boolean; sentence: string };

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Text with something to read in it, when `min` is not 0. */
const characters = (min: number, max: number): Rule => ({
  holds: (value) =>
    typeof value === "string" &&
    countWithin(value, max) &&
    (min === 0 || (countOf(value.trim()) >= min && VISIBLE.test(value))),
  sentence: min === 0 ? `must be text of at most ${max} characters` : `must be ${min} to ${max} characters of text`,
});
const oneOf = (values: readonly string[]): Rule => ({
  holds: (value) => typeof value === "string" && values.includes(value),
  sentence: `must be one of ${values.join(", ")}`,
});

const rules: Record<keyof NewLead | "visitor_ip", Rule> = {
  request_id: {
    required: true,
    holds: (value) => typeof value === "string" && uuid.test(value),
    sentence: "must be a UUID",
  },
  name: { required: true, ...characters(1, 100) },
  contact: { required: true, ...characters(3, 120) },
  event_type: oneOf(eventTypes satisfies readonly EventType[]),
  event_date: { holds: isDay, sentence: "must be a day of the calendar as YYYY-MM-DD" },
  guests: {
    holds: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 100_000,
    sentence: "must be a whole number from 1 to 100000",
  },
  city: characters(0, 100),
  comment: characters(0, 2000),
  locale: { required: true, ...oneOf(langs) },
  page: characters(0, 500),
  utm: { holds: isUtm, sentence: `must be an object of up to ${UTM_ENTRIES} short strings` },
  visitor_ip: { holds: (value) => typeof value === "string" && value.length <= 100, sentence: "must be an address" },
};

/** A request's fields that broke their rule, each with a sentence; null when there are none. Unknown fields are ignored. */
export function leadFaults(body: Record<string, unknown>): Record<string, string> | null {
  const faults: Record<string, string> = {};
  for (const [name, { required, holds, sentence }] of Object.entries(rules)) {
    const value = body[name];
    if (value === undefined || value === null) {
      if (required) faults[name] = `is required and ${sentence}`;
    } else if (!holds(value)) {
      faults[name] = sentence;
    }
  }
  return Object.keys(faults).length > 0 ? faults : null;
}

/** The known fields of a body without faults. A lone half of a character cannot be stored and becomes U+FFFD. */
export function leadOf(body: Record<string, unknown>): NewLead & { visitor_ip?: string } {
  const lead: Record<string, unknown> = {};
  for (const name of Object.keys(rules)) {
    const value = body[name] ?? undefined;
    lead[name] = typeof value === "string" ? value.toWellFormed() : value;
  }
  return lead as NewLead & { visitor_ip?: string };
}

function isDay(value: unknown): boolean {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const day = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
}

function isUtm(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length <= UTM_ENTRIES &&
    entries.every(
      ([name, text]) =>
        countWithin(name, UTM_NAME_LENGTH) && typeof text === "string" && countWithin(text, UTM_VALUE_LENGTH),
    )
  );
}

const countOf = (text: string) => [...text].length;
const countWithin = (text: string, max: number) =>
  text.length <= max || (text.length <= 2 * max && countOf(text) <= max);
