/** Holds every call against the field lists of the official reference (`botapi.json`). */
import spec from "../botapi.json";
import { wrong } from "../errors.ts";
import type { Json, JsonObject } from "../types.ts";

type Fields = Record<string, string>;
const methods: Record<string, Fields> = spec.methods;
const types: Record<string, Fields | string> = spec.types;

/** Telegram takes method names in any case; undefined when it has no such method. */
export function methodNamed(name: string): string | undefined {
  return Object.keys(methods).find((known) => known.toLowerCase() === name.toLowerCase());
}

/** Whether the method has a parameter of this name. */
export function takes(method: string, name: string): boolean {
  return name in (methods[method] ?? {});
}

/** Throws a refusal unless `params` are exactly what the method takes; gives them back with numbers as numbers. */
export function checkParams(method: string, params: JsonObject): JsonObject {
  return checkFields(method, methods[method] ?? {}, params);
}

/** What a form sends as text becomes the value that the reference declares. */
export function fromForm(method: string, name: string, text: string): Json {
  const declared = methods[method]?.[name]?.replace("!", "").split("|") ?? ["String"];
  if (declared.includes("String") || declared.includes("InputFile")) return text;
  if (declared.includes("Boolean") && /^(true|false|True|False)$/.test(text)) return text.toLowerCase() === "true";
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

function checkFields(owner: string, fields: Fields, given: JsonObject): JsonObject {
  const checked: JsonObject = {};
  for (const name of Object.keys(given)) if (!(name in fields)) wrong(`${owner} has no field "${name}"`);
  for (const [name, rule] of Object.entries(fields)) {
    const value = given[name];
    if (value === undefined || value === null) {
      if (rule.startsWith("!")) wrong(name === "text" ? "message text is empty" : `parameter "${name}" is required`);
      continue;
    }
    checked[name] = checkValue(`${owner}.${name}`, rule.replace("!", "").split("|"), value);
  }
  return checked;
}

/** The first alternative that fits wins; when only one was possible, its own complaint is the answer. */
function checkValue(where: string, alternatives: string[], value: Json): Json {
  const simple = alternatives.map((type) => simpleValue(type, value)).find((found) => found !== undefined);
  if (simple !== undefined) return simple;
  const complex = alternatives.filter((type) => type.startsWith("[]") || type in types);
  for (const [index, type] of complex.entries()) {
    try {
      return complexValue(where, type, value);
    } catch (error) {
      if (index === complex.length - 1) throw error;
    }
  }
  return wrong(`can't parse ${where}: expected ${alternatives.join(" or ")}`);
}

function simpleValue(type: string, value: Json): Json | undefined {
  const isText = typeof value === "string";
  if (type === "Integer" && Number.isSafeInteger(value)) return value;
  if (type === "Integer" && isText && /^-?\d{1,15}$/.test(value)) return Number(value);
  if (type === "Float" && typeof value === "number") return value;
  if ((type === "Boolean" || type === "True") && typeof value === "boolean") return value;
  if ((type === "String" || type === "InputFile") && isText) return value;
  return undefined;
}

function complexValue(where: string, type: string, value: Json): Json {
  if (type.startsWith("[]")) {
    if (!Array.isArray(value)) return wrong(`can't parse ${where}: expected an array`);
    return value.map((item, index) => checkValue(`${where}[${index}]`, [type.slice(2)], item));
  }
  const fields = types[type];
  if (typeof fields === "string") return checkValue(where, fields.split("|"), value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return wrong(`can't parse ${where}`);
  return checkFields(where, fields ?? {}, value);
}
