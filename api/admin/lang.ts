/** The language that a call is answered in, and refusals as their sentences in it. */
import type { TSchema } from "@sinclair/typebox";
import { ValidationError } from "elysia";
import type { Config } from "../../shared/config.ts";
import { AppError } from "../../shared/errors.ts";
import { Refusal, type Say, spoken } from "../../shared/refusal.ts";
import { type Lang, langs } from "../../shared/status.ts";
import { team } from "../../shared/texts/operators/index.ts";
import type { RefusalTexts } from "../../shared/texts/operators/types.ts";
import { brokenRules } from "../answers.ts";

/** `?lang=ru`, as the page asks with every call; the team's own when it is missing or none of ours. */
export function langOf(request: Request, { TEAM_LANG }: Pick<Config, "TEAM_LANG">): Lang {
  const asked = new URL(request.url).searchParams.get("lang");
  return langs.find((lang) => lang === asked) ?? TEAM_LANG;
}

/** A schema's rule that can be said in each language: stands in its options. */
export const rule = (say: Say) => ({ error: say(team("en").refusals), say });

/**
 * An error in a language of the team's.
 * @param thrown as it came, `known` as the api answers it in English
 */
export function translated(thrown: unknown, known: AppError, lang: Lang): AppError {
  // Errors of parsing come wrapped.
  const error = known instanceof Refusal ? known : thrown;
  const texts = team(lang).refusals;
  if (lang === "en") return known;
  if (error instanceof Refusal) return asSaid(error, error.say(texts), error.details.sayFields, texts);
  const general = (texts.codes as Partial<Record<string, string>>)[known.code] ?? known.message;
  return asSaid(known, general, error instanceof ValidationError ? rulesOf(error) : undefined, texts);
}

function asSaid(
  { code, cause, fields, retryAfterS, allow }: AppError,
  message: string,
  sayFields: Record<string, Say> | undefined,
  texts: RefusalTexts,
): AppError {
  const said = sayFields ? { ...fields, ...spoken(sayFields, texts) } : fields;
  return new AppError(code, message, { cause, fields: said, retryAfterS, allow });
}

/** The rules that a body broke, by its fields. */
function rulesOf(error: ValidationError): Record<string, Say> {
  const sayOf = ({ say }: TSchema): Say => say ?? ((t: RefusalTexts) => t.missing);
  return Object.fromEntries(brokenRules(error).map(([field, rule]) => [field, sayOf(rule)]));
}
