import { expect, test } from "bun:test";
import { describeSource, parseSourceAddress } from "../../src/adapters/sources/address.ts";
import { placeOf } from "../../src/adapters/sources/database.ts";

test.each([
  ["mysql://reader:secret@db.example.org/blessing", "db.example.org:3306/blessing", "verify-full"],
  ["mariadb://reader@127.0.0.1:3307/blessing", "127.0.0.1:3307/blessing", "disable"],
  ["mysql://reader:secret@db/blessing?sslmode=disable", "db:3306/blessing", "disable"],
  ["postgres://reader:p%40ss@[::1]:5433/b", "[::1]:5433/b", "disable"],
  ["postgresql://reader@10.0.0.5/b?sslmode=require", "10.0.0.5:5432/b", "require"],
  ["mysql://reader@/b?host=/run/mysqld/mysqld.sock", "/run/mysqld/mysqld.sock, b", "disable"],
])("reads %s", (text, name, tls) => {
  const address = parseSourceAddress(text);
  expect(describeSource(address)).toBe(name);
  expect(address).toMatchObject({ tls });
  expect(JSON.stringify(address)).not.toMatch(/secret|p@ss|p%40ss/);
});

test("reads the path of a file", () => {
  expect(parseSourceAddress("sqlite:///srv/my%20files/a.db")).toEqual({
    engine: "sqlite",
    path: "/srv/my files/a.db",
  });
});

test.each([
  "mysql://reader:secret@db",
  "mysql://db/blessing",
  "mysql://reader:sec@ret@db/blessing",
  "oracle://reader:secret@db/blessing",
  "sqlite://file.db",
  "sqlite:///file.db?immutable=1",
  "mysql://reader:secret@a,b/blessing",
  "mysql://reader:secret@db:99999/blessing",
  "mysql://reader:secret@db/blessing?ssl=true",
  "mysql://reader:secret@db/blessing?sslmode=prefer",
  "mysql://reader:%zz@db/blessing",
  "/srv/file.db",
  "",
])("refuses %s and shows nothing of it", (text) => {
  expect(() => parseSourceAddress(text)).toThrow(/^must /);
  expect(() => parseSourceAddress(text)).not.toThrow(/secret|sec@ret|reader:s/);
});

const place = (dsn: string) => placeOf(parseSourceAddress(dsn), ["blessing", ""]);

test("this machine is one place, however it was written", () => {
  const here = [
    "mysql://a@127.0.0.1/b",
    "mysql://a:x@localhost:3306/b",
    "mariadb://other@[::1]/b?sslmode=require",
    "mysql://a@/b?host=/run/mysqld/mysqld.sock",
  ];
  expect(new Set(here.map(place)).size).toBe(1);
  const others = [
    "mysql://a@127.0.0.1/c",
    "mysql://a@127.0.0.1:3307/b",
    "mysql://a@10.0.0.1/b",
    "postgres://a@127.0.0.1:3306/b",
  ];
  expect(new Set([...here, ...others].map(place)).size).toBe(5);
});
