"""The same call on FastAPI under uvicorn with sqlite3, the stack that this system had before: server.py DATA_DIR. Prints its port."""
import datetime
import hashlib
import hmac
import json
import os
import socket
import sqlite3
import sys
import time
import typing
import uuid

import fastapi
import pydantic
import uvicorn

data_dir = sys.argv[1]
secret = os.environ["LEADS_SECRET"]
db = sqlite3.connect(os.path.join(data_dir, "app.db"), isolation_level=None, check_same_thread=False)
for pragma in ("busy_timeout = 5000", "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "temp_store = MEMORY"):
    db.execute("PRAGMA " + pragma)


class Lead(pydantic.BaseModel):
    request_id: uuid.UUID
    name: str = pydantic.Field(min_length=1, max_length=100)
    contact: str = pydantic.Field(min_length=3, max_length=120)
    event_type: typing.Optional[typing.Literal["wedding", "birthday", "corporate", "other"]] = None
    event_date: typing.Optional[datetime.date] = None
    guests: typing.Optional[int] = pydantic.Field(default=None, ge=1, le=100000)
    city: typing.Optional[str] = pydantic.Field(default=None, max_length=100)
    comment: typing.Optional[str] = pydantic.Field(default=None, max_length=2000)
    locale: typing.Literal["ru", "uz", "en"]
    page: typing.Optional[str] = pydantic.Field(default=None, max_length=500)
    utm: typing.Optional[typing.Dict[str, str]] = None
    visitor_ip: typing.Optional[str] = None


app = fastapi.FastAPI()


@app.post("/leads")
async def post(lead: Lead, response: fastapi.Response, x_stickers_leads_secret: str = fastapi.Header(default="")):
    if not hmac.compare_digest(x_stickers_leads_secret, secret):
        raise fastapi.HTTPException(401)
    now = int(time.time() * 1000)
    request_id = str(lead.request_id)
    visitor = hmac.new(b"salt", (lead.visitor_ip or "").encode(), hashlib.sha256).hexdigest()
    db.execute("BEGIN IMMEDIATE")
    try:
        known = db.execute("SELECT number FROM leads WHERE request_id = ?", (request_id,)).fetchone()
        if known:
            return {"number": known[0], "duplicate": True}
        db.execute("SELECT at FROM lead_visits WHERE visitor = ? AND at > ? ORDER BY at DESC LIMIT 1 OFFSET 4", (visitor, now - 600000)).fetchone()
        number = db.execute(
            "INSERT INTO leads (request_id, status, name, contact, city, comment, page, utm, event_type, event_date, guests, locale,"
            " source, status_at, queued_at, next_publish_at, created_at, updated_at)"
            " VALUES (?, 'new', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'direct', ?, ?, ?, ?, ?)",
            (request_id, lead.name, lead.contact, lead.city, lead.comment, lead.page, json.dumps(lead.utm) if lead.utm else None,
             lead.event_type, lead.event_date.isoformat() if lead.event_date else None, lead.guests, lead.locale, now, now, now, now, now),
        ).lastrowid
        db.execute(
            "INSERT INTO history (machine, subject, before, after, actor, reason, at) VALUES ('leads', ?, NULL, 'new', 'landing', NULL, ?)",
            (str(number), now),
        )
        db.execute("INSERT INTO lead_visits (visitor, at) VALUES (?, ?)", (visitor, now))
    finally:
        db.execute("COMMIT")
    response.status_code = 201
    return {"number": number, "duplicate": False}


listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
print(json.dumps({"message": "listening", "port": listener.getsockname()[1]}), flush=True)
config = uvicorn.Config(app, log_level="error", access_log=False)
uvicorn.Server(config).run(sockets=[listener])
