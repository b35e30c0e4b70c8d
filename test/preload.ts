// Runs before every test file: tests speak to loopback only and never inherit the developer's settings.
import { setDefaultTimeout } from "bun:test";

for (const name of Object.keys(process.env)) {
  if (
    /^(BOT_|ADMIN_|LEADS_|LANDING_|GEMINI_|OPENAI_|TELEGRAM_|DATA_DIR|HOST$|PORT$|PUBLIC_URL|KIOSK_KEY|AI_PROVIDERS)/.test(
      name,
    )
  )
    delete process.env[name];
}

// The product keeps its files to itself (umask 077); a test file starts as a person's shell does, whoever ran before it.
process.umask(0o022);

// For a test that hangs, and no measure of speed: machines are slow, and crowded by other tests. Several files need
// `bun run test FILE …`: without --parallel or --isolate Bun sets it for the first one only.
setDefaultTimeout(120_000);
