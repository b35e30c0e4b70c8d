// Runs before every test file: tests speak to loopback only and never inherit the developer's settings.
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
