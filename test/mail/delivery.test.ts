import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { simpleParser } from "mailparser";
import { composeMail } from "../../src/domain/mail/compose.ts";
import { languages } from "../../src/domain/model/mail.ts";
import { makeCertificate } from "../support/certificates.ts";
import { openMailServer } from "./mail-server.ts";
import { code, confirmMail, everyPersonalMail, link, look, play, openWorld, site } from "./outbox-world.ts";
import { ownTexts } from "./own-texts.ts";

const to = "anna@example.org";

let folder: string;
let tls: { readonly cert: string; readonly key: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cloakroom-mail-"));
  const { certFile, keyFile } = await makeCertificate(folder, "mail");
  tls = { cert: await readFile(certFile, "utf8"), key: await readFile(keyFile, "utf8") };
});
afterAll(() => rm(folder, { recursive: true }));

describe("over SMTP", () => {
  test.each(languages)("every mail arrives in %s as it was written", async (language) => {
    await using server = await openMailServer();
    await using world = await openWorld();
    for (const mail of everyPersonalMail) await world.post(mail, to, language);
    expect(await world.sendAll(world.toServer(server))).toBe(everyPersonalMail.length);
    expect(server.mails).toHaveLength(everyPersonalMail.length);
    for (const [index, mail] of everyPersonalMail.entries()) {
      const written = composeMail(ownTexts, { to, language, site, look, play, mail });
      expect(server.mails[index]).toMatchObject({
        subject: written.subject,
        text: written.text,
        html: written.html,
        from: { value: [{ name: "Example", address: "noreply@example.org" }] },
        to: { value: [{ name: "", address: to }] },
        date: new Date(Date.UTC(2100, 0, 1)),
      });
      const headers = server.mails[index]!.headers;
      expect(headers.get("auto-submitted")).toBe("auto-generated");
      expect(headers.get("content-language")).toBe(language);
    }
  });

  test("keeps the server's words and forgets the content", async () => {
    await using server = await openMailServer();
    await using world = await openWorld();
    await world.post(confirmMail);
    await world.sendAll(world.toServer(server));
    expect(await world.entries()).toMatchObject([
      { state: "sent", attempts: 1, lastReply: "250 2.0.0 taken", hasContent: false },
    ]);
  });

  test("leaves no trace of the code in the database's file", async () => {
    await using server = await openMailServer();
    await using world = await openWorld();
    const traces = async () => {
      using database = new Database(world.path);
      database.run("PRAGMA wal_checkpoint(TRUNCATE)");
      return (await Bun.file(world.path).text()).split(code).length - 1;
    };
    for (let index = 0; index < 20; index++) await world.post(confirmMail, `m${index}@example.org`);
    expect(await traces()).toBeGreaterThan(0);
    await world.sendAll(world.toServer(server));
    expect(await traces()).toBe(0);
  });

  test("logs neither code nor link nor the whole address", async () => {
    await using server = await openMailServer();
    await using world = await openWorld();
    await world.post(confirmMail);
    await world.sendAll(world.toServer(server));
    const log = world.lines.join("");
    expect(log).toContain("a***@example.org");
    for (const secret of [to, code, "ABCDE12345", link]) expect(log).not.toContain(secret);
  });

  test("signs in and starts TLS where the server offers it", async () => {
    const seen: string[] = [];
    await using server = await openMailServer({
      ...tls,
      disabledCommands: [],
      authOptional: false,
      onAuth: ({ username, password }, session, done) => {
        seen.push(`${username}:${password}:${session.secure}`);
        done(null, { user: username ?? "" });
      },
    });
    await using world = await openWorld();
    const credentials = { user: "me@example.org", password: "p@ss: wörd" };
    await world.post(confirmMail);
    await world.sendAll(world.toServer({ port: server.port, credentials }));
    expect(seen).toEqual(["me@example.org:p@ss: wörd:true"]);
    expect(server.mails).toHaveLength(1);
  });

  test("speaks TLS from the first byte with smtps", async () => {
    await using server = await openMailServer({ ...tls, secure: true });
    await using world = await openWorld();
    await world.post(confirmMail);
    await world.sendAll(world.toServer({ port: server.port, secure: true }));
    expect(server.mails).toHaveLength(1);
  });

  test("uses one connection for mails that follow each other", async () => {
    let connections = 0;
    await using server = await openMailServer({
      onConnect: (_, done) => {
        connections += 1;
        done();
      },
    });
    await using world = await openWorld();
    for (const mail of everyPersonalMail) await world.post(mail);
    await world.sendAll(world.toServer(server));
    expect(connections).toBe(1);
  });
});

describe("into files", () => {
  test("a mail is a file for its owner alone, which the log names", async () => {
    await using world = await openWorld();
    await world.post(confirmMail, to, "ru");
    await world.sendAll(world.toFiles());
    const [name = "", ...others] = await readdir(join(world.folder, "mail"));
    expect({ name, others }).toEqual({ name: "2100-01-01T00-00-00-1.eml", others: [] });
    const path = join(world.folder, "mail", name);
    expect(((await stat(path)).mode & 0o777).toString(8)).toBe("600");
    expect(((await stat(join(world.folder, "mail"))).mode & 0o777).toString(8)).toBe("700");
    expect(world.lines.join("")).toContain(name);
    expect(world.lines.join("")).not.toContain(code);
    const mail = await simpleParser(await Bun.file(path).text());
    const written = composeMail(ownTexts, { to, language: "ru", site, look, play, mail: confirmMail });
    expect(mail).toMatchObject({ subject: written.subject, text: written.text, html: written.html });
  });

  test("a folder that cannot be made leaves the mail waiting", async () => {
    await using world = await openWorld();
    await Bun.write(join(world.folder, "mail"), "in the way");
    await world.post(confirmMail);
    await world.sendAll(world.toFiles());
    expect(await world.entries()).toMatchObject([{ state: "waiting", hasContent: true }]);
  });
});
