/** Load over plain sockets, so that the measuring costs little of what is measured: one request in flight a connection. */
import { request, SECRET } from "../../leads-world.ts";

export type Load = { perSecond: number; p50: number; p99: number; answers: Record<string, number>; all: number };

const MAX_ADDRESS = 0xffffffff;

/** Drives `POST /leads` of distinct requests of distinct visitors for a while. Times are milliseconds; `all` counts the warm-up too. */
export async function drive(port: number, connections: number, forMs: number, warmMs: number): Promise<Load> {
  const times: number[] = [];
  let all = 0;
  const answers: Record<string, number> = {};
  const start = performance.now();
  const from = start + warmMs;
  const until = from + forMs;
  await Promise.all(Array.from({ length: connections }, () => connection()));
  times.sort((a, b) => a - b);
  const at = (share: number) => Math.round((times[Math.floor(times.length * share)] ?? 0) * 100) / 100;
  return { perSecond: Math.round(times.length / (forMs / 1000)), p50: at(0.5), p99: at(0.99), answers, all };

  function connection(): Promise<void> {
    return new Promise((resolve, reject) => {
      let sent = 0;
      let text = "";
      Bun.connect({
        hostname: "127.0.0.1",
        port,
        socket: {
          open: next,
          error: (_, error) => reject(error),
          close: () => (performance.now() < until ? reject(new Error("the server hung up")) : resolve()),
          data(socket, bytes) {
            text += bytes.toString("latin1");
            const head = text.indexOf("\r\n\r\n");
            if (head < 0) return;
            const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
            if (text.length < head + 4 + length) return;
            const now = performance.now();
            all += 1;
            if (now >= from && now <= until) {
              times.push(now - sent);
              const status = text.slice(9, 12);
              answers[status] = (answers[status] ?? 0) + 1;
            }
            text = "";
            if (now < until) next(socket);
            else {
              socket.end();
              resolve();
            }
          },
        },
      }).catch(reject);

      function next(socket: { write(data: string): unknown }) {
        sent = performance.now();
        socket.write(message());
      }
    });
  }
}

function message(): string {
  const address = Math.floor(Math.random() * MAX_ADDRESS);
  const visitor_ip = [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join(".");
  const more = { visitor_ip, event_type: "wedding", event_date: "2027-05-01", guests: 120, city: "Tashkent" };
  const body = JSON.stringify(request({ ...more, comment: "Two booths at the entrance", utm: { source: "insta" } }));
  return `POST /leads HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\nx-stickers-leads-secret: ${SECRET}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
