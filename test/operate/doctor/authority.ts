/*
 * An authority for tests, and certificates that it signs: good ones, expired ones, and ones for another name.
 */
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import type { Certificate } from "../../support/certificates.ts";

export type Authority = {
  /** Its own certificate, as a PEM file. */
  readonly file: string;
  /** Signs one that is good for so many days from now on; with less than none it has expired. */
  readonly sign: (name: string, names: string, days: number) => Promise<Certificate>;
};

const newKey = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";

/** Makes the authority in the folder. */
export async function makeAuthority(folder: string, authority = "authority"): Promise<Authority> {
  const openssl = (command: string) => Bun.$`sh -c ${`openssl ${command}`}`.cwd(folder).quiet();
  await openssl(
    `req -x509 ${newKey} -days 30 -subj /CN=${authority} -keyout ${authority}.key -out ${authority}.crt`,
  );
  return {
    file: join(folder, `${authority}.crt`),
    sign: async (name, names, days) => {
      await Bun.write(join(folder, `${name}.names`), `subjectAltName=${names}`);
      await openssl(`req ${newKey} -subj /CN=${name} -keyout ${name}.key -out ${name}.csr`);
      await openssl(
        `x509 -req -in ${name}.csr -CA ${authority}.crt -CAkey ${authority}.key -CAcreateserial -days ${days} -out ${name}.crt -extfile ${name}.names`,
      );
      await chmod(join(folder, `${name}.key`), 0o600);
      return { certFile: join(folder, `${name}.crt`), keyFile: join(folder, `${name}.key`) };
    },
  };
}
