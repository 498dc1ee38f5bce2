import { admin } from "./admin.ts";
import { records } from "./records.ts";
import { skin } from "./skin.ts";
import { setup } from "./setup.ts";
import { staff } from "./staff.ts";
import { grants } from "./grants.ts";
import { findings } from "./findings.ts";

/** Areas that only pages for staff have. They are loaded with the first such page. */
export const staffPages = {
  admin,
  records,
  skin,
  setup,
  staff,
  grants,
  findings,
};

export type StaffWords = typeof staffPages;
