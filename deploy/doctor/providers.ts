/** The artists: is each one's key accepted and each of its models there? Asking for a model costs nothing. */
import type { Config, ProviderName } from "../../shared/config.ts";
import { describe } from "../../shared/errors.ts";
import { about, type Finding } from "./finding.ts";

const TIMEOUT_MS = 10_000;

type Probe = {
  key: string | undefined;
  keyName: string;
  models: string[];
  ask: (model: string, key: string) => Promise<Response>;
};

const get = (url: string, headers: Record<string, string>) =>
  fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });

const probes = (config: Config): Record<Exclude<ProviderName, "offline">, Probe> => ({
  gemini: {
    key: config.GEMINI_API_KEY,
    keyName: "GEMINI_API_KEY",
    models: [config.GEMINI_IMAGE_MODEL, config.GEMINI_VISION_MODEL],
    ask: (model, key) =>
      get(`${config.GEMINI_BASE_URL ?? "https://generativelanguage.googleapis.com"}/v1beta/models/${model}`, {
        "x-goog-api-key": key,
      }),
  },
  openai: {
    key: config.OPENAI_API_KEY,
    keyName: "OPENAI_API_KEY",
    models: [config.OPENAI_IMAGE_MODEL, config.OPENAI_VISION_MODEL],
    ask: (model, key) =>
      get(`${config.OPENAI_BASE_URL ?? "https://api.openai.com/v1"}/models/${model}`, {
        authorization: `Bearer ${key}`,
      }),
  },
});

/** One artist who can draw is enough to open; a broken one beside it is a warning. */
export async function checkProviders(config: Config): Promise<Finding[]> {
  const found = await Promise.all(config.AI_PROVIDERS.map((name) => checkOne(config, name)));
  if (found.some(({ state, mayDraw }) => state === "ok" || mayDraw)) return found;
  return found.map((finding) => ({ ...finding, state: "fail" }));
}

/** How both say that a model is not there; a proxy that knows no list of models answers 404 in its own way. */
const saysUnknown = (body: unknown): boolean => /NOT_FOUND|model_not_found/.test(JSON.stringify(body) ?? "");

/** `mayDraw`: what was found says nothing against it. */
async function checkOne(config: Config, name: ProviderName): Promise<Finding & { mayDraw?: boolean }> {
  const { ok, warn } = about(name);
  if (name === "offline") return ok("the built-in artist needs nothing");
  const { key, keyName, models, ask } = probes(config)[name];
  if (!key) return warn("is skipped", `set ${keyName}, or take it out of AI_PROVIDERS`);
  for (const model of new Set(models)) {
    try {
      const response = await ask(model, key);
      if (response.ok) continue;
      if (response.status === 404 && !saysUnknown(await response.json().catch(() => null)))
        return {
          ...warn("does not tell which models it has", "press “Try out” at an outfit of the operators' page"),
          mayDraw: true,
        };
      if (response.status === 404)
        return warn(`knows no model ${model}`, `correct ${name.toUpperCase()}_IMAGE_MODEL or _VISION_MODEL`);
      if ([400, 401, 403].includes(response.status))
        return warn("refuses the key", `renew ${keyName}, and check its limits and billing`);
      return warn(`answers ${response.status}`, "try again in a minute; the next provider serves meanwhile");
    } catch (error) {
      return warn(`does not answer (${describe(error)})`, "check this machine's network, DNS and firewall");
    }
  }
  return ok(`takes the key and has ${[...new Set(models)].join(" and ")}`);
}
